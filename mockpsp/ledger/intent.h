/* PaymentIntents: the way from the wish to be paid to the charge.
 *
 *   REQUIRES_PAYMENT_METHOD --method--> REQUIRES_CONFIRMATION <--another method--+
 *        ^     |                             |                                    |
 *        |     |  confirm                    |  confirm                           |
 *        |     +--------------+--------------+                                    |
 *        |                    |                                                   |
 *        +---- declined ------+----> REQUIRES_ACTION (the customer authenticates) -+
 *        |                    |             |
 *        |                    +<--- done ---+
 *        |                    |
 *        +---- PROCESSING <---+----> REQUIRES_CAPTURE (manual) --capture--> SUCCEEDED
 *                  |          |
 *                  +----------+----> SUCCEEDED
 *
 *   cancel: from anywhere but PROCESSING and SUCCEEDED ----> CANCELED
 *
 * Source: STRIPE_FACTS §4. */
#ifndef INTENT_H
#define INTENT_H

#include "card.h"
#include "err.h"
#include "page.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

#define INTENT_STATUS_LIST(X)                                                                      \
    X(INTENT_REQUIRES_PAYMENT_METHOD, "requires_payment_method")                                   \
    X(INTENT_REQUIRES_CONFIRMATION, "requires_confirmation")                                       \
    X(INTENT_REQUIRES_ACTION, "requires_action")                                                   \
    X(INTENT_PROCESSING, "processing")                                                             \
    X(INTENT_REQUIRES_CAPTURE, "requires_capture")                                                 \
    X(INTENT_SUCCEEDED, "succeeded")                                                               \
    X(INTENT_CANCELED, "canceled")

#define INTENT_STATUS_ENUM(constant, name) constant,
enum intent_status { INTENT_STATUS_LIST(INTENT_STATUS_ENUM) INTENT_STATUS_COUNT };
#undef INTENT_STATUS_ENUM

/* In the place of a decline_code: the customer did not authenticate. */
#define INTENT_NOT_AUTHENTICATED "payment_intent_authentication_failure"

/* Strings are owned; NULL means not set. */
struct intent {
    char *id;         /* "pi_…" */
    int64_t created;  /* Unix time, s */
    int64_t amount;   /* minor units */
    int64_t received; /* of it, when it SUCCEEDED */
    char *currency;
    enum intent_status status;
    bool manual_capture; /* confirm authorizes only */
    char *customer;
    const struct card *card; /* NULL: no payment method yet */
    char *method;            /* "pm_…" that CARD came from; NULL: a test card by its own name */
    char *future_usage; /* "off_session" or "on_session": what it is paid with is to be saved */
    char *description;
    char *metadata;      /* a JSON object of strings */
    char *latest_charge; /* "ch_…" */
    char *decline_code;  /* of the last attempt to pay */
    char *receipt_email;
    char *cancellation_reason;
    char *shown;         /* a JSON object: members that are shown as they were given, or NULL */
    int64_t canceled_at; /* Unix time, s; 0: it is not */
};

struct intent_filter {
    const char *customer;
};

const char *intent_status_name(enum intent_status status);

/* Whether the table of moves has FROM -> TO. */
bool intent_may_move(enum intent_status from, enum intent_status to);

/* Moves INTENT; a move that is not in the table is our bug and aborts. */
void intent_move(struct intent *intent, enum intent_status to);

/* From now on it is to be paid with CARD (NULL: nothing), which came from METHOD (may be NULL). */
void intent_use(struct intent *intent, const struct card *card, const char *method);

enum err intent_insert(struct store *store, const char *account,
                       const struct intent *intent) MUST_CHECK;

/* Writes all but id and created. */
enum err intent_update(struct store *store, const struct intent *intent) MUST_CHECK;

/* ERR_NOT_FOUND leaves INTENT zeroed. */
enum err intent_get(struct store *store, const char *account, const char *id,
                    struct intent *intent) MUST_CHECK;

/* Whose the intent is; *ACCOUNT is owned by the caller. ERR_NOT_FOUND leaves it alone. */
enum err intent_owner(struct store *store, const char *id, char **account) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err intent_list(struct store *store, const char *account, const struct intent_filter *filter,
                     struct page *page, struct intent *list, int *count) MUST_CHECK;

void intent_release(struct intent *intent);

#endif
