/* JUnit XML, as GitLab, Jenkins and the rest read it: names that do not repeat, the text in the
 * body and not only in an attribute. */
#include "formats.h"
#include "markup.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static void add_seconds(int64_t ms, struct buf *out)
{
    buf_addf(out, "%" PRId64 ".%03d", ms / 1000, (int)(ms % 1000));
}

static void add_attribute(const char *name, const char *value, struct buf *out)
{
    buf_addf(out, " %s=\"", name);
    markup_text(value, out);
    buf_add_char(out, '"');
}

static void add_outcome(const struct report_entry *entry, struct buf *out)
{
    const struct result *result = entry->result;
    const char *element = result->verdict == VERDICT_FAIL ? "failure" : "error";
    struct buf story = {0};
    summary_details(result, entry->replay, &story);
    buf_addf(out, "      <%s", element);
    add_attribute("type", verdict_name(result->verdict), out);
    add_attribute("message", result_reason(result), out);
    buf_add_char(out, '>');
    markup_text(buf_string(&story), out);
    buf_addf(out, "</%s>\n", element);
    buf_release(&story);
}

/* Two of one name in two folders are told apart by their paths. */
static void add_name(const struct report *report, const struct report_entry *entry, struct buf *out)
{
    report_name(entry->result, out);
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *other = &report->entries[i];
        struct buf name = {0};
        report_name(other->result, &name);
        bool twin = other != entry && strcmp(buf_string(&name), buf_string(out)) == 0;
        buf_release(&name);
        if (!twin)
            continue;
        buf_addf(out, " in %s", entry->result->file);
        return;
    }
}

static void add_case(const struct report *report, const struct report_entry *entry, struct buf *out)
{
    const struct result *result = entry->result;
    struct buf name = {0};
    add_name(report, entry, &name);
    if (result->title != NULL)
        buf_addf(&name, ": %s", result->title);
    buf_add_string(out, "    <testcase classname=\"psp-harness\"");
    add_attribute("name", buf_string(&name), out);
    add_attribute("file", result->file == NULL ? "?" : result->file, out);
    buf_add_string(out, " time=\"");
    add_seconds(result->took_ms, out);
    buf_release(&name);
    if (result->verdict == VERDICT_PASS) {
        buf_add_string(out, "\"/>\n");
        return;
    }
    buf_add_string(out, "\">\n");
    add_outcome(entry, out);
    buf_add_string(out, "    </testcase>\n");
}

void report_junit(const struct report *report, struct buf *out)
{
    size_t failures = report->totals.of[VERDICT_FAIL];
    size_t errors = report->count - failures - report->totals.of[VERDICT_PASS];
    buf_add_string(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    buf_addf(out,
             "  <testsuite name=\"psp-harness\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
             "skipped=\"0\" time=\"",
             report->count, failures, errors);
    add_seconds(report->took_ms, out);
    buf_add_string(out, "\">\n");
    for (size_t i = 0; i < report->count; i++)
        add_case(report, &report->entries[i], out);
    buf_add_string(out, "  </testsuite>\n</testsuites>\n");
}
