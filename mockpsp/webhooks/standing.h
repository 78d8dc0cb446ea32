/* The endpoints of --webhook: they listen to all accounts, no client sees them, and each is there
 * for as long as the option is given. */
#ifndef STANDING_H
#define STANDING_H

#include "endpoint.h"
#include "err.h"
#include "store.h"

#include <stdint.h>

#define STANDING_MOST 16

struct standing {
    const char *const *urls; /* no two of them the same */
    int count;               /* at most STANDING_MOST; 0: there shall be none */
    const char *secret;      /* of each; NULL: the one it has, or one from SEED */
    uint64_t seed;
    int64_t now_s;
};

/* Makes the database say so, in a transaction of its own; what waits to be sent to the same URL
 * goes on waiting. ENDPOINTS, of at least COUNT entries in the order of the URLs, are the caller's
 * to release, also after a failure. */
enum err standing_put(struct store *store, const struct standing *standing,
                      struct endpoint *endpoints) MUST_CHECK;

#endif
