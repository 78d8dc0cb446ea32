/* A world: one run of one scenario in a box of its own, with its own provider, clients, clock and
 * seed, from an empty database to a verdict. */
#ifndef WORLD_H
#define WORLD_H

#include "result.h"
#include "scenario.h"

#include <stdbool.h>
#include <stdint.h>

struct client_file;

struct world_options {
    struct client_file *client; /* NULL: the client is COMMAND */
    char *const *command;       /* and its arguments, ends with NULL; see client.h */
    const char *prepared;       /* what state directories begin as; NULL: empty */
    uint64_t seed;
    int orders;                    /* 0: as the scenario says, or one */
    const struct dialect *dialect; /* NULL: as the scenario says, or Stripe v1 */
    int restarts;       /* how often a client whose outcome is unknown is started again */
    int64_t timeout_ms; /* after that everything is killed */
    bool strict;        /* what only warns fails */
    unsigned without;   /* invariants that are not looked at, a bit for each */
    bool keep;          /* the box, also when the run passed */
    bool discard;       /* the box, also when it did not */
    bool trace;         /* fill the result's trace */
    bool may_give_up;   /* an order that is given up says something: it has been seen, in another
                           world, that the client pays */
    /* Told where the box is as soon as it is there, in case nothing else will be heard; may be
     * NULL. PATH is borrowed. */
    void (*boxed)(void *context, const char *path);
    void *context;
};

/* For whoever forks a process per world: makes what all of them begin with, once. */
void world_prepare(void);

/* For a process that plays one world after the other: a provider that has seen its world to the end
 * serves the next one, and whoever watched over a client watches over the next, until
 * world_reuse_end. They are the children that a run may leave. */
void world_reuse(void);
void world_reuse_end(void);

/* Plays SCENARIO to its end and fills RESULT, which is zeroed and owned by the caller. Never fails
 * in any other way than by a verdict. The process becomes a subreaper, has SIGINT and SIGTERM
 * blocked (they end the world early), and loses every child that the run brought. */
void world_run(struct scenario *scenario, const struct world_options *options,
               struct result *result);

#endif
