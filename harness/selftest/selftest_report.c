#include "selftest_report.h"

#include "causes.h"
#include "duration.h"
#include "verdict.h"

#include <stdlib.h>

static size_t count_of(const struct selftest_report *report, enum examination_end end)
{
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
        count += report->items[i].end == end;
    return count;
}

/* --- the verdict ----------------------------------------------------------------------------- */

/* Somebody who breaks INVARIANT was examined; without one: somebody who breaks nothing. */
static bool was_examined(const struct selftest_report *report, int invariant)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct examination *one = &report->items[i];
        if (one->end != EXAMINATION_skipped &&
            (one->of->bad ? (int)one->of->breaks : INVARIANT_COUNT) == invariant)
            return true;
    }
    return false;
}

/* Of all: every invariant has to have somebody who breaks it. Of some: each of them is meant. */
static void unsaid(const struct selftest_report *report, struct buf *why)
{
    size_t skipped = count_of(report, EXAMINATION_skipped);
    size_t unsure = count_of(report, EXAMINATION_unsure);
    if (report->count < report->chosen)
        buf_addf(why, "interrupted: %zu were not examined", report->chosen - report->count);
    else if (unsure > 0)
        buf_addf(why, "%zu could not be explored to the end", unsure);
    else if (report->options->word_count > 0 && skipped > 0)
        buf_addf(why, "%zu of those that are meant could not be run", skipped);
    for (int i = 0; i <= INVARIANT_COUNT && report->options->word_count == 0 && why->len == 0; i++)
        if (!was_examined(report, i))
            buf_addf(why, "nobody was examined who breaks %s",
                     i == INVARIANT_COUNT ? "nothing" : invariant_name((enum invariant)i));
}

int selftest_report_status(const struct selftest_report *report, struct buf *why)
{
    if (count_of(report, EXAMINATION_error) > 0)
        return verdict_status(VERDICT_ERROR);
    for (size_t i = 0; i < report->count; i++)
        if (!examination_end_is_good(report->items[i].end) &&
            report->items[i].end != EXAMINATION_unsure)
            return verdict_status(VERDICT_FAIL);
    unsaid(report, why);
    return verdict_status(why->len > 0 ? VERDICT_INCONCLUSIVE : VERDICT_PASS);
}

/* --- for a person ---------------------------------------------------------------------------- */

void selftest_report_case(const struct selftest_case *one, struct buf *out)
{
    buf_addf(out, "%s: ", one->client);
    if (one->bad)
        buf_addf(out, "%s, %s", invariant_name(one->breaks), cause_words(one->cause));
    else
        buf_add_string(out, "nothing breaks it");
}

void selftest_report_line(const struct examination *examination, struct buf *out)
{
    buf_addf(out, "%-10s ", examination_end_name(examination->end));
    selftest_report_case(examination->of, out);
    if (examination->end == EXAMINATION_found)
        buf_addf(out, ": %s", examination->schedule);
    if (examination->end != EXAMINATION_skipped)
        buf_addf(out, " (%zu runs, %s)", examination->played,
                 duration_format(examination->took_ms).text);
    buf_add_char(out, '\n');
    if (examination->why != NULL)
        buf_addf(out, "%-10s %s\n", "", examination->why);
    if (examination->schedule != NULL && examination->end != EXAMINATION_found)
        buf_addf(out, "%-10s %s\n", "", examination->schedule);
}

void selftest_report_end(const struct selftest_report *report, struct buf *out)
{
    struct buf why = {0};
    const char *before = "";
    int status = selftest_report_status(report, &why);
    for (int i = 0; i < EXAMINATION_END_COUNT; i++) {
        size_t count = count_of(report, (enum examination_end)i);
        if (count == 0)
            continue;
        buf_addf(out, "%s%zu %s", before, count, examination_end_name((enum examination_end)i));
        before = ", ";
    }
    if (report->options->is_without)
        buf_addf(out, "; %s was not looked at", invariant_name(report->options->without));
    buf_addf(out, "%s\n", status == 0 ? ": all as it has to be" : "");
    if (why.len > 0)
        buf_addf(out, "inconclusive: %s\n", buf_string(&why));
    buf_release(&why);
}

/* --- for a program --------------------------------------------------------------------------- */

static struct json *examination_to_json(const struct examination *examination)
{
    const struct selftest_case *of = examination->of;
    struct json *json = json_object();
    json_set_string(json, "client", of->client);
    if (of->bad) {
        json_set_string(json, "breaks", invariant_name(of->breaks));
        json_set_string(json, "cause", cause_name(of->cause));
    }
    json_set_string(json, "result", examination_end_name(examination->end));
    json_maybe_string(json, "why", examination->why);
    json_maybe_string(json, "schedule", examination->schedule);
    if (examination->schedule != NULL) {
        json_set_int(json, "faults", (int64_t)examination->faults);
        json_set_int(json, "confirmed", examination->confirmed);
        json_set_int(json, "asked", examination->asked);
    }
    json_set_int(json, "runs", (int64_t)examination->played);
    json_set_int(json, "took_ms", examination->took_ms);
    return json;
}

void selftest_report_json(const struct selftest_report *report, struct buf *out)
{
    struct buf why = {0};
    struct json *json = json_object();
    struct json *clients = json_array();
    json_set_string(json, "version", MOCKPSP_VERSION);
    json_set_int(json, "status", selftest_report_status(report, &why));
    if (why.len > 0)
        json_set_string(json, "why", buf_string(&why));
    if (report->options->is_without)
        json_set_string(json, "without", invariant_name(report->options->without));
    for (size_t i = 0; i < report->count; i++)
        json_push(clients, examination_to_json(&report->items[i]));
    json_set(json, "clients", clients);
    char *text = json_print_pretty(json);
    buf_addf(out, "%s\n", text);
    free(text);
    json_free(json);
    buf_release(&why);
}
