/* Where a report goes: stdout, files, and what a pipeline has given for it. */
#ifndef PUBLISH_H
#define PUBLISH_H

#include "formats.h"

#include <stdbool.h>

/* Prints REPORT in FORMAT, and writes report.html, report.json and junit.xml into DIRECTORY (NULL:
 * nowhere; it is there, see output_prepare). For github the Markdown goes to $GITHUB_STEP_SUMMARY.
 * False when something could not be written, which is logged. */
bool publish(const struct report *report, enum report_format format, const char *directory);

/* Adds MARKDOWN to $GITHUB_STEP_SUMMARY; outside of GitHub's runners there is no such place. False
 * when it cannot be written, which is logged. */
bool publish_step_summary(const struct buf *markdown);

#endif
