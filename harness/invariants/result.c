#include "result.h"

#include "buf.h"
#include "mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTE "note: " /* the words of invariants begin with their names */

static void add(struct result *result, enum verdict verdict, char *text)
{
    result->reasons =
        mem_resize(result->reasons, result->reason_count + 1, sizeof *result->reasons);
    result->reasons[result->reason_count++] = (struct reason){verdict, text};
    result->verdict = verdict_worse(result->verdict, verdict);
}

void result_add(struct result *result, enum verdict verdict, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_addv(&text, format, args);
    va_end(args);
    add(result, verdict, buf_take(&text));
}

void result_note(struct result *result, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_add_string(&text, NOTE);
    buf_addv(&text, format, args);
    va_end(args);
    add(result, VERDICT_PASS, buf_take(&text));
}

bool reason_is_note(const struct reason *reason)
{
    return strncmp(reason->text, NOTE, strlen(NOTE)) == 0;
}

static enum verdict verdict_of(const struct finding *finding, bool strict)
{
    if (invariant_severity(finding->invariant) == WARNS && !strict)
        return VERDICT_PASS;
    return finding->violated ? VERDICT_FAIL : VERDICT_INCONCLUSIVE;
}

/* Of many of the same kind the first says what happens, and the worst how bad it gets. */
static void add_finding(struct result *result, const struct finding *finding, const char *which,
                        bool strict)
{
    result_add(result, verdict_of(finding, strict), "%s%s%s: %s",
               invariant_name(finding->invariant), finding->violated ? "" : " cannot tell", which,
               finding->sentence);
}

static void add_invariant(struct result *result, const struct findings *findings,
                          enum invariant invariant, bool strict)
{
    const struct finding *first = findings_of(findings, invariant);
    const struct finding *worst = findings_worst(findings, invariant);
    size_t count = findings_count(findings, invariant);
    char which[64] = "";
    if (first == NULL)
        return;
    if (count > 1)
        snprintf(which, sizeof which, " (the first of %zu)", count);
    add_finding(result, first, which, strict);
    if (worst != first)
        add_finding(result, worst, " (the worst)", strict);
}

void result_add_findings(struct result *result, struct findings findings, bool strict)
{
    for (int i = 0; i < INVARIANT_COUNT; i++)
        add_invariant(result, &findings, (enum invariant)i, strict);
    findings_release(&result->findings);
    result->findings = findings;
}

const char *result_reason(const struct result *result)
{
    for (size_t i = 0; result->verdict != VERDICT_PASS && i < result->reason_count; i++)
        if (result->reasons[i].verdict == result->verdict)
            return result->reasons[i].text;
    return "";
}

struct json *result_to_json(const struct result *result)
{
    struct json *json = json_object();
    struct json *reasons = json_array();
    for (size_t i = 0; i < result->reason_count; i++) {
        struct json *reason = json_object();
        json_set_string(reason, "verdict", verdict_name(result->reasons[i].verdict));
        json_set_string(reason, "text", result->reasons[i].text);
        json_push(reasons, reason);
    }
    json_maybe_string(json, "file", result->file);
    json_maybe_string(json, "title", result->title);
    json_maybe_string(json, "dialect", result->dialect);
    json_set_string(json, "verdict", verdict_name(result->verdict));
    json_set(json, "reasons", reasons);
    json_set(json, "findings", findings_to_json(&result->findings));
    json_set(json, "orders", orders_to_json(&result->orders));
    json_set(json, "history", history_to_json(&result->history));
    if (result->trace.count > 0)
        json_set(json, "trace", trace_to_json(&result->trace));
    json_maybe_string(json, "box", result->box);
    json_set_int(json, "took_ms", result->took_ms);
    json_set_int(json, "client_runs", result->client_runs);
    json_set_int(json, "client_us", result->client_us);
    return json;
}

static enum err read_reasons(const struct json *list, struct result *result)
{
    for (const struct json *one = json_first(list); one != NULL; one = json_next(one)) {
        enum verdict verdict;
        const char *text = json_get_string(one, "text");
        if (text == NULL || !verdict_parse(json_get_string(one, "verdict"), &verdict))
            return ERR_INVALID;
        add(result, verdict, mem_strdup(text));
    }
    return ERR_OK;
}

enum err result_from_json(const struct json *json, struct result *result)
{
    *result = (struct result){0};
    enum err err = ERR_INVALID;
    if (verdict_parse(json_get_string(json, "verdict"), &result->verdict))
        err = read_reasons(json_get(json, "reasons"), result);
    if (err == ERR_OK)
        err = findings_from_json(json_get(json, "findings"), &result->findings);
    if (err == ERR_OK)
        err = orders_from_json(json_get(json, "orders"), &result->orders);
    if (err == ERR_OK)
        err = history_from_json(json_get(json, "history"), &result->history);
    if (err == ERR_OK)
        err = trace_from_json(json_get(json, "trace"), &result->trace);
    if (err != ERR_OK) {
        result_release(result);
        return err;
    }
    result->file = mem_strdup(json_get_string(json, "file"));
    result->title = mem_strdup(json_get_string(json, "title"));
    result->dialect = mem_strdup(json_get_string(json, "dialect"));
    result->box = mem_strdup(json_get_string(json, "box"));
    result->took_ms = json_get_int(json, "took_ms", 0);
    result->client_runs = json_get_int(json, "client_runs", 0);
    result->client_us = json_get_int(json, "client_us", 0);
    return ERR_OK;
}

void result_release(struct result *result)
{
    for (size_t i = 0; i < result->reason_count; i++)
        free(result->reasons[i].text);
    free(result->reasons);
    free(result->file);
    free(result->title);
    free(result->dialect);
    free(result->box);
    free(result->story);
    findings_release(&result->findings);
    orders_release(&result->orders);
    history_release(&result->history);
    trace_release(&result->trace);
    *result = (struct result){0};
}
