/* Taking money: the one place where a charge is made, for PaymentIntents and Charges alike. */
#ifndef PAYMENT_H
#define PAYMENT_H

#include "charge.h"
#include "exchange.h"

/* Makes CHARGE of what the caller has filled in (amount, currency, card, and what it is for),
 * inside the open transaction: gives it its id and time, asks the issuer (a fault may answer for
 * it), writes it to the ledger, and notes the effect if money moved. The caller releases CHARGE. */
enum err payment_take(struct exchange *x, struct charge *charge) MUST_CHECK;

/* Replies 402 for a declined CHARGE. INTENT, the whole object, may be NULL and is taken over. */
void payment_declined(struct exchange *x, const struct charge *charge, struct json *intent);

#endif
