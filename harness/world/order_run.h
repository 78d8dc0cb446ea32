/* The fate of an order: run after run of its client, each taken at its word. How a run is done is
 * the business of the client's shape (shape.h). */
#ifndef ORDER_RUN_H
#define ORDER_RUN_H

#include "claim.h"
#include "claiming.h"
#include "job_queue.h"
#include "order.h"

#include <stdbool.h>
#include <stdint.h>

struct world;

struct order_run {
    struct world *world;
    const struct order *order;
    bool under_way;       /* one of its runs is, until its claim is in the history */
    uint64_t queued;      /* place in the queue, 0 when it does not wait to be started */
    bool clock_seen;      /* of who called in this run, see client_clock.h */
    bool asked_for;       /* the next run is one that the scenario asked for: a job delivered */
    int runs;             /* begun so far */
    enum outcome outcome; /* what its last run came to */
    struct job job;       /* see job_queue.h */
    struct claim said;    /* the last claim that a line of this run made */
    char *misread;        /* what is wrong with a claim that cannot be read, or NULL */
    char *last_words;     /* of a process of it, on stderr, or NULL */
    struct claiming claiming;
    void *shape; /* what the client's shape keeps of it */
};

bool order_run_is_settled(const struct order_run *run);

/* Wants one more run of its client, after everybody who waits already. */
void order_run_queue(struct order_run *run);

/* The first in the queue, or NULL. */
struct order_run *order_runs_first(const struct world *world);

/* For the shape: a run of it begins; it is not in the queue any more. */
void order_run_begin(struct order_run *run);

/* For the shape: a process of the run wrote TEXT on stdout, which may be a claim. */
void order_run_said(struct order_run *run, const char *text);

/* How a claim came about. */
#define CLAIM_SOURCE_LIST(X)                                                                       \
    X(CLAIM_BY_EXIT, "exit")                                                                       \
    X(CLAIM_BY_LINE, "line")                                                                       \
    X(CLAIM_BY_CRASH, "crash")                                                                     \
    X(CLAIM_BY_CLAIM, "claim")

#define CLAIM_SOURCE_ENUM(constant, name) constant,
enum claim_source { CLAIM_SOURCE_LIST(CLAIM_SOURCE_ENUM) CLAIM_SOURCE_COUNT };
#undef CLAIM_SOURCE_ENUM

/* For the shape: the run is over, and this is what it came to. PAYMENT may be NULL. */
void order_run_end(struct order_run *run, enum outcome outcome, const char *payment,
                   enum claim_source by);

/* Starts what waits, unless a client runs or is being killed, or the provider is down. */
void order_runs_next(struct world *world);

/* A client runs, or waits to. */
bool order_runs_busy(const struct world *world);

/* The one that is under way, when it is exactly one; else NULL. */
struct order_run *order_runs_alone(const struct world *world);

struct order_run *order_run_find(const struct world *world, const char *order);

void order_runs_release(struct world *world);

#endif
