#include "formats.h"

#include "document.h"
#include "mem.h"
#include "nearest.h"
#include "path.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void report_name(const struct result *result, struct buf *out)
{
    char *stem = path_stem(result->file == NULL ? "?" : result->file);
    buf_add_string(out, stem);
    free(stem);
    if (result->dialect != NULL)
        buf_addf(out, " (%s)", result->dialect);
}

void report_json(const struct report *report, struct buf *out)
{
    struct json *scenarios = json_array();
    for (size_t i = 0; i < report->count; i++)
        json_push(scenarios, document_entry(report->entries[i].result, report->entries[i].replay));
    struct json *document = document_make(report->seed, &report->totals, scenarios);
    char *text = json_print_pretty(document);
    buf_addf(out, "%s\n", text);
    free(text);
    json_free(document);
}

enum err report_format_parse(const char *text, enum report_format *format, struct err_text *why)
{
#define FORMAT_NAME(constant, name) name,
    static const char *const names[] = {REPORT_FORMAT_LIST(FORMAT_NAME) NULL};
#undef FORMAT_NAME
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(names[i], text) == 0) {
            *format = (enum report_format)i;
            return ERR_OK;
        }
    }
    return err_say(why, ERR_INVALID, "'%s' is no format%s: text, json, tap or github", text,
                   nearest_hint(text, names).text);
}

/* A client that is not there is not there sixteen times: it is told once. */
static bool is_told_already(const struct report *report, size_t i)
{
    const struct result *result = report->entries[i].result;
    for (size_t j = 0; j < i; j++) {
        const struct result *earlier = report->entries[j].result;
        if (result->verdict == VERDICT_INCONCLUSIVE && earlier->verdict == VERDICT_INCONCLUSIVE &&
            result->reason_count == 1 && earlier->reason_count == 1 &&
            strcmp(result_reason(result), result_reason(earlier)) == 0)
            return true;
    }
    return false;
}

void report_text(const struct report *report, struct buf *out)
{
    const struct result **results = mem_alloc((report->count + 1) * sizeof *results);
    for (size_t i = 0; i < report->count; i++) {
        results[i] = report->entries[i].result;
        if (!is_told_already(report, i))
            summary_details(results[i], report->entries[i].replay, out);
    }
    summary_causes(results, report->count, report->unit, out);
    summary_warnings(results, report->count, report->unit, out);
    summary_totals(&report->totals, report->unit, report->took_ms, out);
    free(results);
}
