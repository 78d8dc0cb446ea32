#include "publish.h"

#include "log.h"
#include "mem.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>

static bool write_file(const char *directory, const char *name, const struct buf *text)
{
    struct err_text why = {0};
    char *path = mem_printf("%s/%s", directory, name);
    enum err err = output_write(path, text, &why);
    if (err != ERR_OK)
        log_error("--report: %s", why.text);
    free(path);
    return err == ERR_OK;
}

/* The same run for a person, a program and a pipeline. */
static bool write_files(const struct report *report, const char *directory)
{
    static const struct {
        const char *name;
        void (*write)(const struct report *report, struct buf *out);
    } files[] = {
        {"report.html", report_html}, {"report.json", report_json}, {"junit.xml", report_junit}};
    bool written = true;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct buf text = {0};
        files[i].write(report, &text);
        written = write_file(directory, files[i].name, &text) && written;
        buf_release(&text);
    }
    return written;
}

bool publish_step_summary(const struct buf *markdown)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    struct err_text why = {0};
    if (path == NULL || *path == '\0')
        return true;
    enum err err = output_append(path, markdown, &why);
    if (err != ERR_OK)
        log_error("$GITHUB_STEP_SUMMARY: %s", why.text);
    return err == ERR_OK;
}

static bool summarize(const struct report *report)
{
    struct buf text = {0};
    report_markdown(report, &text);
    bool written = publish_step_summary(&text);
    buf_release(&text);
    return written;
}

bool publish(const struct report *report, enum report_format format, const char *directory)
{
    bool written = true;
    struct buf text = {0};
    switch (format) {
    case FORMAT_JSON:
        report_json(report, &text);
        break;
    case FORMAT_TAP:
        report_tap(report, &text);
        break;
    case FORMAT_GITHUB:
        report_text(report, &text);
        report_github(report, &text);
        written = summarize(report);
        break;
    case FORMAT_TEXT:
    case FORMAT_COUNT:
        report_text(report, &text);
        break;
    }
    fputs(buf_string(&text), stdout);
    buf_release(&text);
    return (directory == NULL || write_files(report, directory)) && written;
}
