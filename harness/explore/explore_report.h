/* What an exploration came to, for a person, a program and a pipeline. */
#ifndef EXPLORE_REPORT_H
#define EXPLORE_REPORT_H

#include "buf.h"
#include "exploration.h"
#include "verdict.h"

#include <stdbool.h>
#include <stdint.h>

struct explore_report {
    const struct exploration *exploration;
    struct coverage coverage;
    enum verdict verdict;
    const char *why;    /* a sentence, when it is neither pass nor fail; or NULL */
    const char *again;  /* the command that explores the same; or NULL */
    const char *before; /* of the command that plays a regression file, see regression.h */
    const char *after;
    const char *directory; /* where its files are, or NULL */
    int required;          /* percent of coverage; -1: nobody asked */
};

/* The verdict and the reason of REPORT, from the rest of it. WHY goes there, as long as it. */
void explore_report_judge(struct explore_report *report, struct buf *why);

/* Each appends the whole document. */
void explore_report_text(const struct explore_report *report, struct buf *out);
void explore_report_json(const struct explore_report *report, struct buf *out);
void explore_report_tap(const struct explore_report *report, struct buf *out);
void explore_report_github(const struct explore_report *report, struct buf *out); /* and text */
void explore_report_markdown(const struct explore_report *report, struct buf *out);
void explore_report_html(const struct explore_report *report, struct buf *out);
void explore_report_junit(const struct explore_report *report, struct buf *out);

#endif
