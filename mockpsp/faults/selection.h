/* Which requests a fault means: what it has seen of them, and what it decides about one more. What
 * is asked in which order is in schedule_source.h. */
#ifndef SELECTION_H
#define SELECTION_H

#include "attempt.h"
#include "buf.h"
#include "draws.h"
#include "fault_rule.h"
#include "tally.h"

#include <stdbool.h>
#include <stdint.h>

/* One rule's. A zeroed one has seen nothing. Each number counts some of those in the line above. */
struct selection {
    uint64_t fitted;  /* requests that are what it speaks of */
    uint64_t in_time; /* between its from and to */
    uint64_t counted; /* its `when` said yes, or there is none */
    uint64_t chosen;  /* its attempt, nth and burst fit */
    uint64_t meant;   /* its chance came */
    uint64_t struck;
    int64_t latest_ms; /* when the latest that fitted came */
    struct tally orders;
    struct tally per;
};

/* What a rule decided about a request. */
struct decision {
    bool meant;
    uint64_t
        of_order; /* which of the counted requests of its order it was; 0: nobody has to know */
};

/* Whether ATTEMPT, received ELAPSED_MS after the start, is one to be counted as far as data tells.
 */
bool selection_fits(struct selection *selection, const struct fault_rule *rule,
                    const struct attempt *attempt, int64_t elapsed_ms);

/* Counts ATTEMPT, which fits rule NUMBER, and decides. */
struct decision selection_count(struct selection *selection, const struct fault_rule *rule,
                                uint64_t number, const struct attempt *attempt,
                                const struct draws *draws);

/* For a person, about a rule that has not struck, why not: "no such request came". */
void selection_explain(const struct selection *selection, const struct fault_rule *rule,
                       uint64_t seed, struct buf *out);

void selection_release(struct selection *selection);

#endif
