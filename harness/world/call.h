/* The requests at the provider: whose order each is for, and what shall happen to it. */
#ifndef CALL_H
#define CALL_H

#include "attempt.h"
#include "psp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world;

/* A request, from its arrival until the provider has done with it. Kept for the whole run. */
struct call {
    struct attempt attempt; /* with the harness's idea of its order */
    bool open;              /* the provider may still ask about it; a copy: not ended yet */
    bool answered;          /* its ok, fail or info has been seen */
    bool last_answer;       /* the provider dies once this one is answered, not before */
    bool lingers;     /* late, delayed or early: it goes on, whether its client lives or not */
    unsigned crashed; /* bits of failpoints where the harness itself struck */
    char *held;       /* "hang at after_commit": what was done to it last, or NULL */
};

/* The harness itself does ACTION: the provider's own journal does not know of the fault. */
void call_struck(struct world *world, struct call *call, enum failpoint at,
                 const struct action *action);

struct psp_handlers call_handlers(struct world *world);
size_t calls_open(const struct world *world);

/* A request is being handled that will be over soon, now that no client lives: it neither lingers
 * nor waits for a crash to run its course. */
bool calls_are_ending(const struct world *world);
void calls_release(struct world *world);

#endif
