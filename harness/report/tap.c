/* TAP 14 (testanything.org): numbered lines, diagnostics as indented YAML. */
#include "formats.h"

#include <inttypes.h>
#include <string.h>

/* A string in double quotes, as YAML and JSON have it. */
static void add_quoted(const char *text, struct buf *out)
{
    buf_add_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            buf_addf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            buf_addf(out, "\\x%02x", (unsigned char)*text);
        else
            buf_add_char(out, *text);
    }
    buf_add_char(out, '"');
}

/* In the line of a test a # begins a directive, and a backslash escapes. */
static void add_description(const char *text, struct buf *out)
{
    for (; *text != '\0'; text++) {
        if (*text == '#' || *text == '\\')
            buf_add_char(out, '\\');
        if ((unsigned char)*text < ' ')
            buf_add_char(out, ' ');
        else
            buf_add_char(out, *text);
    }
}

static void add_details(const struct report_entry *entry, struct buf *out)
{
    const struct result *result = entry->result;
    struct buf story = {0};
    buf_addf(out, "  ---\n  verdict: %s\n  file: ", verdict_name(result->verdict));
    add_quoted(result->file == NULL ? "?" : result->file, out);
    buf_add_string(out, "\n  reasons:\n");
    for (size_t i = 0; i < result->reason_count; i++) {
        buf_add_string(out, "    - ");
        add_quoted(result->reasons[i].text, out);
        buf_add_char(out, '\n');
    }
    buf_add_string(out, "  replay: ");
    add_quoted(entry->replay, out);
    buf_add_string(out, "\n  story: |\n");
    summary_details(result, entry->replay, &story);
    const char *line = buf_string(&story);
    while (*line != '\0') {
        size_t length = strcspn(line, "\n");
        buf_addf(out, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    buf_release(&story);
    buf_add_string(out, "  ...\n");
}

void report_tap(const struct report *report, struct buf *out)
{
    buf_addf(out, "TAP version 14\n1..%zu\n", report->count);
    for (size_t i = 0; i < report->count; i++) {
        const struct result *result = report->entries[i].result;
        struct buf name = {0};
        report_name(result, &name);
        buf_addf(out, "%s %zu - ", result->verdict == VERDICT_PASS ? "ok" : "not ok", i + 1);
        add_description(buf_string(&name), out);
        buf_add_string(out, ": ");
        add_description(result->title == NULL ? "" : result->title, out);
        buf_add_char(out, '\n');
        buf_release(&name);
        if (result->verdict != VERDICT_PASS)
            add_details(&report->entries[i], out);
    }
}
