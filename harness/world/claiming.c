#include "claiming.h"

#include "asking.h"
#include "clock.h"
#include "crash.h"
#include "mem.h"
#include "order_run.h"
#include "shape.h"
#include "world_internal.h"

#include <stdlib.h>

#define ASK_AGAIN_MS 20

static void ask(struct order_run *run);

/* What the client did comes before what it says of it, in the history as well. */
static void end_if_drained(struct order_run *run)
{
    struct world *world = run->world;
    struct claiming *claiming = &run->claiming;
    if (world->psp_crash.pending || (!psp_is_down(world->psp) && !psp_is_up(world->psp)) ||
        psp_is_draining(world->psp))
        return;
    if (!psp_is_down(world->psp) && !claiming->draining) {
        claiming->draining = true;
        psp_drain(world->psp);
        return;
    }
    claiming->phase = CLAIMING_NOT;
    order_run_end(run, claiming->outcome, claiming->payment, CLAIM_BY_CLAIM);
}

static void again(void *context)
{
    struct order_run *run = context;
    run->claiming.again = NULL;
    ask(run);
}

/* Nobody is asked who is about to be killed. */
static bool can_be_asked(const struct world *world)
{
    return (world->shape->is_ready == NULL || world->shape->is_ready(world)) &&
           !crash_holds_clients(world);
}

static void claimed(void *context, const struct client_answer *answer)
{
    struct order_run *run = context;
    struct world *world = run->world;
    struct claiming *claiming = &run->claiming;
    bool known = answer->outcome == OUTCOME_SUCCEEDED || answer->outcome == OUTCOME_FAILED;
    bool over = known || (can_be_asked(world) && clock_monotonic_us() >= claiming->until_us);
    if (over) {
        claiming->phase = CLAIMING_ENDS;
        claiming->draining = false;
        claiming->outcome = answer->outcome;
        mem_set_string(&claiming->payment, answer->payment);
    } else {
        claiming->again = loop_after(world->loop, ASK_AGAIN_MS, again, run);
    }
    asking_free(claiming->asking);
    claiming->asking = NULL;
    world_progress(world);
}

static void ask(struct order_run *run)
{
    struct claiming *claiming = &run->claiming;
    if (can_be_asked(run->world) && claiming->asking == NULL && claiming->again == NULL)
        claiming->asking = asking_start(run->world, run->order, CLIENT_CLAIM, claimed, run);
}

void claiming_start(struct order_run *run, int64_t patience_ms)
{
    run->claiming.phase = CLAIMING_ASKS;
    run->claiming.until_us = clock_monotonic_us() + patience_ms * 1000;
    ask(run);
}

void claiming_progress(struct order_run *run)
{
    if (run->world->over == WORLD_GOES_ON && run->claiming.phase == CLAIMING_ASKS)
        ask(run);
    else if (run->world->over == WORLD_GOES_ON && run->claiming.phase == CLAIMING_ENDS)
        end_if_drained(run);
}

void claiming_release(struct claiming *claiming)
{
    asking_free(claiming->asking);
    loop_timer_stop(claiming->again);
    free(claiming->payment);
    *claiming = (struct claiming){0};
}
