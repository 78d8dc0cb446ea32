#include "order_run.h"

#include "check.h"
#include "client_clock.h"
#include "crash.h"
#include "mem.h"
#include "shape.h"
#include "world_internal.h"

#include <stdlib.h>
#include <string.h>

bool order_run_is_settled(const struct order_run *run)
{
    return run->outcome == OUTCOME_SUCCEEDED || run->outcome == OUTCOME_FAILED;
}

struct order_run *order_run_find(const struct world *world, const char *order)
{
    for (size_t i = 0; order != NULL && i < world->result->orders.count; i++)
        if (strcmp(world->runs[i].order->id, order) == 0)
            return &world->runs[i];
    return NULL;
}

struct order_run *order_runs_alone(const struct world *world)
{
    struct order_run *alone = NULL;
    for (size_t i = 0; i < world->result->orders.count; i++) {
        if (!world->runs[i].under_way)
            continue;
        if (alone != NULL)
            return NULL;
        alone = &world->runs[i];
    }
    return alone;
}

/* --- what it says ---------------------------------------------------------------------------- */

void order_run_said(struct order_run *run, const char *text)
{
    struct claim claim;
    struct err_text why;
    enum err err = claim_read(text, &claim, &why);
    if (err == ERR_INVALID) {
        free(run->misread);
        run->misread = mem_printf("%s's client printed a claim that cannot be read, %s: %.200s",
                                  run->order->id, why.text, text);
    }
    if (err != ERR_OK)
        return;
    if (strcmp(claim.order, run->order->id) == 0) {
        claim_release(&run->said);
        run->said = claim;
        return;
    }
    world_note(
        run->world,
        "%s's client made a claim about '%.100s', which is another order: %.200s (its own is "
        "in ORDER_ID)",
        run->order->id, claim.order, text);
    claim_release(&claim);
}

static const char *source_name(enum claim_source by)
{
#define CLAIM_SOURCE_NAME(constant, name) name,
    static const char *const names[] = {CLAIM_SOURCE_LIST(CLAIM_SOURCE_NAME)};
#undef CLAIM_SOURCE_NAME
    CHECK((unsigned)by < CLAIM_SOURCE_COUNT);
    return names[by];
}

static void record_claim(const struct order_run *run, const char *payment, enum claim_source by)
{
    struct event event = event_new(EVENT_CLAIM, 0, world_now_ms(run->world));
    event.order = mem_strdup(run->order->id);
    json_set_int(event.data, "run", run->runs);
    json_set_string(event.data, "outcome", outcome_name(run->outcome));
    json_maybe_string(event.data, "payment", payment);
    json_set_string(event.data, "by", source_name(by));
    world_record(run->world, event);
}

void order_run_end(struct order_run *run, enum outcome outcome, const char *payment,
                   enum claim_source by)
{
    if (run->misread != NULL && by != CLAIM_BY_CRASH) /* half a line of the dead is none */
        world_note(run->world, "%s", run->misread);
    run->under_way = false;
    run->outcome = outcome;
    record_claim(run, payment, by);
    client_clock_ran(run->world);
    if (!order_run_is_settled(run) && !run->world->healed)
        job_release(run);
}

/* --- the queue ------------------------------------------------------------------------------- */

void order_run_queue(struct order_run *run)
{
    if (run->queued == 0)
        run->queued = ++run->world->queue_end;
}

struct order_run *order_runs_first(const struct world *world)
{
    struct order_run *first = NULL;
    for (size_t i = 0; i < world->result->orders.count; i++) {
        struct order_run *run = &world->runs[i];
        if (run->queued != 0 && (first == NULL || run->queued < first->queued))
            first = run;
    }
    return first;
}

void order_run_begin(struct order_run *run)
{
    run->queued = 0;
    run->asked_for = false;
    run->runs++;
    run->under_way = true;
    run->clock_seen = false;
    job_deliver(run);
    free(run->misread);
    run->misread = NULL;
    claim_release(&run->said);
}

static bool any_is_under_way(const struct world *world)
{
    for (size_t i = 0; i < world->result->orders.count; i++)
        if (world->runs[i].under_way)
            return true;
    return false;
}

bool order_runs_busy(const struct world *world)
{
    return any_is_under_way(world) || order_runs_first(world) != NULL;
}

/* One at a time, so that a seed decides the whole run; not before a crash has run its course, and
 * not while the provider is down: how many runs that time is good for is the machine's doing. */
void order_runs_next(struct world *world)
{
    const struct shape *shape = world->shape;
    if (world->over == WORLD_GOES_ON && !any_is_under_way(world) && !crash_holds_clients(world) &&
        psp_is_up(world->psp) && (shape->is_ready == NULL || shape->is_ready(world)) &&
        order_runs_first(world) != NULL)
        shape->start(world);
}

void order_runs_release(struct world *world)
{
    for (size_t i = 0; world->runs != NULL && i < world->result->orders.count; i++) {
        claim_release(&world->runs[i].said);
        claiming_release(&world->runs[i].claiming);
        free(world->runs[i].last_words);
        free(world->runs[i].misread);
    }
    free(world->runs);
}
