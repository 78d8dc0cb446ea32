/* Taking money: the one place where charges are made and end, for every face of the provider and
 * for the clock. All of it inside the open transaction. */
#ifndef PAYMENT_H
#define PAYMENT_H

#include "cause.h"
#include "charge.h"
#include "exchange.h"

/* Makes CHARGE of what the caller has filled in (amount, currency, card, and what it is for): gives
 * it its id and time, asks the issuer (a fault may answer for it), writes it to the ledger, and
 * notes the effect if money moved. Afterwards its state is CAPTURED, PENDING (a bank account: see
 * settle.h) or FAILED. The caller releases CHARGE. */
enum err payment_take(struct exchange *x, struct charge *charge) MUST_CHECK;

/* The same, but the money is only set aside: AUTHORIZED in place of CAPTURED, which is no effect.
 */
enum err payment_authorize(struct exchange *x, struct charge *charge) MUST_CHECK;

/* The same for a CAUSE that may be none, after the customer has authenticated. */
enum err payment_take_authenticated(struct cause *cause, struct charge *charge,
                                    bool authorize) MUST_CHECK;

/* Takes AMOUNT of an AUTHORIZED charge, or all of a PENDING one, and notes the effect: a `capture`,
 * or a `charge`. */
enum err payment_capture(struct cause *cause, struct charge *charge, int64_t amount) MUST_CHECK;

/* What was set aside for an AUTHORIZED charge is free again. */
enum err payment_release(struct cause *cause, struct charge *charge) MUST_CHECK;

/* The bank says no to a PENDING charge, for REASON. */
enum err payment_fail(struct cause *cause, struct charge *charge, const char *reason) MUST_CHECK;

/* Replies 402 for a declined CHARGE. INTENT, the whole object, may be NULL and is taken over. */
void payment_declined(struct exchange *x, const struct charge *charge, struct json *intent);

#endif
