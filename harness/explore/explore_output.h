/* Where the report of an exploration goes. */
#ifndef EXPLORE_OUTPUT_H
#define EXPLORE_OUTPUT_H

#include "exploration.h"
#include "explore_report.h"
#include "formats.h"
#include "regression.h"

#include <stdbool.h>

#define EXPLORE_MEMORY "trials.jsonl"

/* Writes a scenario file for each finding of EXPLORATION that has none into DIRECTORY. False when
 * one cannot be written, which is logged. */
bool explore_output_findings(struct exploration *exploration, const char *directory,
                             struct regression_command command);

/* Prints REPORT in FORMAT (for github the Markdown goes to $GITHUB_STEP_SUMMARY), and writes
 * explore.html, explore.json and junit.xml into its directory, when FILES. False when something
 * could not be written, which is logged. */
bool explore_output(const struct explore_report *report, enum report_format format, bool files);

#endif
