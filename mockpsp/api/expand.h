/* expand[]=latest_charge.customer: ids replaced by the objects they name, up to four levels deep;
 * in lists with `data.` in front. Source: STRIPE_FACTS §4, "Lists". */
#ifndef EXPAND_H
#define EXPAND_H

#include "exchange.h"

#define EXPAND_DEEPEST 4

/* Refuses (400, and false) a path that KIND ("charge", "payment_intent", …) does not have. */
bool expand_check(struct exchange *x, const char *kind, bool list);

/* Expands OBJECT in place. Call it after expand_check. */
enum err expand_apply(struct exchange *x, struct json *object, bool list) MUST_CHECK;

#endif
