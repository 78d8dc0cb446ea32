/* Telling merchants what has happened: the events of the API, from which webhooks are made. */
#ifndef EVENTS_H
#define EVENTS_H

#include "exchange.h"

/* What caused an event; NULL members when it was no request, but time or the control plane. */
struct event_cause {
    const char *account;
    const char *request; /* "req_…" */
    const char *key;     /* its idempotency key */
};

/* Writes an event of TYPE ("charge.succeeded") about OBJECT, as clients see it now, with its
 * deliveries, inside the open transaction. OBJECT is taken over, also on failure. */
enum err events_emit(struct exchange *x, const char *type, struct json *object) MUST_CHECK;

/* The same where there is no exchange: a payment that settles by itself. */
enum err events_emit_for(struct core *core, const struct event_cause *cause, const char *type,
                         struct json *object) MUST_CHECK;

#endif
