/* Sends what is due, over libcurl in the provider's own event loop. What is under way is remembered
 * nowhere but here: a kill leaves it due, and it is sent again. */
#ifndef SENDER_H
#define SENDER_H

#include "parcel.h"

struct sender;

/* What is in OFFICE is borrowed. Waits between attempts pass on its clock; signatures are dated by
 * the machine, for the receiver holds them against its own time (it refuses what is older than 300
 * s), which nobody moves when the provider's clock is moved. libcurl is not started before
 * something is due. TOLD (NULL: nobody) is called whenever an attempt is over. */
struct sender *sender_new(struct office office, void (*told)(void *context), void *context);

/* Says that something may be due: an event was written, or the clock was moved. It is looked for in
 * a later turn of the loop, when the transaction under way has ended. NULL is fine. */
void sender_poke(struct sender *sender);

/* Looks at once, and not in the middle of a transaction: whatever is due has been asked about when
 * it returns, as far as there is room for it. */
void sender_look(struct sender *sender);

/* How many are being decided about, or sent and not answered yet. */
int sender_under_way(const struct sender *sender);

/* Ends what is under way. NULL is fine. */
void sender_free(struct sender *sender);

#endif
