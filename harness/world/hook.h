/* The webhooks of the provider: what shall happen to each delivery, asked before it is sent. */
#ifndef HOOK_H
#define HOOK_H

#include "attempt.h"
#include "event.h"

#include <stddef.h>
#include <stdint.h>

struct world;

/* What happens to ATTEMPT, a delivery? */
void hook_ask(struct world *world, const struct attempt *attempt);

/* The provider has decided about delivery NUMBER, and written it down. */
void hook_end(struct world *world, uint64_t number);

/* The order of the delivery of which EVENT, a fault, speaks; NULL when nobody can tell. */
const char *hook_order(const struct world *world, const struct event *event);

/* How many are being decided about. */
size_t hooks_open(const struct world *world);

/* The provider died: nothing is asked any more. */
void hooks_end(struct world *world);

#endif
