#include "formats.h"

#include "document.h"

#include <stdlib.h>
#include <string.h>

void report_name(const struct result *result, struct buf *out)
{
    const char *file = result->file == NULL ? "?" : result->file;
    const char *slash = strrchr(file, '/');
    const char *name = slash == NULL ? file : slash + 1;
    const char *dot = strrchr(name, '.');
    buf_add(out, name, dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name));
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
