/* An exploration as one HTML file without any other, and as JUnit's XML: a test case per finding,
 * and one for the space as a whole. */
#include "explore_report.h"

#include "markup.h"

#include <stdlib.h>
#include <string.h>

static const char HEAD[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>psp-harness explore</title>\n"
    "<style>body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em}"
    "pre{background:#f6f6f6;padding:1em;overflow:auto;font-size:13px}"
    "table{border-collapse:collapse;font-size:12px}td,th{border:1px solid #ddd;padding:2px 5px}"
    "th{text-align:left}.broke{background:#f8c9c4}.survived{background:#cfeacb}"
    ".skipped{background:#e4f2e1}.unsure{background:#fdeab8}.not_tried{background:#e8e8e8}"
    ".no_strike{color:#999}</style>\n";

static void add_matrix(const struct coverage *coverage, struct buf *out)
{
    buf_add_string(out, "<h2>Coverage</h2>\n<table><tr><th>move</th><th>at</th>");
    for (size_t i = 0; i < coverage->count; i++) {
        const struct cell *cell = &coverage->cells[i];
        if (i > 0 && cell->attempt == cell[-1].attempt && strcmp(cell->on, cell[-1].on) == 0)
            continue;
        buf_add_string(out, "<th>");
        markup_text(cell->on, out);
        buf_addf(out, " #%d</th>", cell->attempt);
    }
    buf_add_string(out, "</tr>\n");
    for (int move = 0; move < MOVE_SYSTEMATIC; move++) {
        bool any = false;
        for (size_t i = 0; i < coverage->count; i++)
            any = any || coverage->cells[i].move == (enum move)move;
        if (!any)
            continue;
        buf_addf(out, "<tr><th title=\"");
        markup_text(move_act((enum move)move), out);
        buf_addf(out, "\">%s</th><td>%s</td>", move_name((enum move)move),
                 failpoint_name(move_at((enum move)move)));
        for (size_t i = 0; i < coverage->count;) {
            size_t end = i;
            const struct cell *found = NULL;
            for (; end < coverage->count &&
                   coverage->cells[end].attempt == coverage->cells[i].attempt &&
                   strcmp(coverage->cells[end].on, coverage->cells[i].on) == 0;
                 end++)
                if (coverage->cells[end].move == (enum move)move)
                    found = &coverage->cells[end];
            if (found == NULL)
                buf_add_string(out, "<td></td>");
            else
                buf_addf(out, "<td class=\"%s\" title=\"%s\">%s</td>",
                         cell_state_name(found->state), cell_state_what(found->state),
                         cell_state_name(found->state));
            i = end;
        }
        buf_add_string(out, "</tr>\n");
    }
    buf_add_string(out, "</table>\n");
}

void explore_report_html(const struct explore_report *report, struct buf *out)
{
    struct buf text = {0};
    buf_add_string(out, HEAD);
    buf_addf(out, "<h1>Exploration: %s</h1>\n", verdict_name(report->verdict));
    explore_report_text(report, &text);
    buf_add_string(out, "<pre>");
    markup_text(buf_string(&text), out);
    buf_add_string(out, "</pre>\n");
    add_matrix(&report->coverage, out);
    buf_add_string(out, "</html>\n");
    buf_release(&text);
}

static void add_case(const char *name, const char *kind, const char *message, const char *body,
                     struct buf *out)
{
    buf_add_string(out, "  <testcase classname=\"psp-harness.explore\" name=\"");
    markup_text(name, out);
    buf_add_string(out, kind == NULL ? "\"/>\n" : "\">\n");
    if (kind == NULL)
        return;
    buf_addf(out, "    <%s message=\"", kind);
    markup_text(message, out);
    buf_add_string(out, "\">");
    markup_text(body, out);
    buf_addf(out, "</%s>\n  </testcase>\n", kind);
}

void explore_report_junit(const struct explore_report *report, struct buf *out)
{
    const struct bucket_list *found = &report->exploration->found;
    bool undecided = report->why != NULL;
    buf_addf(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"psp-harness explore\" "
             "tests=\"%zu\" failures=\"%zu\" errors=\"%d\">\n",
             found->count + 1, found->count, undecided);
    for (size_t i = 0; i < found->count; i++) {
        const struct bucket *bucket = &found->items[i];
        struct buf message = {0};
        char *name = bucket_name(bucket);
        buf_addf(&message, "%s: %s: ", invariant_name(bucket->invariant),
                 cause_words(bucket->cause));
        plan_describe(&bucket->shortest, &message);
        add_case(name, "failure", buf_string(&message),
                 bucket->trial == NULL || bucket->trial->story == NULL ? "" : bucket->trial->story,
                 out);
        free(name);
        buf_release(&message);
    }
    add_case("the space", undecided ? "error" : NULL, undecided ? report->why : "",
             undecided ? report->why : "", out);
    buf_add_string(out, "</testsuite>\n");
}
