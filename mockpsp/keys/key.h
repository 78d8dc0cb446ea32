/* The key gate: an idempotency key means one request, once. Rules: STRIPE_FACTS §1.
 *
 *            claim                      finish (with the effect, in one transaction)
 *   (none) ---------> IN_FLIGHT ------------------------------------------> DONE
 *      ^                  |                                                   |
 *      +------------------+  release: nothing happened                        |
 *      +----------------------------------------------------------------------+  24 h later
 *
 * A process that is killed leaves IN_FLIGHT only where no effect was committed, because the effect
 * and DONE commit together: key_recover releases those. How long a key lives, what it is compared
 * with and which answers it remembers is the dialect's business: this is Stripe v1, others differ.
 */
#ifndef KEY_H
#define KEY_H

#include "dialect.h"
#include "err.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

/* One use of a key. All strings are borrowed. */
struct key_use {
    const char *account; /* keys of different accounts never meet */
    const char *key;
    const char *method;
    const char *path;
    const char *fingerprint;
    const char *request_id;
};

enum key_verdict {
    KEY_NEW,       /* never seen, or forgotten since: claim it */
    KEY_REPLAY,    /* the same request was answered before: answer the same */
    KEY_MISMATCH,  /* the key belongs to other parameters */
    KEY_OTHER_URL, /* the key belongs to another method or path */
    KEY_IN_FLIGHT  /* the same request is being executed right now */
};

/* What is known of a key. Zeroed when nothing is. Owned by the caller. */
struct key_record {
    int status;       /* KEY_REPLAY: the stored answer */
    char *body;       /* likewise */
    char *request_id; /* the first request's */
    char *method;     /* likewise */
    char *path;       /* likewise */
};

/* Looks USE's key up as DIALECT does. A finished key as old as its life at NOW_MS is gone; one in
 * flight never expires, or its twin would be executed beside it. RECORD is filled unless the
 * verdict is NEW. */
enum err key_look_up(struct store *store, const struct dialect *dialect, const struct key_use *use,
                     int64_t now_ms, enum key_verdict *verdict,
                     struct key_record *record) MUST_CHECK;

/* Whether DIALECT remembers an answer of that status. */
bool key_remembers(const struct dialect *dialect, int status);

/* KEY_NEW -> in flight. Replaces a record that has expired, and removes a few others that are older
 * than TTL_MS, so that the table does not grow for ever. */
enum err key_claim(struct store *store, const struct key_use *use, int64_t now_ms,
                   int64_t ttl_ms) MUST_CHECK;

/* In flight -> done, with the answer that every later use gets. Call it in the transaction of the
 * effect. On a key that is done it replaces the answer (a fault may ask for that); on one that
 * somebody else has claimed since, it changes nothing. */
enum err key_finish(struct store *store, const struct key_use *use, int status,
                    const char *body) MUST_CHECK;

/* In flight -> gone: nothing happened, the next use is a first one. A finished key stays. */
enum err key_release(struct store *store, const struct key_use *use) MUST_CHECK;

/* Releases every key in flight, after a start; RELEASED says how many there were. */
enum err key_recover(struct store *store, int64_t *released) MUST_CHECK;

/* Forgets the finished keys of ACCOUNT, or (NULL) of all. Those in flight belong to somebody. */
enum err key_reset(struct store *store, const char *account) MUST_CHECK;

void key_record_release(struct key_record *record);

#endif
