/* The control plane, /_mock/: for the person or the test that runs the provider, not for its
 * clients. */
#ifndef CONTROL_H
#define CONTROL_H

#include "core.h"
#include "reply.h"
#include "request.h"

#include <stdbool.h>

/* X(method, path, what it does) */
#define CONTROL_LIST(X)                                                                            \
    X("GET", "/_mock/health", "version, uptime, requests served")                                  \
    X("GET", "/_mock/clock", "the provider's time")                                                \
    X("POST", "/_mock/clock", "advance=25h moves it forward")                                      \
    X("GET", "/_mock/faults", "the schedule put in place here, and how often each fault struck")   \
    X("PUT", "/_mock/faults", "a JSON list of faults, in place of those from --faults")            \
    X("DELETE", "/_mock/faults", "back to those from --faults")                                    \
    X("GET", "/_mock/dialect", "how idempotency works here, and the names of the known dialects")  \
    X("PUT", "/_mock/dialect", "name=paypal, or a JSON table, takes effect at once")               \
    X("GET", "/_mock/journal", "what happened: after=SEQ, limit=N")                                \
    X("GET", "/_mock/ledger", "charges, refunds, disputes, the audit")                             \
    X("POST", "/_mock/reset", "forgets everything but the clock")

/* With an Authorization header each call speaks of that account, without one of all of them. */
struct control {
    struct core *core;
    int64_t started_us; /* clock_monotonic_us at the start */
    /* Moves the clock and keeps that in the database and the journal. */
    enum err (*advance)(void *context, int64_t ms);
    void *context;
    const char *token; /* what X-Mock-Token has to be; NULL: whoever is on this machine may */
};

/* Whether PATH belongs to the control plane. */
bool control_owns(const char *path);

/* Answers a request of the control plane. LOCAL: it comes from this machine. */
void control_handle(struct control *control, const struct request *request, bool local,
                    struct reply *reply);

#endif
