/* SetupIntents: the way from the wish to save a payment method to the method saved. No money moves.
 *
 *   REQUIRES_PAYMENT_METHOD --method--> REQUIRES_CONFIRMATION
 *        ^                                   |
 *        |                                   |  confirm
 *        +---- declined ---------------------+----> REQUIRES_ACTION (the customer authenticates)
 *        +---- not authenticated ------------|-----------|
 *                                            +-----------+----> SUCCEEDED
 *   another method: REQUIRES_ACTION ----> REQUIRES_CONFIRMATION
 *   cancel: from anywhere but SUCCEEDED ----> CANCELED
 *
 * Source: Stripe, "The SetupIntent lifecycle". */
#ifndef SETUP_INTENT_H
#define SETUP_INTENT_H

#include "card.h"
#include "err.h"
#include "page.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

#define SETUP_STATUS_LIST(X)                                                                       \
    X(SETUP_REQUIRES_PAYMENT_METHOD, "requires_payment_method")                                    \
    X(SETUP_REQUIRES_CONFIRMATION, "requires_confirmation")                                        \
    X(SETUP_REQUIRES_ACTION, "requires_action")                                                    \
    X(SETUP_SUCCEEDED, "succeeded")                                                                \
    X(SETUP_CANCELED, "canceled")

#define SETUP_STATUS_ENUM(constant, name) constant,
enum setup_status { SETUP_STATUS_LIST(SETUP_STATUS_ENUM) SETUP_STATUS_COUNT };
#undef SETUP_STATUS_ENUM

/* In the place of a decline_code: the customer did not authenticate. */
#define SETUP_NOT_AUTHENTICATED "setup_intent_authentication_failure"

/* Strings are owned; NULL means not set. */
struct setup_intent {
    char *id;        /* "seti_…" */
    int64_t created; /* Unix time, s */
    enum setup_status status;
    char *customer;
    const struct card *card; /* NULL: no payment method yet */
    char *method;            /* "pm_…" that CARD came from; NULL: a test card by its own name */
    bool on_session;         /* its usage, off_session otherwise */
    char *description;
    char *metadata;     /* a JSON object of strings */
    char *decline_code; /* of the last attempt */
    char *cancellation_reason;
};

/* Which SetupIntents a list shows; NULL: all. */
struct setup_intent_filter {
    const char *customer;
    const char *method;
};

const char *setup_intent_status_name(enum setup_status status);

/* Whether the table of moves has FROM -> TO. */
bool setup_intent_may_move(enum setup_status from, enum setup_status to);

/* Moves INTENT; a move that is not in the table is our bug and aborts. */
void setup_intent_move(struct setup_intent *intent, enum setup_status to);

/* From now on CARD (NULL: nothing) is to be saved, which came from METHOD (may be NULL). */
void setup_intent_use(struct setup_intent *intent, const struct card *card, const char *method);

enum err setup_intent_insert(struct store *store, const char *account,
                             const struct setup_intent *intent) MUST_CHECK;

/* Writes all but id, created and usage. */
enum err setup_intent_update(struct store *store, const struct setup_intent *intent) MUST_CHECK;

/* ERR_NOT_FOUND leaves INTENT zeroed. */
enum err setup_intent_get(struct store *store, const char *account, const char *id,
                          struct setup_intent *intent) MUST_CHECK;

/* Whose it is, to be freed; ERR_NOT_FOUND leaves *ACCOUNT alone. */
enum err setup_intent_owner(struct store *store, const char *id, char **account) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err setup_intent_list(struct store *store, const char *account,
                           const struct setup_intent_filter *filter, struct page *page,
                           struct setup_intent *list, int *count) MUST_CHECK;

void setup_intent_release(struct setup_intent *intent);

#endif
