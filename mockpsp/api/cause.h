/* On whose behalf the ledger changes: a request, or the clock and the control plane, which act for
 * nobody's request. */
#ifndef CAUSE_H
#define CAUSE_H

#include "exchange.h"

struct cause {
    struct core *core;
    const char *account;
    uint64_t request;  /* number of the attempt; 0: none */
    const char *order; /* as the request named it, or NULL */
    const char *request_id;
    const char *key;
    struct rng *ids; /* new objects get theirs from here */
    struct rng own;
};

/* X caused it. Valid as long as X is. */
void cause_request(struct cause *cause, struct exchange *x);

/* No request caused it. Inside the transaction of the change. ACCOUNT is borrowed. */
enum err cause_nobody(struct cause *cause, struct core *core, const char *account) MUST_CHECK;

/* Runs CHANGE, which no request causes, in a transaction of its own, and commits what it did, or
 * nothing when it fails. */
enum err cause_commit(struct core *core, const char *account,
                      enum err (*change)(struct cause *cause, void *context),
                      void *context) MUST_CHECK;

/* Notes a ledger entry in the journal, inside the transaction that commits it. ORDER, when the
 * request names none, is whose it is. DATA is taken over. */
enum err cause_effect(const struct cause *cause, const char *order, struct json *data) MUST_CHECK;

/* The order that METADATA (an object, JSON in text form) names, to be freed; NULL when none. */
char *cause_order_in(const char *metadata);

/* Writes an event of the API, of TYPE ("charge.succeeded") about OBJECT, which is taken over. */
enum err cause_tell(const struct cause *cause, const char *type, struct json *object) MUST_CHECK;

/* The same of an update: BEFORE is the object as it was. */
enum err cause_tell_change(const struct cause *cause, const char *type, const struct json *before,
                           struct json *object) MUST_CHECK;

#endif
