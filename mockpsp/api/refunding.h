/* Giving money back: the one place where refunds are made, for both faces. */
#ifndef REFUNDING_H
#define REFUNDING_H

#include "cause.h"
#include "exchange.h"
#include "refund.h"

/* Gives REFUND, whose charge, amount (0: all that is left), reason and metadata are filled in, back
 * inside the open transaction: gives it its id and time, writes it to the ledger, notes the effect
 * and tells of it. When the charge cannot give so much, nothing happens and the reply says why. */
enum err refunding_give(struct exchange *x, struct refund *refund) MUST_CHECK;

/* The time of a refund has come: what is pending arrives, what had arrived is sent back. */
enum err refunding_settle(struct cause *cause, const char *id) MUST_CHECK;

/* Takes REFUND back, which may be moved to TO (FAILED for REASON, CANCELED for none): its money
 * returns to the merchant, which is noted and told of. */
enum err refunding_undo(struct cause *cause, struct refund *refund, enum refund_state to,
                        const char *reason) MUST_CHECK;

#endif
