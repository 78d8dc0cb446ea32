/* How a run of an order is done, one way per shape of client. */
#ifndef SHAPE_H
#define SHAPE_H

#include <stdbool.h>

struct order_run;
struct world;

struct shape {
    /* Starts what has to be there before the first run. May end the world. NULL: nothing. */
    void (*open)(struct world *world);
    /* Whether runs may begin. NULL: always. */
    bool (*is_ready)(const struct world *world);
    /* Begins runs of what is in the queue, which is not empty; no run is under way. */
    void (*start)(struct world *world);
    /* A worker has had the job of RUN, which is under way, for too long: it is given to another one
     * as well (job_deliver_again), unless nobody is at work for it any more. NULL: it cannot be. */
    void (*again)(struct order_run *run);
    /* Something that it may be waiting for has happened. NULL: it never waits. */
    void (*progress)(struct world *world);
    /* Frees what it keeps, before the processes. NULL: nothing. */
    void (*release)(struct world *world);
};

extern const struct shape shape_command; /* a process, or several at once, for each order */
extern const struct shape shape_batch;   /* one for all that wait, on its stdin */
extern const struct shape shape_service; /* one that listens, for all of them */

#endif
