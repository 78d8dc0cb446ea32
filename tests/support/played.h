/* A whole world played for a test: a real provider, a client that is a shell script around curl,
 * faults from Lua; and what its history says. */
#ifndef PLAYED_H
#define PLAYED_H

#include "box.h"
#include "mem.h"
#include "world.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Charges with the order's name as its key, says what it got, and asks to be run again otherwise.
 */
#define PAY                                                                                        \
    "curl -sS -m 5 -u \"$PSP_API_KEY:\" -H \"Idempotency-Key: $ORDER_ID\" "                        \
    "-d amount=$ORDER_AMOUNT -d currency=$ORDER_CURRENCY -d payment_method=pm_card_visa "          \
    "-d confirm=true -d \"metadata[order_id]=$ORDER_ID\" -f -o \"$STATE_DIR/answer\" "             \
    "\"$PSP_URL/v1/payment_intents\" || exit 75; echo went on; "

static struct world_options options = {.seed = 1, .restarts = 3, .timeout_ms = 20000};

/* Plays a scenario with these FIELDS against a shell SCRIPT. */
static inline struct result play(const char *fields, const char *script)
{
    struct result result = {0};
    struct scenario *scenario;
    struct err_text why;
    char name[] = "/tmp/test_world.XXXXXX";
    FILE *file = fdopen(mkstemp(name), "w");
    fprintf(file, "return scenario {\n%s\n}\n", fields);
    fclose(file);
    cr_assert_eq(scenario_load(name, options.seed, &scenario, &why), ERR_OK, "%s", why.text);
    unlink(name);
    char *copy = mem_strdup(script);
    char *command[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, copy, NULL};
    options.command = command;
    world_run(scenario, &options, &result);
    free(copy);
    scenario_free(scenario);
    return result;
}

/* The box of a run that did not pass has served its purpose. */
static inline void finish(struct result *result)
{
    struct box box = {.path = result->box, .mark = -1};
    result->box = NULL;
    box_close(&box, 0);
    result_release(result);
}

static inline const struct event *nth(const struct result *result, enum event_kind kind, int n)
{
    const struct event *event = NULL;
    while (n-- > 0) {
        event = history_next(&result->history, event, kind, NULL);
        cr_assert_not_null(event, "there is no such %s", event_name(kind));
    }
    return event;
}

static inline size_t count(const struct result *result, enum event_kind kind)
{
    return history_count(&result->history, kind, NULL);
}

static inline bool said(const struct result *result, int64_t run, const char *text)
{
    const struct event *line = NULL;
    while ((line = history_next(&result->history, line, EVENT_OUTPUT, NULL)) != NULL)
        if (event_int(line, "run", 0) == run && strstr(event_string(line, "text"), text) != NULL)
            return true;
    return false;
}

static inline void expect_verdict(const struct result *result, enum verdict verdict,
                                  const char *words)
{
    cr_expect_eq(result->verdict, verdict, "%s: %s", verdict_name(result->verdict),
                 result_reason(result));
    cr_expect_not_null(strstr(result_reason(result), words), "%s", result_reason(result));
}

#endif
