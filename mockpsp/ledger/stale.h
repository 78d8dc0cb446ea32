/* Objects that reads do not see yet. They are known by the last 24 characters of their ids, which
 * all ids of one thing share: a charge, and the order that a foreign face makes of it. */
#ifndef STALE_H
#define STALE_H

#include "err.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

/* Until that time (provider's clock, ms) the object of ACCOUNT whose id ends in PART is in no list
 * and under no id. A second call counts. */
enum err stale_hide(struct store *store, const char *account, const char *part,
                    int64_t until_ms) MUST_CHECK;

/* The same for the events of the API that a request has caused. */
enum err stale_hide_events(struct store *store, const char *account, const char *request_id,
                           int64_t until_ms) MUST_CHECK;

/* Forgets what is over by then. */
enum err stale_forget(struct store *store, int64_t now_ms) MUST_CHECK;

/* Whether the object of that ID is hidden at NOW_MS. */
enum err stale_hides(struct store *store, const char *id, int64_t now_ms, bool *hidden) MUST_CHECK;

#endif
