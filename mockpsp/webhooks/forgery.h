/* A forged event: what somebody sends who knows a receiver's URL and not its secret. */
#ifndef FORGERY_H
#define FORGERY_H

#include "json.h"

/* Makes EVENT, as clients see it, claim that what it is about has succeeded, if such a thing can
 * succeed. Its id stays: a receiver that remembers ids before it verifies takes the real event,
 * which comes next, for one that it knows. */
void forgery_make(struct json *event);

/* Another secret than SECRET; to be freed. */
char *forgery_secret(const char *secret);

#endif
