#include "drain.h"

#include "call.h"
#include "world_internal.h"

bool drain_is_done(struct drain *drain, struct world *world)
{
    if (world->psp_crash.pending)
        return false;
    if (psp_is_down(world->psp))
        return true;
    if (!psp_is_up(world->psp) || psp_is_draining(world->psp))
        return false;
    if (calls_are_ending(world)) {
        drain->calls = 0; /* more may come behind them on the same connections */
        return false;
    }
    if (drain->calls == world->call_count + 1)
        return true;
    drain->calls = world->call_count + 1;
    psp_drain(world->psp);
    return false;
}
