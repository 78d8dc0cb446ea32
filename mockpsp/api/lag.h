/* Consistency lag: what was made a moment ago is not shown yet. What has changed since is shown as
 * it is.
 *
 * By time: what was made within the last so many milliseconds, in whole seconds as objects have it,
 * and rather too late than too early: a lag of 30s hides an object for 30 to 31 seconds. The limits
 * list_lag and read_lag are for all reads, the fault `stale` at `received` is for one.
 * By request: the fault `stale` at `after_commit` hides exactly what its request has made. */
#ifndef LAG_H
#define LAG_H

#include "exchange.h"
#include "page.h"

#include <stdbool.h>
#include <stdint.h>

/* Lists that X reads leave out what is hidden from it. */
void lag_limit_page(const struct exchange *x, struct page *page);

/* Whether the object ID, CREATED then (s), cannot be retrieved by X yet. */
bool lag_hides(const struct exchange *x, const char *id, int64_t created);

/* What X has made is hidden from all reads for MS milliseconds of the provider's clock. */
enum err lag_hide_made(struct exchange *x, int64_t ms) MUST_CHECK;

#endif
