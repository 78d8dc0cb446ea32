#include "job_queue.h"

#include "client_file.h"
#include "crash.h"
#include "mem.h"
#include "order_run.h"
#include "shape.h"
#include "world_internal.h"

void job_queue_open(struct world *world)
{
    world->queue =
        queue_policy_over(scenario_queue(world->scenario), &client_file_plan(world->client)->queue);
}

int job_queue_tries(const struct world *world)
{
    return world->queue.tries > 0 ? world->queue.tries : world->options->restarts + 1;
}

/* --- what happens to a job -------------------------------------------------------------------- */

static void record(const struct order_run *run, const char *what)
{
    struct event event = event_new(EVENT_JOB, 0, world_now_ms(run->world));
    event.order = mem_strdup(run->order->id);
    json_set_string(event.data, "what", what);
    json_set_int(event.data, "deliveries", run->job.deliveries);
    world_record(run->world, event);
}

static void lock_is_over(void *context)
{
    world_progress(context);
}

static void lock(struct order_run *run)
{
    struct world *world = run->world;
    int64_t ms = world->queue.visibility_timeout_ms;
    run->job.lock_until_ms = ms == 0 ? 0 : world_now_ms(world) + ms;
    if (ms > 0 && ms <= world->options->timeout_ms)
        loop_after(world->loop, ms, lock_is_over, world);
}

void job_deliver(struct order_run *run)
{
    run->job.deliveries++;
    run->job.attempt++;
    lock(run);
}

void job_release(struct order_run *run)
{
    struct world *world = run->world;
    run->job.due_ms =
        world->clock_ahead_ms + queue_policy_pause_ms(&world->queue, run->job.deliveries);
    if (run->job.deliveries == world->queue.tries)
        record(run, "out_of_tries");
}

void job_retry(struct order_run *run)
{
    run->job.attempt = 0;
    order_run_queue(run);
}

void job_deliver_again(struct order_run *run)
{
    record(run, "lock_expired");
    job_deliver(run);
}

/* --- the queue -------------------------------------------------------------------------------- */

static bool may_come(const struct world *world, const struct order_run *run)
{
    return !order_run_is_settled(run) && run->job.deliveries < job_queue_tries(world);
}

int64_t job_queue_wait_ms(const struct world *world)
{
    int64_t wait_ms = -1;
    for (size_t i = 0; i < world->result->orders.count; i++) {
        const struct order_run *run = &world->runs[i];
        int64_t ms = run->job.due_ms - world->clock_ahead_ms;
        if (may_come(world, run) && (wait_ms < 0 || ms < wait_ms))
            wait_ms = ms > 0 ? ms : 0;
    }
    return wait_ms;
}

void job_queue_deliver_due(struct world *world)
{
    for (size_t i = 0; i < world->result->orders.count; i++) {
        struct order_run *run = &world->runs[i];
        if (may_come(world, run) && run->job.due_ms <= world->clock_ahead_ms)
            order_run_queue(run);
    }
}

static bool lock_has_expired(const struct world *world, const struct order_run *run)
{
    return run->under_way && run->job.lock_until_ms > 0 &&
           world_now_ms(world) >= run->job.lock_until_ms &&
           run->job.deliveries < job_queue_tries(world);
}

void job_locks_progress(struct world *world)
{
    if (world->queue.visibility_timeout_ms == 0 || crash_holds_clients(world))
        return;
    for (size_t i = 0; i < world->result->orders.count; i++) {
        struct order_run *run = &world->runs[i];
        if (world->over != WORLD_GOES_ON || !psp_is_up(world->psp) || !lock_has_expired(world, run))
            continue;
        if (world->shape->again != NULL)
            world->shape->again(run);
        else
            world_note(world,
                       "the visibility timeout of %s's job was over while it was in a "
                       "batch, which cannot be given to a second worker here",
                       run->order->id);
    }
}
