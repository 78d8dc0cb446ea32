/* Charges: money taken from a card or an account, or the issuer's refusal of it.
 *
 *   PENDING ----settles----> CAPTURED or FAILED
 *   AUTHORIZED --capture---> CAPTURED   (all of it, or a part: the rest is released)
 *   AUTHORIZED --cancel----> RELEASED   (or nobody captured it for CARD_AUTHORIZED_MS)
 *
 * A charge may begin anywhere but in RELEASED. Money moves when it becomes CAPTURED, never before.
 */
#ifndef CHARGE_H
#define CHARGE_H

#include "card.h"
#include "err.h"
#include "page.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

#define CHARGE_STATE_LIST(X)                                                                       \
    X(CHARGE_PENDING, "pending")                                                                   \
    X(CHARGE_AUTHORIZED, "authorized")                                                             \
    X(CHARGE_CAPTURED, "captured")                                                                 \
    X(CHARGE_RELEASED, "released")                                                                 \
    X(CHARGE_FAILED, "failed")

#define CHARGE_STATE_ENUM(constant, name) constant,
enum charge_state { CHARGE_STATE_LIST(CHARGE_STATE_ENUM) CHARGE_STATE_COUNT };
#undef CHARGE_STATE_ENUM

/* Strings are owned; NULL means not set. */
struct charge {
    char *id;        /* "ch_…" */
    int64_t created; /* Unix time, s */
    enum charge_state state;
    int64_t amount;    /* minor units, asked for */
    int64_t captured;  /* of it, taken: 0 unless CAPTURED */
    int64_t refunded;  /* of what was taken, given back so far */
    int64_t settle_ms; /* when its state changes by itself (clock_now_ms), 0: never */
    char *currency;
    char *intent; /* the PaymentIntent it was made for */
    char *customer;
    const struct card *card;
    char *method; /* "pm_…" that CARD came from; NULL: a test card by its own name */
    char *description;
    char *receipt_email;
    char *order;    /* whose order it serves, as far as the request told; clients do not see it */
    char *metadata; /* a JSON object of strings */
    char *decline_code; /* why it FAILED, NULL otherwise */
    char *transaction;  /* "txn_…", NULL unless CAPTURED */
    char *dispute;      /* "du_…", NULL: its holder does not dispute it */
    bool charged_back;  /* the dispute took the money, and it has not come back */
};

/* Which charges a list shows; NULL: all. */
struct charge_filter {
    const char *customer;
    const char *intent;
};

const char *charge_state_name(enum charge_state state);

/* Whether the table of moves has FROM -> TO. */
bool charge_may_move(enum charge_state from, enum charge_state to);

/* Whether its money was taken. */
bool charge_paid(const struct charge *charge);

/* Writes CHARGE and, if it is CAPTURED, its postings, in the caller's transaction. */
enum err charge_insert(struct store *store, const char *account,
                       const struct charge *charge) MUST_CHECK;

/* ERR_NOT_FOUND leaves CHARGE zeroed. */
enum err charge_get(struct store *store, const char *account, const char *id,
                    struct charge *charge) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err charge_list(struct store *store, const char *account, const struct charge_filter *filter,
                     struct page *page, struct charge *list, int *count) MUST_CHECK;

/* Takes AMOUNT, at most what was asked for, as TRANSACTION at CREATED (s), and writes that with its
 * postings, in the caller's transaction. A move that is not in the table is our bug and aborts. */
enum err charge_capture(struct store *store, const char *account, struct charge *charge,
                        int64_t amount, const char *transaction, int64_t created) MUST_CHECK;

/* Moves CHARGE to where no money was taken: RELEASED, or FAILED for DECLINE_CODE; writes that. */
enum err charge_end(struct store *store, struct charge *charge, enum charge_state to,
                    const char *decline_code) MUST_CHECK;

/* Writes what clients may change: customer, description, receipt_email, metadata. */
enum err charge_update(struct store *store, const struct charge *charge) MUST_CHECK;

/* Adds AMOUNT, below 0 when it comes back, to what was given back. The caller has seen that it
 * fits.
 */
enum err charge_add_refund(struct store *store, const char *id, int64_t amount) MUST_CHECK;

/* How many charges of all accounts wait for their bank. */
enum err charge_count_pending(struct store *store, int64_t *count) MUST_CHECK;

void charge_release(struct charge *charge);

#endif
