/* What time and people outside do to payments that wait: a bank account's payment settles when the
 * provider's clock passes its time, a refund arrives or comes back, a customer authenticates, or
 * does not. No request causes it, so its effects and events have none. */
#ifndef SETTLE_H
#define SETTLE_H

#include "core.h"
#include "err.h"
#include "json.h"

#include <stdbool.h>

/* Settles what is due by now and ends the Checkout Sessions whose time has passed, each payment in
 * a transaction of its own, and sets a timer for the next one where the clock goes by itself. Call
 * it at the start, and whenever the clock was moved. No transaction may be open. A failure of the
 * database is logged and tried again. */
void settle_due(struct core *core);

/* A payment, or the end of a session, is going to be due at DUE_MS (clock_now_ms). */
void settle_expect(struct core *core, int64_t due_ms);

/* Before the loop ends: no more timers. */
void settle_stop(struct core *core);

/* Says what became of a PaymentIntent that is PROCESSING or REQUIRES_ACTION, of ACCOUNT or (NULL)
 * of any: the customer authenticated, the bank paid, or not. Commits that. *INTENT is the object as
 * clients see it, owned by the caller. ERR_NOT_FOUND: no such intent; ERR_INVALID: it does not wait
 * for anybody. *INTENT is NULL then, and on every other error. */
enum err settle_complete(struct core *core, const char *account, const char *id, bool good,
                         struct json **intent) MUST_CHECK;

/* The same for a payment of the plain face that is PROCESSING. */
enum err settle_complete_payment(struct core *core, const char *account, const char *id, bool good,
                                 struct json **payment) MUST_CHECK;

#endif
