/* The trace of a run: every moment at which a fault could have struck, in the order in which they
 * came. Where the history says what happened, this says where something else might have. */
#ifndef TRACE_H
#define TRACE_H

#include "attempt.h"
#include "err.h"
#include "failpoint.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct probe {
    uint64_t request; /* number of the attempt, or of the delivery */
    enum failpoint at;
    char *order; /* or NULL: nobody's */
    char *on;    /* its route, "POST /v1/charges/{id}"; at webhook the type of its event; NULL: an
                    unknown URL */
    bool pays;
    bool asks_issuer;
    /* It is the so-manieth of its order on this route, from 1: what `attempt` of a fault counts. */
    int attempt;
    /* Its key is the so-manieth of its order on this route; 0: it has none. */
    int generation;
    char *key; /* or NULL */
};

/* A zeroed trace is empty. */
struct trace {
    struct probe *items;
    size_t count;
};

/* ATTEMPT has come to AT, where its fault source is asked. A second question about the same moment
 * is the same probe. */
void trace_add(struct trace *trace, const struct attempt *attempt, enum failpoint at);

struct json *trace_to_json(const struct trace *trace);
/* ERR_INVALID leaves TRACE empty. */
enum err trace_from_json(const struct json *json, struct trace *trace) MUST_CHECK;
void trace_release(struct trace *trace);

#endif
