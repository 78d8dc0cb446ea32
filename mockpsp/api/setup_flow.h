/* What becomes of a SetupIntent, whoever causes it: a request, or the customer at the control
 * plane. */
#ifndef SETUP_FLOW_H
#define SETUP_FLOW_H

#include "cause.h"
#include "setup_intent.h"

#include <stdbool.h>

/* Asks the issuer whether the card of INTENT, which REQUIRES_CONFIRMATION, may be saved: moves
 * INTENT and tells of it. DECLINE (may be NULL) is the issuer's answer, given by a fault. Does not
 * write INTENT, but saves the payment method. */
enum err setup_flow_confirm(struct cause *cause, struct setup_intent *intent,
                            const char *decline) MUST_CHECK;

/* INTENT, which REQUIRES_ACTION, got its answer from the customer: GOOD, or not. As above. */
enum err setup_flow_authenticated(struct cause *cause, struct setup_intent *intent,
                                  bool good) MUST_CHECK;

/* The same for the intent ID of ACCOUNT or (NULL) of any, in a transaction of its own: *OBJECT is
 * the intent as clients see it, owned by the caller, NULL on every error. ERR_NOT_FOUND: no such
 * intent; ERR_INVALID: it waits for nobody. */
enum err setup_flow_complete(struct core *core, const char *account, const char *id, bool good,
                             struct json **object) MUST_CHECK;

/* Tells merchants of what has become of INTENT, by its status. */
enum err setup_flow_tell(const struct cause *cause, const struct setup_intent *intent) MUST_CHECK;

/* As clients see it; owned by the caller. */
struct json *setup_flow_render(const struct setup_intent *intent);

#endif
