/* Sends what is due, over libcurl in the provider's own event loop. What is under way is remembered
 * nowhere but here: a kill leaves it due, and it is sent again. */
#ifndef SENDER_H
#define SENDER_H

#include "clock.h"
#include "loop.h"
#include "store.h"

struct sender;

/* All are borrowed. Waits between attempts pass on CLOCK; signatures are dated by MACHINE, for the
 * receiver holds them against its own time (it refuses what is older than 300 s), which nobody
 * moves when the provider's clock is moved. libcurl is not started before something is due. */
struct sender *sender_new(struct store *store, struct clock *clock, struct loop *loop,
                          struct clock_source machine);

/* Says that something may be due: an event was written, or the clock was moved. It is looked for in
 * a later turn of the loop, when the transaction under way has ended. NULL is fine. */
void sender_poke(struct sender *sender);

/* Ends what is under way. NULL is fine. */
void sender_free(struct sender *sender);

#endif
