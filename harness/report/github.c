/* GitHub Actions shows ten annotations of a step and silently drops the rest, so there is one for
 * each distinct cause; and a summary in Markdown of at most 1 MiB. */
#include "formats.h"

#include <string.h>

#define MOST_ANNOTATIONS 10
#define MOST_BYTES       ((size_t)1000 << 10)

/* In a command a percent sign and ends of lines are escaped; in a property the separators too. */
static void add_escaped(const char *text, const char *separators, struct buf *out)
{
    for (; *text != '\0'; text++) {
        if (*text == '%' || *text == '\r' || *text == '\n' || strchr(separators, *text) != NULL)
            buf_addf(out, "%%%02X", (unsigned)(unsigned char)*text);
        else
            buf_add_char(out, *text);
    }
}

/* What makes two results one annotation: the first violated invariant and its cause, or the reason.
 */
static void add_bucket(const struct result *result, struct buf *out)
{
    const struct finding *finding = findings_first_violation(&result->findings);
    if (finding == NULL)
        buf_add_string(out, result_reason(result));
    else
        buf_addf(out, "%s, %s", invariant_name(finding->invariant), cause_words(finding->cause));
}

/* How many results are like number I, which is the first of them; 0 when it is not. */
static size_t count_like(const struct report *report, size_t i)
{
    struct buf bucket = {0};
    size_t count = 0;
    add_bucket(report->entries[i].result, &bucket);
    for (size_t j = 0; j < report->count; j++) {
        struct buf other = {0};
        add_bucket(report->entries[j].result, &other);
        bool same = report->entries[j].result->verdict == report->entries[i].result->verdict &&
                    strcmp(buf_string(&bucket), buf_string(&other)) == 0;
        buf_release(&other);
        if (same && j < i) {
            count = 0;
            break;
        }
        count += same;
    }
    buf_release(&bucket);
    return count;
}

static void annotate(const struct report_entry *entry, size_t count, struct buf *out)
{
    const struct result *result = entry->result;
    struct buf title = {0};
    add_bucket(result, &title);
    buf_add_string(out, "::error file=");
    add_escaped(result->file == NULL ? "?" : result->file, ":,", out);
    buf_add_string(out, ",line=1,title=");
    add_escaped(buf_string(&title), ":,", out);
    buf_add_string(out, "::");
    buf_addf(out, "%s: ", verdict_name(result->verdict));
    add_escaped(result_reason(result), "", out);
    if (count > 1)
        buf_addf(out, " (and in %zu more scenarios)", count - 1);
    buf_add_string(out, "%0Areplay: ");
    add_escaped(entry->replay, "", out);
    buf_add_char(out, '\n');
    buf_release(&title);
}

void report_github(const struct report *report, struct buf *out)
{
    size_t told = 0;
    for (size_t i = 0; i < report->count; i++) {
        if (report->entries[i].result->verdict == VERDICT_PASS)
            continue;
        size_t count = count_like(report, i);
        if (count > 0 && told++ < MOST_ANNOTATIONS)
            annotate(&report->entries[i], count, out);
    }
    if (told > MOST_ANNOTATIONS)
        buf_addf(out, "::notice::%zu more causes have no annotation; the summary has them all\n",
                 told - MOST_ANNOTATIONS);
}

/* A cell of a table: no line ends and no bars. */
static void add_cell(const char *text, struct buf *out)
{
    for (; *text != '\0'; text++) {
        if (*text == '|')
            buf_add_string(out, "\\|");
        else if (*text == '<')
            buf_add_string(out, "&lt;");
        else if (*text == '\n')
            buf_add_char(out, ' ');
        else
            buf_add_char(out, *text);
    }
}

static void add_row(const struct result *result, struct buf *out)
{
    struct buf name = {0};
    report_name(result, &name);
    buf_addf(out, "| %s | ", verdict_name(result->verdict));
    add_cell(buf_string(&name), out);
    buf_add_string(out, " | ");
    add_cell(result->title == NULL ? "" : result->title, out);
    buf_add_string(out, " | ");
    add_cell(result_reason(result), out);
    buf_add_string(out, " |\n");
    buf_release(&name);
}

/* Four spaces make a block of code, whatever stands in it. */
static void add_block(const char *text, struct buf *out)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        buf_addf(out, "    %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

void report_markdown(const struct report *report, struct buf *out)
{
    buf_add_string(out, "## psp-harness\n");
    summary_totals(&report->totals, report->unit, report->took_ms, out);
    buf_add_string(out, "\n| verdict | scenario | what happens | why |\n|---|---|---|---|\n");
    for (size_t i = 0; i < report->count && out->len < MOST_BYTES; i++)
        add_row(report->entries[i].result, out);
    for (size_t i = 0; i < report->count; i++) {
        struct buf story = {0};
        if (report->entries[i].result->verdict != VERDICT_PASS)
            summary_details(report->entries[i].result, report->entries[i].replay, &story);
        struct buf block = {0};
        add_block(buf_string(&story), &block);
        if (out->len + block.len < MOST_BYTES && block.len > 0)
            buf_addf(out, "\n%s", buf_string(&block));
        buf_release(&block);
        buf_release(&story);
    }
}
