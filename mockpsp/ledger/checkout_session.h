/* Checkout Sessions: a page of the provider's on which a customer pays, or saves a card.
 *
 *   OPEN --the customer pays--> COMPLETE
 *     |
 *     +--its time has passed, or the merchant ends it--> EXPIRED
 *
 * A declined card leaves it OPEN: the customer tries another one. It is COMPLETE and not yet paid
 * while a bank takes its time, or before what was set aside is captured. Source: Stripe, "The
 * Checkout Session object". */
#ifndef CHECKOUT_SESSION_H
#define CHECKOUT_SESSION_H

#include "err.h"
#include "page.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

#define CHECKOUT_STATUS_LIST(X)                                                                    \
    X(CHECKOUT_OPEN, "open")                                                                       \
    X(CHECKOUT_COMPLETE, "complete")                                                               \
    X(CHECKOUT_EXPIRED, "expired")

#define CHECKOUT_STATUS_ENUM(constant, name) constant,
enum checkout_status { CHECKOUT_STATUS_LIST(CHECKOUT_STATUS_ENUM) CHECKOUT_STATUS_COUNT };
#undef CHECKOUT_STATUS_ENUM

/* Strings are owned; NULL means not set. */
struct checkout_session {
    char *id;        /* "cs_test_…" */
    int64_t created; /* Unix time, s */
    int64_t expires; /* the same */
    enum checkout_status status;
    bool setup;     /* saves a card, no money moves */
    bool paid;      /* the money came */
    int64_t amount; /* minor units, 0 when it is for SETUP */
    char *currency;
    char *customer;
    char *customer_email;
    char *reference; /* client_reference_id */
    char *success_url;
    char *cancel_url;
    char *method_types;   /* a JSON array: what can be paid with, "card", "us_bank_account" */
    char *metadata;       /* a JSON object of strings */
    char *items;          /* a JSON array of line items, as clients see them */
    char *intent_words;   /* what its intent is going to be told: {"metadata":{},…} */
    char *payment_intent; /* "pi_…", from the first attempt to pay on */
    char *setup_intent;   /* "seti_…", the same */
};

struct checkout_session_filter {
    const char *customer;
    const char *payment_intent;
    const char *status;
};

const char *checkout_status_name(enum checkout_status status);

/* Whether the table of moves has FROM -> TO. */
bool checkout_session_may_move(enum checkout_status from, enum checkout_status to);

/* Moves SESSION; a move that is not in the table is our bug and aborts. */
void checkout_session_move(struct checkout_session *session, enum checkout_status to);

enum err checkout_session_insert(struct store *store, const char *account,
                                 const struct checkout_session *session) MUST_CHECK;

/* Writes what changes: status, paid, metadata, the intents. */
enum err checkout_session_update(struct store *store,
                                 const struct checkout_session *session) MUST_CHECK;

/* ERR_NOT_FOUND leaves SESSION zeroed. */
enum err checkout_session_get(struct store *store, const char *account, const char *id,
                              struct checkout_session *session) MUST_CHECK;

/* The one that has the PaymentIntent INTENT. Likewise. */
enum err checkout_session_of_intent(struct store *store, const char *account, const char *intent,
                                    struct checkout_session *session) MUST_CHECK;

/* Whose it is, to be freed; ERR_NOT_FOUND leaves *ACCOUNT alone. */
enum err checkout_session_owner(struct store *store, const char *id, char **account) MUST_CHECK;

/* The open session that expires first, with its account, both to be freed; ERR_NOT_FOUND when none
 * is open. EXPIRES in Unix time, s. */
enum err checkout_session_next(struct store *store, char **id, char **account,
                               int64_t *expires) MUST_CHECK;

/* Whether an open session has the PaymentIntent INTENT. */
enum err checkout_session_holds(struct store *store, const char *account, const char *intent,
                                bool *holds) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err checkout_session_list(struct store *store, const char *account,
                               const struct checkout_session_filter *filter, struct page *page,
                               struct checkout_session *list, int *count) MUST_CHECK;

void checkout_session_release(struct checkout_session *session);

#endif
