/* Results on a terminal: a line for every scenario, the story of every failure, the sum. What a
 * client sent, or a scenario is called, does nothing there (see printable.h). */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "buf.h"
#include "result.h"

#include <stdbool.h>
#include <stddef.h>

/* How many runs came to each verdict. */
struct totals {
    size_t of[VERDICT_COUNT];
};

void totals_add(struct totals *totals, enum verdict verdict);

/* The exit status: that of the worst verdict; of none at all, that of inconclusive. */
int totals_status(const struct totals *totals);

/* "FAIL  f10_worker_killed  the worker dies …  [charged_once]" with its newline; what
 * only warns stands in round brackets. */
void summary_line(const struct result *result, bool colour, struct buf *out);

/* What the client has to mend, where more than one of RESULTS failed: each cause once, how often,
 * and where first. Nothing otherwise: the one story has said it. */
void summary_causes(const struct result *const *results, size_t count, const char *unit,
                    struct buf *out);

/* What only warns, each invariant once: how often, and the first example. Nothing when there is
 * none. */
void summary_warnings(const struct result *const *results, size_t count, const char *unit,
                      struct buf *out);

/* What is wrong, the story behind it, where to look, and REPLAY, the command that shows it again.
 * Nothing for a pass, unless its box was kept. */
void summary_details(const struct result *result, const char *replay, struct buf *out);

/* "11 scenarios: 9 passed, 2 failed (3.2 s)" with its newline, where UNIT is "scenario". */
void summary_totals(const struct totals *totals, const char *unit, int64_t took_ms,
                    struct buf *out);

#endif
