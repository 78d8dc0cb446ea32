#include "early.h"

#include "delivery_faults.h"
#include "walk.h"

static bool all_sent(struct exchange *x)
{
    int64_t unsent = 0;
    if (delivery_unsent(x->core->store, x->attempt.request_id, &unsent) == ERR_OK)
        return unsent == 0;
    core_broken(x->core);
    return true;
}

void early_wait(struct exchange *x, int64_t ms)
{
    if (all_sent(x)) {
        walk_on(x);
        return;
    }
    walk_on_later(x, ms);
    x->early = true;
}

static struct exchange *find_ready(const struct core *core)
{
    for (struct exchange *x = core->alive; x != NULL; x = x->next)
        if (x->early && all_sent(x))
            return x;
    return NULL;
}

/* From the head after each: one that goes on may be gone. */
void early_look(void *core)
{
    struct exchange *x;
    while ((x = find_ready(core)) != NULL) {
        loop_timer_stop(x->timer);
        walk_on(x);
    }
}
