/* One HTTP request, as fault sources, scenarios and the history see it. It holds no secret: card
 * numbers are blanked before an attempt is made, and a live key never gets this far. */
#ifndef ATTEMPT_H
#define ATTEMPT_H

#include "err.h"
#include "json.h"

#include <stdbool.h>
#include <stdint.h>

struct attempt {
    uint64_t number;        /* from 1, over the life of the database: restarts go on counting */
    char *request_id;       /* "req_…" */
    char *account;          /* the API key that it was sent with */
    char *method;           /* "POST" */
    char *path;             /* "/v1/refunds", without the query */
    char *route;            /* "POST /v1/charges/{id}", or NULL for an unknown URL */
    char *key;              /* the idempotency key, or NULL */
    char *ignored;          /* header that carries a key elsewhere, sent here in vain, or NULL */
    char *fingerprint;      /* of method, path and parameters; equal means: the same request */
    char *order;            /* whose order it serves: metadata[order_id] as sent, or the harness's
                               better knowledge; NULL when nobody can tell */
    bool pays;              /* money moves if it succeeds: a charge, a confirmation, a capture */
    bool live_key;          /* it carried a key of live mode, and nothing of it was kept */
    bool asks_issuer;       /* somebody could decline it: whatever pays, sets aside or saves */
    int64_t amount;         /* minor units, -1 when the request names none */
    char *currency;         /* lower case, or NULL */
    uint64_t copy_of;       /* the attempt whose bytes a proxy delivered again here; 0: none */
    uint64_t connection;    /* from 1 */
    uint64_t on_connection; /* 1 for the first request on its connection (cold), then warm */
    struct json *params;    /* object of strings, names as on the wire: "metadata[order_id]" */
    int peer_port;          /* of the client's end, 0: not known. Told to the harness, written down
                               nowhere: no JSON has it */

    /* Of a delivery, which is an attempt the other way round: a webhook that is about to be sent.
     * The rest says what its event is about, whose it is and which request caused it. */
    char *event;              /* "evt_…"; NULL: it is a request */
    char *event_type;         /* "charge.succeeded" */
    char *endpoint;           /* the URL */
    int64_t delivery_attempt; /* 1: this event is sent there for the first time */
};

/* Deliveries are numbered from here on, and use up no number of a request. */
#define ATTEMPT_DELIVERIES (UINT64_C(1) << 48)

struct json *attempt_to_json(const struct attempt *attempt);

/* ERR_INVALID when JSON is no attempt; ATTEMPT is zeroed then. */
enum err attempt_from_json(const struct json *json, struct attempt *attempt) MUST_CHECK;

void attempt_release(struct attempt *attempt);

#endif
