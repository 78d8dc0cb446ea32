/* What chance and time are to a fault source: a seed, and a clock.
 *
 * A draw depends on the seed and on what it is for, never on who came first: the second request of
 * an order gets the same number whatever other orders do meanwhile. */
#ifndef DRAWS_H
#define DRAWS_H

#include "action.h"
#include "clock.h"
#include "rng.h"

#include <stdint.h>

struct draws {
    uint64_t seed;
    struct clock_source clock; /* the provider's; .now_ms NULL: no time passes */
    int64_t start_ms;          /* on that clock, where time counts from */
};

/* From now on. */
struct draws draws_from_now(uint64_t seed, struct clock_source clock);

/* Milliseconds since the start, at least 0. */
int64_t draws_elapsed_ms(const struct draws *draws);

/* What is drawn for. */
struct draw {
    uint64_t rule;     /* its number in the list */
    const char *order; /* NULL: of no order */
    uint64_t nth;      /* which of the requests that the rule counts for that order */
    uint64_t what;     /* several draws for one request are told apart by this */
};

/* Where the numbers for DRAW come from. */
struct rng draws_rng(const struct draws *draws, const struct draw *draw);

/* ACTION with its duration drawn, where it is to be. Borrows everything else of it. FROM_MS: where
 * the time of its rule begins. */
struct action draws_settle(const struct draws *draws, const struct draw *draw, int64_t from_ms,
                           const struct action *action);

#endif
