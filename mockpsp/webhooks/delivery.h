/* Deliveries: one event on its way to one endpoint, written in the transaction of what happened, so
 * that no kill can come between a payment and the word of it.
 *
 *   PENDING --2xx--> DELIVERED --again--> PENDING
 *    |  '-three days-> GIVEN_UP --again--> PENDING
 *    '-----a fault---> LOST -----again---> PENDING
 *
 * What a fault does to an attempt is written down with the delivery before it comes to pass, and
 * holds for that one attempt: a kill changes nothing of it.
 *
 * At least once, in no order: whoever is killed between the receiver's 2xx and our own note of it
 * sends again. Source: STRIPE_FACTS §4, "Webhooks". */
#ifndef DELIVERY_H
#define DELIVERY_H

#include "err.h"
#include "json.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

#define DELIVERY_STATE_LIST(X)                                                                     \
    X(DELIVERY_PENDING, "pending")                                                                 \
    X(DELIVERY_DELIVERED, "delivered")                                                             \
    X(DELIVERY_GIVEN_UP, "given_up")                                                               \
    X(DELIVERY_LOST, "lost")

#define DELIVERY_ENUM(constant, name) constant,
enum delivery_state { DELIVERY_STATE_LIST(DELIVERY_ENUM) DELIVERY_STATE_COUNT };
#undef DELIVERY_ENUM

/* Retried for three days from the event on, after 10 s, 20 s, 40 s, … and at last every 12 h. */
#define DELIVERY_GIVE_UP_MS INT64_C(259200000)

/* What faults do to the next attempt. Zeroed: nothing. */
struct delivery_fate {
    bool lost;        /* there is none, and none after it */
    int64_t delay_ms; /* it is made so much later */
    int64_t held_ms;  /* and after a later event has arrived there, or so much later still */
    bool duplicated;  /* twice at the same moment */
    bool forged;      /* a forged event goes before it */
};

/* Strings are owned. */
struct delivery {
    int64_t row; /* its number, never used again */
    char *account;
    char *event;
    char *endpoint;
    int64_t attempts;          /* made so far */
    int64_t first_ms;          /* the three days count from here */
    bool decided;              /* faults have been asked about the next attempt */
    struct delivery_fate fate; /* and what is left to do of what they said */
};

/* How an attempt went. */
struct delivery_outcome {
    int status;        /* of the answer; 0: there was none */
    const char *error; /* in words, NULL when there was an answer */
    int64_t at_ms;     /* the provider's clock, when it was over */
};

const char *delivery_state_name(enum delivery_state state);

/* Whether the picture above has that arrow; PENDING to PENDING is a failed attempt. */
bool delivery_may_move(enum delivery_state from, enum delivery_state to);

/* How long to wait after so many failed attempts, at least one. */
int64_t delivery_wait_ms(int64_t attempts);

/* A delivery for every enabled endpoint of ACCOUNT that wants events of TYPE, due at once. In the
 * caller's transaction. */
enum err delivery_plan(struct store *store, const char *account, const char *event,
                       const char *type, int64_t now_ms) MUST_CHECK;

/* Fills LIST with at most MOST deliveries to ENDPOINT that are due, the longest waiting first. The
 * caller releases COUNT of them. */
enum err delivery_due(struct store *store, const char *endpoint, int64_t now_ms, int most,
                      struct delivery *list, int *count) MUST_CHECK;

/* When the next delivery that is not due yet will be; INT64_MAX when there is none. */
enum err delivery_next(struct store *store, int64_t now_ms, int64_t *next_ms) MUST_CHECK;

/* Writes down how an attempt went: delivered, due again later, or given up. When the event was sent
 * again by hand in the meantime, that is still to be done, and nothing is written. */
enum err delivery_finish(struct store *store, const struct delivery *delivery,
                         const struct delivery_outcome *outcome) MUST_CHECK;

/* Sends EVENT of ACCOUNT again to every endpoint that wants it, those included that have come to be
 * since. In the caller's transaction. */
enum err delivery_again(struct store *store, const char *account, const char *event,
                        const char *type, int64_t now_ms) MUST_CHECK;

/* How many endpoints have not acknowledged EVENT yet, without those given up. */
enum err delivery_pending(struct store *store, const char *event, int64_t *count) MUST_CHECK;

/* The latest MOST deliveries, newest first, of ACCOUNT (NULL: all) and EVENT (NULL: all), as an
 * array for the control plane. */
enum err delivery_report(struct store *store, const char *account, const char *event, int64_t most,
                         struct json **array) MUST_CHECK;

void delivery_release(struct delivery *delivery);

#endif
