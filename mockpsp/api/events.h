/* Telling merchants what has happened: the events of the API, from which webhooks are made. */
#ifndef EVENTS_H
#define EVENTS_H

#include "exchange.h"

/* What caused an event; NULL members when it was no request, but time or the control plane. */
struct event_cause {
    const char *account;
    const char *request;         /* "req_…" */
    const char *key;             /* its idempotency key */
    const char *order;           /* the order that it was for */
    const struct json *previous; /* what OBJECT was before, as far as it has changed; or NULL */
};

/* Writes an event of TYPE ("charge.succeeded") about OBJECT, as clients see it now, with its
 * deliveries, inside the open transaction. OBJECT is taken over, also on failure. */
enum err events_emit(struct exchange *x, const char *type, struct json *object) MUST_CHECK;

/* The same of an update: BEFORE is the object as it was. */
enum err events_emit_change(struct exchange *x, const char *type, const struct json *before,
                            struct json *object) MUST_CHECK;

/* The same where there is no exchange: a payment that settles by itself. */
enum err events_emit_for(struct core *core, const struct event_cause *cause, const char *type,
                         struct json *object) MUST_CHECK;

#endif
