/* Disputes: a cardholder's bank takes a charge's money back, and the merchant may argue.
 *
 *   NEEDS_RESPONSE --evidence--> UNDER_REVIEW --the bank decides--> WON or LOST
 *        |
 *        +--closed--> LOST
 *
 * The money is gone from the moment a dispute is opened; it comes back when it is WON. Source:
 * Stripe, "How disputes work" and "Testing: Disputes". */
#ifndef DISPUTE_H
#define DISPUTE_H

#include "card.h"
#include "charge.h"
#include "err.h"
#include "page.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

#define DISPUTE_STATUS_LIST(X)                                                                     \
    X(DISPUTE_NEEDS_RESPONSE, "needs_response")                                                    \
    X(DISPUTE_UNDER_REVIEW, "under_review")                                                        \
    X(DISPUTE_WON, "won")                                                                          \
    X(DISPUTE_LOST, "lost")

#define DISPUTE_STATUS_ENUM(constant, name) constant,
enum dispute_status { DISPUTE_STATUS_LIST(DISPUTE_STATUS_ENUM) DISPUTE_STATUS_COUNT };
#undef DISPUTE_STATUS_ENUM

/* Strings are owned; NULL means not set. */
struct dispute {
    char *id;        /* "du_…" */
    int64_t created; /* Unix time, s */
    int64_t amount;  /* minor units, all that the charge took */
    char *currency;
    char *charge;
    char *intent;
    enum dispute_status status;
    char *reason;        /* "fraudulent", "product_not_received" */
    char *evidence;      /* a JSON object of strings */
    char *metadata;      /* a JSON object of strings */
    int64_t submitted;   /* how often evidence was handed in */
    char *transaction;   /* "txn_…" that took the money */
    char *reinstatement; /* "txn_…" that gave it back, when WON */
};

/* Which disputes a list shows; NULL: all. */
struct dispute_filter {
    const char *charge;
    const char *intent;
};

/* Why the holder of CARD disputes what is charged to it; NULL: that never happens. */
const char *dispute_reason(const struct card *card);

const char *dispute_status_name(enum dispute_status status);

/* Whether the table of moves has FROM -> TO. */
bool dispute_may_move(enum dispute_status from, enum dispute_status to);

/* Moves DISPUTE; a move that is not in the table is our bug and aborts. */
void dispute_move(struct dispute *dispute, enum dispute_status to);

/* Until when evidence is taken, Unix time, s. */
int64_t dispute_due_by(const struct dispute *dispute);

/* Writes DISPUTE, its postings and its id into the charge, in the caller's transaction. */
enum err dispute_insert(struct store *store, const char *account,
                        const struct dispute *dispute) MUST_CHECK;

/* Writes what changes on the way: status, evidence, metadata, submitted. */
enum err dispute_update(struct store *store, const struct dispute *dispute) MUST_CHECK;

/* Gives the money of a dispute that was WON back, as its REINSTATEMENT at CREATED (s), in the
 * caller's transaction. */
enum err dispute_reinstate(struct store *store, const char *account, const struct dispute *dispute,
                           int64_t created) MUST_CHECK;

/* ERR_NOT_FOUND leaves DISPUTE zeroed. */
enum err dispute_get(struct store *store, const char *account, const char *id,
                     struct dispute *dispute) MUST_CHECK;

/* Whose it is: ACCOUNT, or (NULL) whoever has it, to be freed. ERR_NOT_FOUND leaves *OWNER NULL. */
enum err dispute_owner(struct store *store, const char *account, const char *id,
                       char **owner) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err dispute_list(struct store *store, const char *account, const struct dispute_filter *filter,
                      struct page *page, struct dispute *list, int *count) MUST_CHECK;

void dispute_release(struct dispute *dispute);

#endif
