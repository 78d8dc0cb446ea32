/* From a journal to verdicts, one per account: what two accounts call order_1 are two orders. */
#ifndef JUDGE_HISTORY_H
#define JUDGE_HISTORY_H

#include "history.h"
#include "judge_claims.h"
#include "result.h"

#include <stdbool.h>
#include <stddef.h>

struct judge_rules {
    bool strict; /* what only warns fails */
    bool calm;   /* a journal without a fault is fine */
};

/* Judges EVENTS of each account that has sent a request in it, or (not NULL) of ACCOUNT alone. The
 * results, COUNT of them, are the caller's: result_release each, and free the array. SOURCE is
 * where they are from. Requests without an account have one where they violate something. Without
 * anybody's request there is one result, inconclusive. */
struct result *judge_history(const struct history *events, const struct judge_claims *claims,
                             const char *account, const char *source, struct judge_rules rules,
                             size_t *count);

#endif
