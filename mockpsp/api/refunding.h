/* Giving money back: the one place where refunds are made, for both faces. */
#ifndef REFUNDING_H
#define REFUNDING_H

#include "exchange.h"
#include "refund.h"

/* Gives REFUND, whose charge, amount (0: all that is left), reason and metadata are filled in, back
 * inside the open transaction: gives it its id and time, writes it to the ledger, notes the effect
 * and tells of it. When the charge cannot give so much, nothing happens and the reply says why. */
enum err refunding_give(struct exchange *x, struct refund *refund) MUST_CHECK;

#endif
