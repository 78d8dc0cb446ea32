/* How a provider does idempotency: data. The table of known providers is in dialect.c; a scenario
 * or the control plane may bring one of its own. Source: STRIPE_FACTS §3. */
#ifndef DIALECT_H
#define DIALECT_H

#include "err.h"
#include "json.h"

#include <stdbool.h>
#include <stdint.h>

/* Each list is X(constant, name as it is written in a dialect). */
#define DIALECT_CARRIER_LIST(X)                                                                    \
    X(CARRIER_NONE, "none") X(CARRIER_HEADER, "header") X(CARRIER_FIELD, "field")
#define DIALECT_SCOPE_LIST(X)                                                                      \
    X(SCOPE_ACCOUNT, "account") X(SCOPE_ENDPOINT, "endpoint") X(SCOPE_ANY_ROUTE, "any_route")
#define DIALECT_STORE_LIST(X)                                                                      \
    X(STORE_EXECUTED, "executed") X(STORE_SUCCESS, "success") X(STORE_NOT_5XX, "not_5xx")
#define DIALECT_REPLAY_LIST(X)                                                                     \
    X(REPLAY_BYTES, "bytes") X(REPLAY_LATEST, "latest") X(REPLAY_CONFLICT, "conflict")
#define DIALECT_OPERATIONS_LIST(X)                                                                 \
    X(OPERATIONS_CONFLICT, "conflict")                                                             \
    X(OPERATIONS_REPLAY, "replay")                                                                 \
    X(OPERATIONS_IGNORE, "ignore")
#define DIALECT_ERRORS_LIST(X) X(ERRORS_FACE, "face") X(ERRORS_PROBLEM, "problem")

#define DIALECT_ENUM(constant, name) constant,
enum carrier { DIALECT_CARRIER_LIST(DIALECT_ENUM) CARRIER_COUNT };
enum scope { DIALECT_SCOPE_LIST(DIALECT_ENUM) SCOPE_COUNT };
enum store_rule { DIALECT_STORE_LIST(DIALECT_ENUM) STORE_COUNT };
enum replay { DIALECT_REPLAY_LIST(DIALECT_ENUM) REPLAY_COUNT };
enum operations { DIALECT_OPERATIONS_LIST(DIALECT_ENUM) OPERATIONS_COUNT };
enum error_style { DIALECT_ERRORS_LIST(DIALECT_ENUM) ERRORS_COUNT };
#undef DIALECT_ENUM

struct dialect_text {
    char text[64];
};

/* A plain value: copy it. "" in a text means there is none. */
struct dialect {
    struct dialect_text name;
    enum carrier carrier;
    struct dialect_text key; /* the header or the field that carries the key */
    bool quoted;             /* a structured-field string: the quotes are on the wire */
    bool required;           /* a write without a key is 400 */
    bool deletes;            /* keys count on DELETE as well as on POST */
    int longest;             /* characters of a key; a longer one is 400 */
    int64_t ttl_ms;          /* life of a key, from its first use */
    enum scope scope;        /* same key on another URL: refused, another key, or the same */
    enum store_rule store;   /* which answers are remembered; the others run again */
    enum replay replay;      /* what a later use gets */
    int mismatch;            /* status for other parameters; 0: they are not compared */
    struct dialect_text mismatch_code;
    int in_flight; /* status for a twin; 0: it waits for the first */
    struct dialect_text in_flight_code;
    struct dialect_text transient; /* header that is "true" on an in-flight answer */
    struct dialect_text marker;    /* header that is "true" on a replay */
    struct dialect_text echo;      /* header that repeats the key */
    /* The plain face: an operation_id that has its payment already. 409 with its id, 200 with the
     * payment, or nobody looks and it is paid again. */
    enum operations operations;
    bool json;               /* the Stripe-like face takes JSON bodies as well as forms */
    enum error_style errors; /* of the key gate: as the face has them, or problem+json */
};

/* The known ones, by number; NULL past the end. */
const struct dialect *dialect_number(int number);

/* A name, or a table such as {"base":"stripe","ttl":"1h","in_flight":0}: what is not given is as in
 * its base (default stripe). ERR_INVALID names the wrong word and the right ones. */
enum err dialect_from_json(const struct json *json, struct dialect *dialect,
                           struct err_text *why) MUST_CHECK;

/* The whole table, owned by the caller. */
struct json *dialect_to_json(const struct dialect *dialect);

#endif
