/* The endpoint of --webhook: it listens to all accounts, no client sees it, and it is there for as
 * long as the option is given. */
#ifndef STANDING_H
#define STANDING_H

#include "endpoint.h"
#include "err.h"
#include "store.h"

#include <stdint.h>

struct standing {
    const char *url;    /* NULL: there shall be none */
    const char *secret; /* NULL: the one it has, or one from SEED */
    uint64_t seed;
    int64_t now_s;
};

/* Makes the database say so, in a transaction of its own; what waits to be sent to the same URL
 * goes on waiting. ENDPOINT, zeroed when there is none, is the caller's to release. */
enum err standing_put(struct store *store, const struct standing *standing,
                      struct endpoint *endpoint) MUST_CHECK;

#endif
