/* Worlds side by side: forked workers, so many of them, each with one world after the other.
 *
 * A worker that dies takes one verdict with it, never the run; when the run dies, or is told to,
 * every worker ends its world and leaves nothing behind. */
#ifndef CREW_H
#define CREW_H

#include "result.h"
#include "scenario.h"
#include "world.h"

#include <stdbool.h>
#include <stddef.h>

struct crew_job {
    struct scenario *scenario;     /* borrowed; NULL: the worker loads FILE */
    const char *file;              /* borrowed; only without a scenario */
    const struct dialect *dialect; /* NULL: as the options say */
    struct result result;          /* owned by whoever made the job */
    bool running;
    bool finished;
};

struct crew_options {
    const struct world_options *world;
    int workers;
    /* JOB, which has finished, may be looked into and emptied: thousands of histories are too much
     * to keep. NULL: nobody cares. */
    void (*finished)(void *context, struct crew_job *job);
    /* Some job has begun or finished. */
    void (*changed)(void *context);
    /* No other job shall begin: those that run may end. NULL: all of them begin. */
    bool (*enough)(void *context);
    void *context;
};

/* Plays every job, in their order. Returns 0, or the signal (SIGINT, SIGTERM) that ended it early.
 * The jobs that are not finished have no result. CLEAN is false when somebody of a client may still
 * run. */
int crew_run(struct crew_job *jobs, size_t count, const struct crew_options *options, bool *clean);

#endif
