/* What a client says of its orders once everything is over: a claim may change its mind. */
#ifndef LAST_CLAIMS_H
#define LAST_CLAIMS_H

#include <stdbool.h>

struct world;

/* Asks for every order that was claimed; those that say something else than before are in the
 * history when last_claims_are_in holds. Does nothing when the client file has no claim(order). */
void last_claims_ask(struct world *world);
bool last_claims_are_in(const struct world *world);
void last_claims_release(struct world *world);

#endif
