/* The attempts at an order, as the invariants about keys and retries see them. */
#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include "history.h"

#include <stdbool.h>
#include <stdint.h>

/* The next attempt after AFTER (NULL: the first) to make ORDER's payment: a request that moves
 * money if it succeeds and names no object that exists already. (Confirming an intent twice is
 * harmless: its state says no.) What a proxy sent a second time is no attempt of the client. */
const struct event *attempts_next(const struct history *history, const struct event *after,
                                  const char *order);

/* What tells INVOKE's attempt from others: its idempotency key, or its operation_id where a
 * provider takes those. NULL: nothing. */
const char *attempts_key(const struct event *invoke);

/* An event of KIND that belongs to ORDER lies between A and B. */
bool attempts_between(const struct history *history, enum event_kind kind, const char *order,
                      const struct event *a, const struct event *b);

/* The client has asked the provider, between the attempts A and B, which payments there are, or
 * what became of this one, and was answered. */
bool attempts_asked(const struct history *history, const struct event *a, const struct event *b);

/* Which run of ORDER's client EVENT fell into: how many had been started, 0 for none. */
size_t attempts_run(const struct history *history, const char *order, const struct event *event);

/* How many processes of ORDER's client lived when EVENT happened: which of several has sent a
 * request is not known, and what one of them does is no retry of the other. */
size_t attempts_clients(const struct history *history, const char *order,
                        const struct event *event);

/* Nobody can tell from ANSWER whether the request was executed: none, a broken one, a 5xx, or a 409
 * that says that it is under way. NULL: there was none. */
bool attempts_is_unknown(const struct event *answer);

#endif
