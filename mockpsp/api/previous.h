/* previous_attributes: what an update has changed. Source: Stripe, "The Event object". */
#ifndef PREVIOUS_H
#define PREVIOUS_H

#include "json.h"

/* The members of BEFORE that are not the same in AFTER, both objects as clients see them; of
 * objects in them (metadata, an address) only what differs there. A member that was not there is
 * null. Owned by the caller. */
struct json *previous_attributes(const struct json *before, const struct json *after);

#endif
