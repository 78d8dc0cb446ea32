/* One attempt to deliver an event, from the question what faults do to it, over the writing down of
 * what they do, to the receiver's answer. */
#ifndef PARCEL_H
#define PARCEL_H

#include "clock.h"
#include "delivery.h"
#include "err.h"
#include "fault_source.h"
#include "journal.h"
#include "live.h"
#include "loop.h"
#include "post.h"
#include "store.h"

/* What the parcels of one sender share. All is borrowed but the poster. */
struct office {
    struct store *store;
    struct journal *journal;
    struct clock *clock;         /* waits pass on it */
    struct clock_source machine; /* and signatures are dated by this one: see sender.h */
    struct loop *loop;
    const struct live_faults *live;
    struct fault_source faults; /* where no live one is in force */
    struct poster *poster;      /* NULL before the first post */
};

struct parcel;

/* Told once, inside parcel_send or later, and frees the parcel: the attempt has been made, or there
 * is none for the time being. An error is the database's: the delivery stays due. */
typedef void parcel_over(void *context, struct parcel *parcel, enum err err);

/* Takes DELIVERY over, which is due, and leaves it zeroed. */
struct parcel *parcel_new(struct office *office, struct delivery *delivery, parcel_over *over,
                          void *context);
void parcel_send(struct parcel *parcel);

const struct delivery *parcel_delivery(const struct parcel *parcel);

/* Ends what is under way; nobody is told. */
void parcel_free(struct parcel *parcel);

#endif
