/* The answer that comes after the webhooks: an exchange waits until whoever wants to be told of
 * what it caused has been told. */
#ifndef EARLY_H
#define EARLY_H

#include "exchange.h"

#include <stdint.h>

/* X, which stands at a failpoint, goes on when every event that it caused has been sent once to
 * whoever wants it, and answered or not; or in MS milliseconds. */
void early_wait(struct exchange *x, int64_t ms);

/* An event has been sent: those that have waited for it go on. CORE is a struct core. */
void early_look(void *core);

#endif
