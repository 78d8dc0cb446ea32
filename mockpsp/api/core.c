#include "core.h"

#include "log.h"

void core_broken(struct core *core)
{
    const char *why = store_message(core->store);
    log_error("the database failed: %s", why);
    if (core->broken != NULL)
        core->broken(core->broken_context, why);
}
