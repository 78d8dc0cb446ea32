/* Payment methods as other resources use them: named in a parameter, checked, saved for a customer.
 */
#ifndef METHODS_H
#define METHODS_H

#include "cause.h"
#include "exchange.h"
#include "payment_method.h"

#include <stdbool.h>

/* What the parameter NAME names: a payment method of the account, or a test card by method, token
 * or number (METHOD has no id then). Absent or "" leaves METHOD zeroed. False after refusing: no
 * such one, or one that was detached. Released by the caller either way. */
bool methods_read(struct exchange *x, const char *name, struct payment_method *method);

/* Whether what NAME names (nothing will do) may be used for CUSTOMER (NULL: for nobody in
 * particular): one that is saved for a customer is for that one only. False after refusing. */
bool methods_check(struct exchange *x, const char *name, const char *customer);

/* What CUSTOMER (NULL: nobody) has as default_source; leaves METHOD zeroed when there is none.
 * False after replying that the database failed. Released by the caller either way. */
bool methods_default(struct exchange *x, const char *customer, struct payment_method *method);

/* Whether the payment method ID (NULL: none of the account) has not been spent in the meantime.
 * False after refusing. */
bool methods_ready(struct exchange *x, const char *id);

/* Whether the payment method ID (NULL: none of the account) may not be used again, because it was
 * detached or used up while a customer was asked to authenticate. */
enum err methods_gone(const struct cause *cause, const char *id, bool *gone) MUST_CHECK;

/* The id that NAME holds, when it names a payment method of the account, as methods_read has found;
 * NULL when it is a test card, or absent. Borrowed. */
const char *methods_own(const struct exchange *x, const char *name);

/* Whether METHOD can be saved for CUSTOMER (NULL: one that is being made). The issuer is asked; a
 * decline, or one that belongs to somebody already, is replied. */
bool methods_may_attach(struct exchange *x, const struct payment_method *method,
                        const char *customer);

/* Does it, in the open transaction, for CUSTOMER or (NULL) for nobody in particular: a test card
 * becomes a payment method of its own, with an id. A customer who has been deleted gets none,
 * and one that was detached stays so. */
enum err methods_save(const struct cause *cause, struct payment_method *method,
                      const char *customer) MUST_CHECK;

/* METHOD is taken from its customer, whose defaults forget it. */
enum err methods_detach(struct exchange *x, struct payment_method *method) MUST_CHECK;

/* As clients see it; owned by the caller. */
struct json *methods_render(const struct payment_method *method);

#endif
