/* The control plane, /_mock/: for the person or the test that runs the provider, not for its
 * clients. */
#ifndef CONTROL_H
#define CONTROL_H

#include "core.h"
#include "reply.h"
#include "request.h"

#include <stdbool.h>

/* X(method, path, handler in control_call.h, what it does) */
#define CONTROL_LIST(X)                                                                            \
    X("GET", "/_mock/", control_get_index, "this list, and every request, dialect and option")     \
    X("GET", "/_mock/health", control_get_health, "version, uptime, requests served")              \
    X("GET", "/_mock/clock", control_get_clock, "the provider's time")                             \
    X("POST", "/_mock/clock", control_post_clock, "advance=25h moves it forward")                  \
    X("GET", "/_mock/faults", control_get_faults,                                                  \
      "what was put in place and armed here, and how often it struck")                             \
    X("PUT", "/_mock/faults", control_put_faults,                                                  \
      "a JSON list of faults, in place of those from --faults")                                    \
    X("DELETE", "/_mock/faults", control_delete_faults,                                            \
      "back to those from --faults, disarms the rest")                                             \
    X("POST", "/_mock/faults/next", control_post_next,                                             \
      "arms faults: each strikes the next request that it fits")                                   \
    X("GET", "/_mock/dialect", control_get_dialect,                                                \
      "how idempotency works here, and the names of the known dialects")                           \
    X("PUT", "/_mock/dialect", control_put_dialect,                                                \
      "name=paypal, or a JSON table, takes effect at once")                                        \
    X("GET", "/_mock/limits", control_get_limits, "rate limit, locks, lag of lists and of reads")  \
    X("PUT", "/_mock/limits", control_put_limits,                                                  \
      "rate=10/s, locks=off, list_lag=30s, read_lag=1s")                                           \
    X("GET", "/_mock/journal", control_get_journal, "what happened: after=SEQ, limit=N")           \
    X("GET", "/_mock/ledger", control_get_ledger, "charges, refunds, disputes, the audit")         \
    X("POST", "/_mock/payment_intents/{id}/complete", control_complete_intent,                     \
      "outcome=succeeded or failed")                                                               \
    X("POST", "/_mock/payments/{id}/complete", control_complete_payment,                           \
      "outcome=succeeded or failed, for one that is PROCESSING")                                   \
    X("POST", "/_mock/setup_intents/{id}/complete", control_complete_setup,                        \
      "outcome=succeeded or failed")                                                               \
    X("POST", "/_mock/checkout/sessions/{id}/complete", control_complete_session,                  \
      "outcome=paid or declined; and a payment_method")                                            \
    X("POST", "/_mock/disputes/{id}/complete", control_complete_dispute,                           \
      "outcome=won or lost, when it is under_review")                                              \
    X("GET", "/_mock/webhooks", control_get_webhooks,                                              \
      "what was sent, and what faults did to it: event=ID, limit=N")                               \
    X("POST", "/_mock/webhooks/{id}/resend", control_resend_webhook, "sends an event once more")   \
    X("POST", "/_mock/webhooks/{id}/roll", control_roll_webhook,                                   \
      "a new secret; the old one expires=24h later")                                               \
    X("POST", "/_mock/reset", control_post_reset, "forgets everything but the clock")

/* With an Authorization header each call speaks of that account, without one of all of them. */
struct control {
    struct core *core;
    int64_t started_us; /* clock_monotonic_us at the start */
    /* Moves the clock and keeps that in the database and the journal. */
    enum err (*advance)(void *context, int64_t ms);
    void *context;
    struct json *(*describe_options)(void); /* of the command line; NULL: there is none */
    const char *token; /* what X-Mock-Token has to be; NULL: whoever is on this machine may */
};

/* Whether PATH belongs to the control plane. */
bool control_owns(const char *path);

/* Answers a request of the control plane. LOCAL: it comes from this machine. */
void control_handle(struct control *control, const struct request *request, bool local,
                    struct reply *reply);

#endif
