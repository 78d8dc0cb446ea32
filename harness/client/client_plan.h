/* What a client file asks for, as data. */
#ifndef CLIENT_PLAN_H
#define CLIENT_PLAN_H

#include "queue_policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLIENT_MOST_PROCESSES 10 /* at once, for one order */

enum client_shape {
    CLIENT_COMMAND, /* a process for each order, or several at once */
    CLIENT_BATCH,   /* one for many orders, which come on its stdin */
    CLIENT_SERVICE, /* one that listens, for all of them */
};

/* How a service shows that it is ready. */
enum client_ready {
    READY_PORT, /* somebody takes connections there */
    READY_URL,  /* it answers with 2xx */
    READY_LINE, /* it has printed a line with that in it */
};

/* Lists end with NULL; {placeholders} (see client.h) are not filled in yet. */
struct client_plan {
    enum client_shape shape;
    char **command;  /* of each process of the shape */
    char ***workers; /* commands of what runs beside it, ends with NULL; NULL: nothing does */
    char **prepare;  /* what is run once for all worlds, or NULL */
    struct queue_policy queue; /* may say nothing */
    int processes;             /* so many at once for one order */
    char **environment;        /* "NAME=value", never NULL */
    char *directory;           /* where processes work, absolute; NULL: where the harness does */
    bool submits;              /* it has the function of that name */
    bool claims;
    bool counts; /* it has effects(order) */
    enum client_ready ready;
    char *ready_what;    /* the URL, the port, the text; NULL without a service */
    int64_t ready_ms;    /* how long that may take */
    int64_t patience_ms; /* how long an order that was submitted may be unknown */
};

#endif
