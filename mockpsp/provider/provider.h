/* The whole provider, put together: store, clock, journal, faults, request path, HTTP.
 *
 * `mockpsp` runs one; the harness forks one per world. */
#ifndef PROVIDER_H
#define PROVIDER_H

#include "dialect.h"
#include "err.h"
#include "event.h"
#include "fault_source.h"
#include "json.h"
#include "loop.h"
#include "provider_limits.h"

#include <stdbool.h>
#include <stdint.h>

#define PROVIDER_WEBHOOKS 16 /* the most */

struct provider_options {
    const char *host;     /* a numeric address; NULL: 127.0.0.1 */
    int port;             /* 0: any free one */
    const char *socket;   /* path of a Unix socket to listen on as well, or NULL */
    const char *tls_cert; /* file, PEM: speak TLS on the port; NULL: do not */
    const char *tls_key;  /* file, PEM */
    bool control_apart;   /* /_mock/ has a port of its own, on loopback */
    int control_port;     /* that port; 0: any free one */
    struct json *(*describe_options)(void); /* for GET /_mock/; NULL: there is no command line */
    const char *control_token; /* what /_mock/ wants to be shown; NULL: this machine may */
    const char *db;            /* a file, or ":memory:" (NULL) */
    bool db_alone;             /* nobody else ever looks into the file, see store.h */
    bool durable;              /* survive a power cut, not only a kill (fsync on commit) */
    bool manual_clock;         /* starts at 2026-01-01T00:00:00Z, or where the database left it */
    uint64_t seed;             /* ids come from it */
    const struct dialect *dialect; /* how idempotency works, copied; NULL: as Stripe v1 does it */
    int64_t key_ttl_ms;            /* life of an idempotency key; 0: the dialect's */
    int64_t token_ttl_ms;          /* life of an access token; 0: 1 h */
    struct limits limits;          /* rate limit, locks, lag */
    const char *api_key;           /* only this one is accepted; NULL: every sk_test_… */
    struct fault_source faults;    /* .ops NULL: none */
    /* Told of every journal entry once it is committed, before any question that follows it is
     * asked; NULL: nobody is. */
    void (*observe)(void *context, const struct event *event);
    void *observe_context;
    const char *webhook_urls[PROVIDER_WEBHOOKS]; /* events of all accounts go there: good URLs, see
                                                webhook_url.h, no two the same */
    int webhook_count;
    const char *webhook_secret; /* "whsec_…", signs them; NULL: each has one from the seed */
    bool webhook_any_host;      /* webhooks may leave this machine */
};

struct provider;

/* Opens the database, recovers (releases keys in flight), binds and listens, with LOOP as its event
 * loop. On failure *PROVIDER is NULL and WHY names the thing and the remedy. Strings in OPTIONS are
 * borrowed for the life of the provider. */
enum err provider_open(struct provider **provider, struct loop *loop,
                       const struct provider_options *options, struct err_text *why) MUST_CHECK;

int64_t provider_now_ms(const struct provider *provider); /* its clock */
int provider_port(const struct provider *provider);
int provider_control_port(const struct provider *provider); /* the same, unless it is apart */

/* Whether webhooks may leave this machine: they were let, or the provider can be reached from
 * others. */
bool provider_webhooks_leave(const struct provider_options *options);

/* What signs the webhooks to webhook_urls[NUMBER]. */
const char *provider_webhook_secret(const struct provider *provider, int number);

/* Closes every connection at once, then the database. NULL is fine. */
void provider_close(struct provider *provider);

/* For a child forked by the harness: serves until the socket FD (see remote.h), over which it asks
 * for faults and reports events, is closed by the other side; then ends the process. The first
 * event is `up`, with the port. Journal entries after JOURNAL_AFTER that an earlier process wrote
 * are reported before it. It may be told to rest and to serve again, with another database and port
 * and the same OPTIONS otherwise; LOG_TO is called with the file for what it prints then. On
 * failure the process ends with status 1, having said why on stderr. */
_Noreturn void provider_serve_remote(int fd, uint64_t journal_after,
                                     const struct provider_options *options,
                                     void (*log_to)(const char *path));

#endif
