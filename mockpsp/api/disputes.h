/* Disputes: what the test cards that dispute their charges set off. */
#ifndef DISPUTES_H
#define DISPUTES_H

#include "cause.h"
#include "charge.h"
#include "dispute.h"
#include "exchange.h"

/* CHARGE has just taken its money: when its card disputes that, opens the dispute, which takes the
 * money back, and tells of it; inside the open transaction. CHARGE names it afterwards. */
enum err disputes_follow(struct cause *cause, struct charge *charge) MUST_CHECK;

/* As clients see it, owned by the caller. */
enum err disputes_render(struct core *core, const char *account, const struct dispute *dispute,
                         struct json **json) MUST_CHECK;

/* The bank decides a dispute that is UNDER_REVIEW, of ACCOUNT or (NULL) of any, and commits that.
 * *JSON is the dispute, owned by the caller. ERR_NOT_FOUND: no such dispute; ERR_INVALID: it is not
 * under review. *JSON is NULL then, and on every other error. */
enum err disputes_decide(struct core *core, const char *account, const char *id, bool won,
                         struct json **json) MUST_CHECK;

#endif
