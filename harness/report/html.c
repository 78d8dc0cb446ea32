/* The report as one HTML file: nothing is loaded, so it can be kept as an artifact of a pipeline.
 */
#include "formats.h"
#include "markup.h"

#include <inttypes.h>

static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>psp-harness</title>\n"
    "<style>\n"
    ":root { color-scheme: light dark }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto;"
    " padding: 0 1rem }\n"
    "table { border-collapse: collapse; width: 100% }\n"
    "td, th { text-align: left; vertical-align: top; padding: .3rem .6rem;"
    " border-top: 1px solid #8884 }\n"
    "pre { overflow-x: auto; font-size: 13px; padding: .6rem; background: #8881 }\n"
    ".pass { color: #188038 } .fail { color: #c5221f } .inconclusive { color: #b06000 }\n"
    ".broken, .error { color: #8430ce }\n"
    "</style>\n</head>\n<body>\n<h1>psp-harness</h1>\n";

static void add_element(const char *tag, const char *text, struct buf *out)
{
    buf_addf(out, "<%s>", tag);
    markup_text(text, out);
    buf_addf(out, "</%s>", tag);
}

static void add_story(const struct report_entry *entry, struct buf *out)
{
    struct buf story = {0};
    summary_details(entry->result, entry->replay, &story);
    if (story.len > 0) {
        buf_add_string(out, "<details><summary>");
        markup_text(result_reason(entry->result), out);
        buf_add_string(out, "</summary>");
        add_element("pre", buf_string(&story), out);
        buf_add_string(out, "</details>");
    }
    buf_release(&story);
}

static void add_warnings(const struct result *result, struct buf *out)
{
    for (size_t i = 0; i < result->findings.count; i++) {
        const struct finding *finding = &result->findings.items[i];
        if (!finding->violated || invariant_severity(finding->invariant) == FAILS)
            continue;
        buf_add_string(out, "<div>warns: ");
        buf_addf(out, "%s, ", invariant_name(finding->invariant));
        markup_text(finding->sentence, out);
        buf_add_string(out, "</div>");
    }
}

static void add_row(const struct report_entry *entry, struct buf *out)
{
    const struct result *result = entry->result;
    struct buf name = {0};
    report_name(result, &name);
    buf_addf(out, "<tr><td class=\"%s\">%s</td>", verdict_name(result->verdict),
             verdict_name(result->verdict));
    add_element("td", buf_string(&name), out);
    buf_add_string(out, "<td>");
    markup_text(result->title == NULL ? "" : result->title, out);
    add_story(entry, out);
    add_warnings(result, out);
    buf_addf(out, "</td><td>%" PRId64 " ms</td></tr>\n", result->took_ms);
    buf_release(&name);
}

void report_html(const struct report *report, struct buf *out)
{
    struct buf sum = {0};
    summary_totals(&report->totals, report->unit, report->took_ms, &sum);
    buf_add_string(out, HEAD);
    add_element("p", buf_string(&sum), out);
    buf_addf(out, "\n<p>mockpsp %s, seed %" PRIu64 "</p>\n", MOCKPSP_VERSION, report->seed);
    buf_add_string(out, "<table>\n<tr><th>verdict</th><th>scenario</th><th>what happens</th>"
                        "<th>took</th></tr>\n");
    for (size_t i = 0; i < report->count; i++)
        add_row(&report->entries[i], out);
    buf_add_string(out, "</table>\n</body>\n</html>\n");
    buf_release(&sum);
}
