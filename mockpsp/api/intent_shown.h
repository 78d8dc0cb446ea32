/* What a PaymentIntent is told and shows again, without its meaning anything to a test provider:
 * where things are sent, what a bank statement says, which ways to pay the page offers. */
#ifndef INTENT_SHOWN_H
#define INTENT_SHOWN_H

#include "card.h"
#include "exchange.h"
#include "intent.h"

#include <stdbool.h>

/* Lays what the request says over INTENT. False after refusing. */
bool intent_shown_read(struct exchange *x, struct intent *intent);

/* Reads payment_method_types into TYPES, an array. False after refusing a word that is none. */
bool intent_shown_read_types(struct exchange *x, struct json *types);

/* Whether INTENT can be paid with CARD (NULL: not known yet), as far as its payment_method_types
 * were given. If not, it has replied 400. */
bool intent_shown_takes(struct exchange *x, const struct intent *intent, const struct card *card);

/* Puts its members into JSON, the intent as clients see it. */
void intent_shown_render(const struct intent *intent, struct json *json);

#endif
