/* One request at a time works on an object: from the key gate to its commit a request holds the
 * payment that it speaks of, and another one that wants the same is told to come back (429
 * lock_timeout). Source: STRIPE_FACTS §1, "object locked". */
#ifndef LOCKS_H
#define LOCKS_H

#include "exchange.h"

/* Takes the object of X's path or parameters, if it writes. False after replying that another
 * request has it. */
bool locks_take(struct exchange *x);

/* Whoever comes next may have it. Without a lock, does nothing. */
void locks_release(struct exchange *x);

#endif
