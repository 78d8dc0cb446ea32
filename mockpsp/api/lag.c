#include "lag.h"

static int64_t end_of(const struct core *core, int64_t lag_ms)
{
    return lag_ms == 0 ? INT64_MAX : (clock_now_ms(core->clock) - lag_ms) / 1000;
}

int64_t lag_lists_end(const struct core *core)
{
    return end_of(core, core->limits.list_lag_ms);
}

bool lag_hides(const struct core *core, int64_t created)
{
    return created >= end_of(core, core->limits.read_lag_ms);
}
