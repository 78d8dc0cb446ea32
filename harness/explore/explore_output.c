#include "explore_output.h"

#include "log.h"
#include "mem.h"
#include "output.h"
#include "publish.h"

#include <stdio.h>
#include <stdlib.h>

bool explore_output_findings(struct exploration *exploration, const char *directory,
                             struct regression_command command)
{
    bool written = true;
    for (size_t i = 0; i < exploration->found.count; i++) {
        struct bucket *bucket = &exploration->found.items[i];
        struct err_text why = {0};
        if (!bucket->shrunk)
            continue;
        bucket->written = regression_write(bucket, directory, command, &why) == ERR_OK;
        if (!bucket->written)
            log_error("%s", why.text);
        written = written && bucket->written;
    }
    return written;
}

static bool summarize(const struct explore_report *report)
{
    struct buf text = {0};
    explore_report_markdown(report, &text);
    bool written = publish_step_summary(&text);
    buf_release(&text);
    return written;
}

bool explore_output(const struct explore_report *report, enum report_format format, bool files)
{
    static void (*const formats[])(const struct explore_report *report,
                                   struct buf *out) = {[FORMAT_TEXT] = explore_report_text,
                                                       [FORMAT_JSON] = explore_report_json,
                                                       [FORMAT_TAP] = explore_report_tap,
                                                       [FORMAT_GITHUB] = explore_report_github};
    static const struct {
        const char *name;
        void (*write)(const struct explore_report *report, struct buf *out);
    } documents[] = {{"explore.html", explore_report_html},
                     {"explore.json", explore_report_json},
                     {"junit.xml", explore_report_junit}};
    bool written = format != FORMAT_GITHUB || summarize(report);
    struct buf text = {0};
    formats[format](report, &text);
    fputs(buf_string(&text), stdout);
    for (size_t i = 0; files && i < sizeof documents / sizeof documents[0]; i++) {
        struct err_text why = {0};
        char *path = mem_printf("%s/%s", report->directory, documents[i].name);
        buf_clear(&text);
        documents[i].write(report, &text);
        if (output_write(path, &text, &why) != ERR_OK) {
            log_error("--report: %s", why.text);
            written = false;
        }
        free(path);
    }
    buf_release(&text);
    return written;
}
