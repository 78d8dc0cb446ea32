/* One HTTP request to a client's own service, in the event loop. */
#ifndef FETCH_H
#define FETCH_H

#include "json.h"

#include <stddef.h>
#include <stdint.h>

struct fetch;
struct transfers;

#define FETCH_MOST_BYTES ((size_t)4 << 20) /* of an answer's body */

struct fetch_request {
    const char *method;
    const char *url;
    char *const *headers; /* "Name: value", ends with NULL; or NULL */
    const char *body;     /* or NULL */
    size_t length;        /* of it */
    int64_t timeout_ms;
};

struct fetch_answer {
    int status;                 /* 0: there was none */
    const char *error;          /* then why, in words; else NULL */
    const char *body;           /* "" when there is none */
    size_t length;              /* of it */
    const struct json *headers; /* an object, names in lower case */
};

/* Told once, in a turn of its own; ANSWER is borrowed. The callback frees the fetch. */
typedef void fetch_over(void *context, const struct fetch_answer *answer);

/* The parts of REQUEST are copied. Redirects are not followed, no proxy is asked, certificates are
 * not verified: it is this machine's. */
struct fetch *fetch_start(struct transfers *transfers, const struct fetch_request *request,
                          fetch_over *told, void *context);

/* Waits only until somebody takes connections at URL; the answer's status stays 0, ERROR is NULL
 * when somebody does. */
struct fetch *fetch_connect(struct transfers *transfers, const char *url, int64_t timeout_ms,
                            fetch_over *told, void *context);

void fetch_free(struct fetch *fetch); /* NULL is fine; nothing is told then */

#endif
