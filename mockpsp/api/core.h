/* What every request of one provider shares. Chosen once, in provider/; the request path never asks
 * which clock or fault source it has. */
#ifndef CORE_H
#define CORE_H

#include "clock.h"
#include "dialect.h"
#include "fault_source.h"
#include "journal.h"
#include "live.h"
#include "loop.h"
#include "provider_limits.h"
#include "sender.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

struct bucket;
struct exchange;

/* Everything is borrowed but the lists of exchanges and buckets. */
struct core {
    struct store *store;
    struct journal *journal;
    struct clock *clock;
    struct loop *loop;
    struct fault_source faults; /* the one that the provider was started with */
    struct live_faults *live;   /* what the control plane put in its place, per account */
    uint64_t seed;
    struct dialect dialect;                    /* how idempotency works here */
    struct limits limits;                      /* how much it takes, how soon it shows it */
    struct bucket *buckets;                    /* see rate.h */
    const char *api_key;                       /* the only one accepted, or NULL */
    bool webhook_any_host;                     /* webhooks may leave this machine */
    int64_t token_ttl_ms;                      /* life of an access token */
    uint64_t last_attempt;                     /* number of the latest attempt */
    void (*refuse)(void *context, int64_t ms); /* nothing listens for so long; NULL: no sockets */
    void *refuse_context;
    enum err (*advance)(void *context, int64_t ms); /* moves the clock, and keeps that */
    void *advance_context;
    void (*broken)(void *context, const char *why); /* the database failed; NULL: nobody asks */
    void *broken_context;
    struct sender *sender;  /* of webhooks; NULL: nothing leaves */
    struct exchange *alive; /* the exchanges under way, a list */
    struct loop_timer
        *settle_timer; /* when the next payment settles by itself, or NULL: settle.c's */
    int64_t settle_ms; /* what it is set for */
};

/* The database has just failed: says so in the log, and to whoever asks. */
void core_broken(struct core *core);

#endif
