/* What becomes of a Checkout Session: the customer pays, or does not, or its time passes. No
 * request causes it. */
#ifndef CHECKOUT_H
#define CHECKOUT_H

#include "card.h"
#include "cause.h"
#include "charge.h"
#include "checkout_session.h"

#include <stdbool.h>
#include <stdint.h>

/* As clients see it; owned by the caller. */
struct json *checkout_render(const struct checkout_session *session);

/* The customer fills the page of session ID in with CARD: the money is taken by an intent (or the
 * card saved, in mode setup), and the session is COMPLETE; or the card is declined, and it stays
 * OPEN. Commits that. ACCOUNT NULL: of any. *OBJECT is the session, owned by the caller, NULL on
 * every error. ERR_NOT_FOUND: no such session; ERR_INVALID: it is not open, or takes no such CARD.
 */
enum err checkout_complete(struct core *core, const char *account, const char *id,
                           const struct card *card, struct json **object) MUST_CHECK;

/* CHARGE, of an intent, was captured or has settled: the session to which the intent belongs, if
 * one does, follows, and tells of it when a bank had taken its time. */
enum err checkout_follow(const struct cause *cause, const struct charge *charge) MUST_CHECK;

/* Ends SESSION, which is OPEN, and tells of it. */
enum err checkout_expire(const struct cause *cause, struct checkout_session *session) MUST_CHECK;

/* Ends the sessions whose time has passed, each in a transaction of its own. *NEXT_MS is when the
 * next one is due (clock_now_ms), 0: none is. */
enum err checkout_expire_due(struct core *core, int64_t *next_ms) MUST_CHECK;

#endif
