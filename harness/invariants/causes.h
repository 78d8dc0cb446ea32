/* Why an invariant was broken, in one of a few words: what the client has to mend. */
#ifndef CAUSES_H
#define CAUSES_H

#include "history.h"

#include <stdbool.h>

/* X(name, in words) */
#define CAUSE_LIST(X)                                                                              \
    X(unknown, "it cannot be told why")                                                            \
    X(no_key, "no idempotency key was sent")                                                       \
    X(key_not_looked_at, "the key was sent where this provider does not look")                     \
    X(new_key, "a new key on a retry")                                                             \
    X(key_lost, "the key was lost in the crash")                                                   \
    X(key_expired, "tried again after the key had expired")                                        \
    X(body_changed, "the body changed under the same key")                                         \
    X(concurrent_twin, "two at once, each on its own")                                             \
    X(asked_in_vain, "asked for the payment, did not find what was there, and paid again")         \
    X(key_shared, "one key for two orders")                                                        \
    X(wrong_units, "major units where the provider takes minor ones, or the other way round")      \
    X(wrong_currency, "another currency than that of the order")                                   \
    X(wrong_amount, "another amount than that of the order")                                       \
    X(delivered_twice, "something on the way delivered it twice, and it had no key")               \
    X(answer_not_kept, "this provider does not keep such an answer under a key")                   \
    X(gave_up, "gave up while charged")                                                            \
    X(silence_as_failure, "a timeout or a lost connection taken for failure")                      \
    X(error_as_failure, "a 5xx taken for failure")                                                 \
    X(refused_retry_as_failure, "409 or 429 on a retry taken for failure")                         \
    X(later_no_as_failure, "the no to a later try taken for the fate of the first")                \
    X(yes_as_failure, "a 2xx taken for failure")                                                   \
    X(silence_as_success, "a timeout or a lost connection taken for success")                      \
    X(error_as_success, "a 5xx taken for success")                                                 \
    X(no_as_success, "a 4xx taken for success")                                                    \
    X(before_settlement, "success claimed before settlement")                                      \
    X(never_tried, "called paid without a try")                                                    \
    X(refunded, "paid, refunded, and still called paid")                                           \
    X(other_payment, "called paid as a payment that is another one")                               \
    X(spent_key, "a key that repeats an error was sent again and again")                           \
    X(never_asked, "nobody asked any more what had become of it")                                  \
    X(answer_not_believed, "an answer that says how it is, and it stayed unknown")                 \
    X(never_answered, "asked, and got no answer that tells, even when all was well")               \
    X(live_key, "a key of live mode where tests run")                                              \
    X(final_again, "a definite no was sent again as it was")                                       \
    X(no_end, "retries without an end, or a loop of them inside another")                          \
    X(no_pause, "no pause between two tries")                                                      \
    X(no_jitter, "a backoff without jitter: who failed together comes back together")              \
    X(retry_after_ignored, "Retry-After not honoured")                                             \
    X(no_timeout, "no timeout on a call, or a very long one")                                      \
    X(no_breaker, "nothing slows down when everything fails")                                      \
    X(event_at_once, "one webhook, delivered twice at once, was acted on twice")                   \
    X(event_again, "a webhook that came again was acted on again")                                 \
    X(two_events, "two webhooks of one payment were both acted on")                                \
    X(answer_and_event, "the answer and the webhook were both acted on")                           \
    X(done_before_mark, "died between doing it and noting it, and did it again")                   \
    X(forged_event, "a forged webhook believed")                                                   \
    X(before_payment, "done before it was paid")                                                   \
    X(older_event, "an older webhook undid a newer one")                                           \
    X(event_dropped, "a webhook dropped, and nobody asked")

#define CAUSE_ENUM(name, words) CAUSE_##name,
enum cause { CAUSE_LIST(CAUSE_ENUM) CAUSE_COUNT };
#undef CAUSE_ENUM

const char *cause_name(enum cause cause);
const char *cause_words(enum cause cause);
bool cause_parse(const char *name, enum cause *cause);

/* Why the effect SECOND could come after FIRST, both of one order. */
enum cause cause_of_second_charge(const struct history *history, const struct event *first,
                                  const struct event *second);

/* Why ATTEMPT, a new try at its order after one of which nobody knew, had a new key. */
enum cause cause_of_new_key(const struct history *history, const struct event *last,
                            const struct event *attempt);

/* Why an order is unknown for good, as CLAIM says. */
enum cause cause_of_not_knowing(const struct history *history, const struct event *claim);

/* Why CLAIM, an untrue one, was made: what the client had heard last. */
enum cause cause_of_false_failure(const struct history *history, const struct event *claim);
enum cause cause_of_false_success(const struct history *history, const struct event *claim);

/* Why what FIRST says was done AGAIN (NULL: only their number is known, AGAIN says it); why THING
 * was done for an order that was not paid; taken back, or never done, although it was. All are
 * `done`. */
enum cause cause_of_second_deed(const struct history *history, const struct event *first,
                                const struct event *again);
enum cause cause_of_false_deed(const struct history *history, const struct event *thing);
enum cause cause_of_lost_deed(const struct history *history, const struct event *thing);

#endif
