/* An exploration: the space as far as it was played, the walks beyond it, and what was found. A
 * pure function of what its laboratory knows or plays. */
#ifndef EXPLORATION_H
#define EXPLORATION_H

#include "bucket.h"
#include "coverage.h"
#include "lab.h"
#include "random.h"
#include "space.h"

#include <stdbool.h>
#include <stdint.h>

struct exploration_options {
    struct space_options space;
    bool random;
    int64_t deadline_us; /* as the lab's; 0: none */
    size_t most;
    /* Something new was found, or a level is over; may be NULL. */
    void (*changed)(void *context);
    void *context;
};

struct exploration {
    struct exploration_options options;
    struct lab *lab;
    struct space space;
    struct random_walks walks;
    struct bucket_list found;
    bool complete; /* all of the space was played, but for what is skipped */
    bool shrinks;  /* at the moment */
    int64_t took_ms;
};

void exploration_run(struct exploration *exploration, struct lab *lab,
                     const struct exploration_options *options);
void exploration_release(struct exploration *exploration);

/* How many nodes ended in END; those of END not_run that were not skipped. */
size_t exploration_count(const struct exploration *exploration, enum trial_end end);
/* How many have ROLE. */
size_t exploration_role(const struct exploration *exploration, enum node_role role);

/* The first node that ended in END, with its trial; NULL when none did. */
const struct node *exploration_first(const struct exploration *exploration, enum trial_end end);

#endif
