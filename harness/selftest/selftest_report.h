/* What the examinations came to, for a person and a program. */
#ifndef SELFTEST_REPORT_H
#define SELFTEST_REPORT_H

#include "buf.h"
#include "examination.h"
#include "json.h"
#include "selftest_cases.h"
#include "selftest_options.h"

#include <stdbool.h>
#include <stddef.h>

struct selftest_report {
    const struct selftest_options *options;
    const struct selftest_cases *cases;
    const struct examination *items; /* of those that were chosen */
    size_t count;
    size_t chosen; /* how many were to be examined */
};

/* A client, as the list has it: "found  naive.sh: charged_once, no idempotency key was sent". */
void selftest_report_case(const struct selftest_case *one, struct buf *out);

/* A line of one examination. */
void selftest_report_line(const struct examination *examination, struct buf *out);

/* How many came to what, and what that leaves unsaid. */
void selftest_report_end(const struct selftest_report *report, struct buf *out);

/* The whole document. */
void selftest_report_json(const struct selftest_report *report, struct buf *out);

/* See selftest_command. WHY, when it is 3, a sentence; or nothing. */
int selftest_report_status(const struct selftest_report *report, struct buf *why);

#endif
