/* One request and its answer: the state that pipeline.c carries from step to step. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "action.h"
#include "attempt.h"
#include "buf.h"
#include "core.h"
#include "ending.h"
#include "key.h"
#include "operation.h"
#include "params.h"
#include "reply.h"
#include "request.h"
#include "rng.h"

#include <stdbool.h>
#include <stddef.h>

/* Told once: how the exchange ends is decided, x->ending and x->reply say how. */
typedef void exchange_decided(void *transport, struct exchange *x);

/* Told when another exchange answers in the place of the one that the transport knows: NOW. */
typedef void exchange_replaced(void *transport, struct exchange *now);

struct exchange {
    struct core *core;
    struct request request;
    exchange_decided *decided;
    exchange_replaced *replaced; /* NULL: the transport need not know */
    void *transport;

    /* What is understood of the request so far. */
    struct params params;
    struct attempt attempt;
    const struct operation *operation; /* NULL: unknown URL */
    char *object_id;                   /* the {id} in the path, or NULL */
    struct rng ids;                    /* ids of this request's objects come from here */
    void *plan;                        /* made by check, used by run */
    void (*free_plan)(void *plan);
    char *forced_decline;  /* a fault made the issuer say no, and why; or NULL */
    int64_t processing_ms; /* a fault made the payment wait so long, as a bank's does; or 0 */
    int64_t stale_ms;      /* it reads as of so long ago */
    bool withheld;         /* nothing of it may be written anywhere: a live key, or no text */

    /* The key gate. */
    struct key_use use; /* .key NULL: no key */
    char *scoped_key;   /* use.key, where the dialect keeps keys per endpoint */
    char *waits_for;    /* the request id of the twin whose end it waits for, or NULL */
    char *lock;         /* the object that it holds, or NULL: see locks.h */
    bool claimed;       /* in flight, ours */
    bool committed;     /* the effect stands */
    bool replayed;
    bool in_flight;         /* refused: its twin is being executed */
    char *original_request; /* whose answer a replay repeats */

    /* The end. */
    struct reply reply;
    enum ending ending;
    struct shape shape;
    struct buf raw;
    int64_t cut;
    bool by_proxy;        /* the answer does not come from the provider */
    const char *how;      /* for the journal, where the client gets no whole answer; static */
    bool late;            /* it waits for the client to go */
    int64_t late_ms;      /* and then so long */
    bool client_gone;     /* the transport has seen it */
    bool crash_when_sent; /* crash_psp at responded, without a harness to do it */

    /* Where it stands in its life. */
    size_t step;
    enum failpoint at; /* the failpoint that is being asked about */
    bool running;      /* a step is on the stack */
    bool waiting;      /* for a fault source, or a delay */
    bool asked;        /* the fault source knows of it */
    bool more;         /* and has more to do at this failpoint */
    bool early;        /* it waits for its webhooks, and for the timer at most: see early.h */
    struct loop_timer *timer;
    struct fault_source faults; /* chosen once, when it is received */

    struct exchange *next; /* in core->alive */
    struct exchange *previous;
};

/* Whether the body of its answer has a shape of its own. */
bool exchange_is_shaped(const struct exchange *x);

/* Takes REQUEST over (it is empty afterwards) and joins the living. */
struct exchange *exchange_new(struct core *core, struct request *request, exchange_decided *decided,
                              void *transport);
void exchange_free(struct exchange *x);

/* The living exchange with that request id, or NULL. */
struct exchange *exchange_find(struct core *core, const char *request_id);

/* Notes a ledger entry of ATTEMPT in the journal, inside the transaction that commits it. */
enum err exchange_effect(struct exchange *x, struct json *data) MUST_CHECK;

#endif
