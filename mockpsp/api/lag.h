/* Consistency lag: what was made a moment ago is not shown yet. By the time of creation, in whole
 * seconds as objects have it, and rather too late than too early: a lag of 30s hides an object for
 * 30 to 31 seconds. What has changed since is shown as it is. */
#ifndef LAG_H
#define LAG_H

#include "core.h"

#include <stdbool.h>
#include <stdint.h>

/* Lists end before what was made at this time (Unix time, s). */
int64_t lag_lists_end(const struct core *core);

/* Whether an object CREATED then (s) cannot be retrieved yet. */
bool lag_hides(const struct core *core, int64_t created);

#endif
