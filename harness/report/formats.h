/* A whole run, written for whoever wants to read it: a person, a pipeline, a program. */
#ifndef FORMATS_H
#define FORMATS_H

#include "buf.h"
#include "err.h"
#include "result.h"
#include "summary.h"

#include <stddef.h>
#include <stdint.h>

/* X(constant, name): what is printed to stdout */
#define REPORT_FORMAT_LIST(X)                                                                      \
    X(FORMAT_TEXT, "text") X(FORMAT_JSON, "json") X(FORMAT_TAP, "tap") X(FORMAT_GITHUB, "github")

#define REPORT_FORMAT_ENUM(constant, name) constant,
enum report_format { REPORT_FORMAT_LIST(REPORT_FORMAT_ENUM) FORMAT_COUNT };
#undef REPORT_FORMAT_ENUM

/* ERR_INVALID names the right ones. */
enum err report_format_parse(const char *text, enum report_format *format,
                             struct err_text *why) MUST_CHECK;

struct report_entry {
    const struct result *result;
    const char *replay; /* the command that plays it again */
};

/* Everything in it is borrowed. */
struct report {
    const struct report_entry *entries;
    size_t count;
    struct totals totals;
    uint64_t seed;
    int64_t took_ms;
    const char *unit; /* what a result is of: "scenario", "account" */
};

/* Each appends the whole document.
 *
 * Text: what went wrong, in whole stories, and the sum; the line of each scenario is told before,
 * as it ends (summary.h). JSON: see document.h. TAP: version 14, a line per scenario, the reasons
 * as YAML below; whatever is no pass is "not ok". JUnit: a test case per scenario, with distinct
 * names; what is inconclusive or broken is an <error>, with the whole story in its body. HTML: one
 * file without any other. */
void report_text(const struct report *report, struct buf *out);
void report_json(const struct report *report, struct buf *out);
void report_tap(const struct report *report, struct buf *out);
void report_junit(const struct report *report, struct buf *out);
void report_html(const struct report *report, struct buf *out);

/* Commands of GitHub Actions: an annotation per distinct cause, at the scenario; ten of them at
 * most, because no more are shown. */
void report_github(const struct report *report, struct buf *out);

/* For $GITHUB_STEP_SUMMARY: at most 1 MiB. */
void report_markdown(const struct report *report, struct buf *out);

/* "f10_worker_killed", and "f10_worker_killed (paypal)" where it was played in several dialects. */
void report_name(const struct result *result, struct buf *out);

#endif
