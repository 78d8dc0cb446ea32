/* A script loaded for a test, and what it does to a request. */
#ifndef FATED_H
#define FATED_H

#include "mem.h"
#include "script.h"
#include "scripted.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline struct script *load(const char *text)
{
    struct script *script;
    struct err_text why = {0};
    struct scripted file = scripted_new(text);
    struct script_options options = {.seed = 1, .knows_clients = true};
    cr_assert_eq(script_load(file.file, &options, &script, &why), ERR_OK, "%s\n%s", text, why.text);
    scripted_remove(&file);
    return script;
}

static inline void expect_refusal_by(struct script_options options, const char *text,
                                     const char *rest)
{
    struct script *script;
    struct err_text why = {0};
    struct scripted file = scripted_new(text);
    cr_expect_eq(script_load(file.file, &options, &script, &why), ERR_SCRIPT, "%s", text);
    cr_expect_null(script);
    scripted_expect(&file, why.text, rest);
    scripted_remove(&file);
}

static inline void expect_refusal(const char *text, const char *rest)
{
    expect_refusal_by((struct script_options){.knows_clients = true}, text, rest);
}

/* One fault with FIELDS. */
static inline void expect_fault_refused(const char *fields, const char *rest)
{
    char text[500];
    snprintf(text, sizeof text, "return scenario {\nfaults = {\n{ %s } } }", fields);
    expect_refusal(text, rest);
}

static inline void note(void *context, const struct action *action)
{
    struct buf *out = context;
    if (out->len > 0)
        buf_add_char(out, ' ');
    action_describe(action, out);
}

/* What happens to the NUMBER-th request at each failpoint: "pass pass drop pass pass". */
static inline void expect_fate(struct script *script, struct attempt attempt, const char *wanted)
{
    struct buf fate = {0};
    for (int at = 0; at < FAILPOINT_WEBHOOK; at++)
        fault_source_ask(script_faults(script), &attempt, (enum failpoint)at, note, &fate);
    fault_source_end(script_faults(script), &attempt);
    cr_expect_str_eq(buf_string(&fate), wanted, "request %d: %s", (int)attempt.number,
                     buf_string(&fate));
    buf_release(&fate);
}

static inline struct attempt post(uint64_t number, const char *order)
{
    static char method[] = "POST";
    static char path[] = "/v1/payment_intents";
    static char orders[][2] = {"a", "b"};
    return (struct attempt){.pays = true,
                            .asks_issuer = true,
                            .number = number,
                            .method = method,
                            .path = path,
                            .order = order == NULL ? NULL : orders[*order - 'a'],
                            .amount = -1};
}

#define PASS5 "pass pass pass pass pass"

#endif
