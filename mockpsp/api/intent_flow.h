/* What the operations on a PaymentIntent have in common, and how it follows its charge. */
#ifndef INTENT_FLOW_H
#define INTENT_FLOW_H

#include "cause.h"
#include "charge.h"
#include "intent.h"

/* Moves INTENT to where CHARGE, its latest one, has come, and tells of it. Does not write it.
 * RELEASED without anybody's asking: it is canceled as "automatic". */
enum err intent_flow_follow(const struct cause *cause, struct intent *intent,
                            const struct charge *charge) MUST_CHECK;

/* Tells merchants of what has become of INTENT, by its status. */
enum err intent_flow_tell(const struct cause *cause, const struct intent *intent) MUST_CHECK;

/* Asks the issuer for the money of INTENT, which REQUIRES_CONFIRMATION, moves INTENT, and replies
 * at once when the answer is no. Does not write it. OFF_SESSION: the customer is not there to
 * authenticate, which then is a decline. */
enum err intent_flow_confirm(struct exchange *x, struct intent *intent,
                             bool off_session) MUST_CHECK;

/* INTENT, which REQUIRES_ACTION, got its answer from the customer: GOOD, or not; what pays may be
 * gone by then, which is no answer. Does not write it. */
enum err intent_flow_authenticated(struct cause *cause, struct intent *intent,
                                   bool good) MUST_CHECK;

/* Whether CARD (NULL: not known yet) can be paid from in two steps, if MANUAL asks for that; if
 * not, it has replied 400. */
bool intent_flow_may_capture(struct exchange *x, const struct card *card, bool manual);

/* Reads setup_future_usage into INTENT: what it is paid with is saved for its customer. */
bool intent_flow_read_usage(struct exchange *x, struct intent *intent);

/* For check: whether the intent of the path is there; if not, it has replied 404. */
bool intent_flow_check_exists(struct exchange *x);

/* Replies 400: in its state nobody can VERB it. */
void intent_flow_refuse(struct exchange *x, const struct intent *intent, const char *verb);

/* Whether no open Checkout Session has INTENT: only its page may go on with it then. If one has, it
 * has replied 400: nobody else can VERB it. */
bool intent_flow_is_free(struct exchange *x, const struct intent *intent, const char *verb);

/* Replies with INTENT, unless something was replied already. */
enum err intent_flow_reply(struct exchange *x, const struct intent *intent) MUST_CHECK;

/* Loads the intent of the path and lets CHANGE do the rest, its writing and the reply included. */
enum err intent_flow_change(struct exchange *x,
                            enum err (*change)(struct exchange *x,
                                               struct intent *intent)) MUST_CHECK;

#endif
