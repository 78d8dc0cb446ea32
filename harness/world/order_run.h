/* The client processes of an order: started one after the other, listened to, taken at their word.
 */
#ifndef ORDER_RUN_H
#define ORDER_RUN_H

#include "claim.h"
#include "order.h"
#include "proc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct world;

struct order_run {
    struct world *world;
    const struct order *order;
    struct proc *proc;    /* NULL while no client runs */
    bool leaving;         /* it has ended, and the provider is still busy with what it sent */
    struct proc_end end;  /* from then on */
    size_t drained_calls; /* how many requests had come when the provider was told to drain */
    uint64_t queued;      /* place in the queue, 0 when it does not wait to be started */
    int runs;             /* started so far */
    enum outcome outcome; /* what its last run came to */
    int killed_by;        /* the signal that a crash sent to this run, 0 when none */
    struct claim said;    /* the last claim that this run printed */
    char *misread;        /* what is wrong with a claim that cannot be read, or NULL */
    size_t lines;         /* how many it printed */
    char *last_words;     /* its last line on stderr, or NULL */
    FILE *log;
};

bool order_run_is_settled(const struct order_run *run);

/* Its client runs, or is leaving. */
bool order_run_is_there(const struct order_run *run);

/* Wants one more run of its client, after everybody who waits already. */
void order_run_queue(struct order_run *run);

/* Starts the next in the queue, unless a client runs or is being killed, or the provider is down.
 */
void order_runs_next(struct world *world);

/* Something that an ended client, or the next one, may be waiting for has happened at the provider.
 */
void order_runs_progress(struct world *world);

/* A client runs, or waits to. */
bool order_runs_busy(const struct world *world);

/* The one whose client runs or is leaving, when it is exactly one; else NULL. */
struct order_run *order_runs_alone(const struct world *world);

struct order_run *order_run_find(const struct world *world, const char *order);

/* Kills and forgets every client without another word. */
void order_runs_release(struct world *world);

#endif
