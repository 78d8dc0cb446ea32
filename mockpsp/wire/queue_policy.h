/* How a job queue delivers its jobs again: data. A client file says how its own queue does, a
 * scenario what its point needs. The words are those of the field: Laravel's tries and backoff,
 * Amazon SQS's visibility timeout (Laravel: retry_after, BullMQ: lockDuration). */
#ifndef QUEUE_POLICY_H
#define QUEUE_POLICY_H

#include "err.h"
#include "json.h"

#include <stdint.h>

#define QUEUE_MOST_TRIES  1000
#define QUEUE_MOST_PAUSES 32

/* X(name, type, what it is): the fields of `queue = { … }` */
#define QUEUE_FIELD_LIST(X)                                                                        \
    X(tries, "integer", "so often a job is delivered, 1 to 1000; left out: --restarts, plus one")  \
    X(backoff, "string|string[]|Backoff",                                                          \
      "the pause before it comes again, or one after the other; left out: it comes at once")       \
    X(visibility_timeout, "string",                                                                \
      "a worker that has it for so long loses it to another, also while it lives")

/* X(name, type, what it is): the fields of `backoff = { first = … }` */
#define BACKOFF_FIELD_LIST(X)                                                                      \
    X(first, "string", "the first pause; has to be given")                                         \
    X(factor, "number", "each is so many times the one before, 1 to 100; left out: 2")             \
    X(most, "string", "no pause is longer")

/* A zeroed one says nothing. All time is that of the provider's clock. */
struct queue_policy {
    int tries;                            /* 0: not said */
    int64_t pauses_ms[QUEUE_MOST_PAUSES]; /* the last one stands for all that follow */
    int pause_count;                      /* 0: not said */
    double factor;                        /* above 1: what follows the last one grows by it */
    int64_t most_ms;                      /* up to here; 0: for ever */
    int64_t visibility_timeout_ms;        /* 0: not said */
};

/* Reads {"tries": 5, "backoff": "10s" | ["1s", "10s"] | {"first": "1s", …}, …}, all of them left
 * out or not. ERR_INVALID leaves POLICY zeroed, with what is wrong in WHY. */
enum err queue_policy_from_json(const struct json *json, struct queue_policy *policy,
                                struct err_text *why) MUST_CHECK;

/* What FIRST says, and where it says nothing what SECOND does. */
struct queue_policy queue_policy_over(const struct queue_policy *first,
                                      const struct queue_policy *second);

/* How long a job waits that has been delivered DELIVERIES times (from 1); 0: not at all. */
int64_t queue_policy_pause_ms(const struct queue_policy *policy, int deliveries);

#endif
