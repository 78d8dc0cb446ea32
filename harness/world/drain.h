/* Waiting until the history has what somebody did at the provider. */
#ifndef DRAIN_H
#define DRAIN_H

#include <stdbool.h>
#include <stddef.h>

struct world;

/* A zeroed one begins. */
struct drain {
    size_t calls; /* how many requests had come, and one, when the provider was told to drain */
};

/* What was sent is on its way through the kernel and the provider when its sender says that it is
 * done: that comes after all of it in the history, however fast either of them is. False while
 * there may be more of it: ask again when something has happened (see world_progress). What lingers
 * is not waited for: it goes on beside whoever comes next. */
bool drain_is_done(struct drain *drain, struct world *world);

#endif
