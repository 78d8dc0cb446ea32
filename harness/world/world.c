/* The life of a run, from top to bottom: a box, a provider, the scenario's script with its clients,
 * the end of the faults, one last try for every order that is still unknown, the verdict. */
#include "world.h"

#include "buf.h"
#include "call.h"
#include "check.h"
#include "client_file.h"
#include "client_process.h"
#include "clock.h"
#include "crash.h"
#include "duration.h"
#include "effects.h"
#include "hook.h"
#include "interrupt.h"
#include "job_queue.h"
#include "last_claims.h"
#include "mem.h"
#include "order_run.h"
#include "pause.h"
#include "rng.h"
#include "shape.h"
#include "strays.h"
#include "transfer.h"
#include "workers.h"
#include "world_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SETTLE_STEP_MS INT64_C(300000) /* a bank of ours takes a minute */
#define SETTLE_ROUNDS  3

/* --- what the other files report here -------------------------------------------------------- */

int64_t world_now_ms(const struct world *world)
{
    struct clock_source machine = clock_machine();
    return machine.now_ms(machine.self) + world->clock_ahead_ms;
}

const struct event *world_record(struct world *world, struct event event)
{
    const struct event *kept = history_add(&world->result->history, event);
    scenario_tell(world->scenario, kept);
    if (world->history_file != NULL) {
        struct json *json = event_to_json(kept);
        char *line = json_print(json);
        if (fprintf(world->history_file, "%s\n", line) < 0)
            world_end(world, WORLD_BROKE, "history.jsonl cannot be written in %s: %s",
                      world->box.path, strerror(errno));
        free(line);
        json_free(json);
    }
    return kept;
}

void world_end(struct world *world, enum world_over over, const char *format, ...)
{
    if (world->over != WORLD_GOES_ON)
        return;
    struct buf why = {0};
    va_list args;
    va_start(args, format);
    buf_addv(&why, format, args);
    va_end(args);
    world->over = over;
    world->over_why = buf_take(&why);
}

void world_note(struct world *world, const char *format, ...)
{
    struct buf note = {0};
    va_list args;
    va_start(args, format);
    buf_addv(&note, format, args);
    va_end(args);
    bool known = false;
    for (size_t i = 0; i < world->result->reason_count; i++)
        known = known || strcmp(world->result->reasons[i].text, buf_string(&note)) == 0;
    if (!known)
        result_add(world->result, VERDICT_INCONCLUSIVE, "%s", buf_string(&note));
    buf_release(&note);
}

struct client_values world_client_values(const struct world *world)
{
    return (struct client_values){.url = world->urls[0],
                                  .host = "127.0.0.1",
                                  .port = world->urls[1],
                                  .key = world->api_key,
                                  .webhook_secret = world->webhook_secret,
                                  .app_port = world->app_port_text};
}

void world_progress(struct world *world)
{
    client_processes_progress(world);
    if (world->shape->progress != NULL)
        world->shape->progress(world);
    workers_progress(world);
    job_locks_progress(world);
    for (size_t i = 0; i < world->result->orders.count; i++)
        claiming_progress(&world->runs[i]);
    order_runs_next(world);
}

/* --- waiting --------------------------------------------------------------------------------- */

static bool clients_are_done(const struct world *world)
{
    return !order_runs_busy(world) && !crash_holds_clients(world);
}

static bool psp_is_ready(const struct world *world)
{
    return psp_is_up(world->psp);
}

/* Nothing that was begun may still have an effect. */
static bool is_quiet(const struct world *world)
{
    return psp_is_up(world->psp) && calls_open(world) == 0 && hooks_open(world) == 0 &&
           world->copies_due == 0 && !crash_pending(world);
}

enum err world_run_until(struct world *world, bool (*done)(const struct world *),
                         struct err_text *why)
{
    while (world->over == WORLD_GOES_ON && !done(world))
        loop_turn(world->loop);
    if (world->over == WORLD_GOES_ON)
        return ERR_OK;
    return err_say(why, ERR_LIMIT, "%s", world->over_why);
}

static bool psp_has_drained(const struct world *world)
{
    return !psp_is_draining(world->psp);
}

/* Until nothing that was begun may still have an effect. A client may be gone before the provider
 * has read its last request: it is told to, until there is nothing new. */
static enum err quieten(struct world *world, struct err_text *why)
{
    enum err err;
    size_t calls;
    do {
        err = world_run_until(world, is_quiet, why);
        if (err != ERR_OK)
            return err;
        calls = world->call_count;
        psp_drain(world->psp);
        err = world_run_until(world, psp_has_drained, why);
    } while (err == ERR_OK &&
             (!psp_is_drained(world->psp) || world->call_count != calls || !is_quiet(world)));
    return err;
}

/* The request that is open the longest, for the person who wonders why nothing happens. */
static void describe_open(const struct world *world, struct buf *out)
{
    for (size_t i = 0; i < world->call_count; i++) {
        const struct call *call = world->calls[i];
        if (!call->open)
            continue;
        buf_addf(out, "; request %" PRIu64 ", %s %s, is still open", call->attempt.number,
                 call->attempt.method, call->attempt.path);
        if (call->held != NULL)
            buf_addf(out, " (%s)", call->held);
        return;
    }
}

static bool has_called(const struct world *world, const struct order_run *run)
{
    return history_count(&world->result->history, EVENT_INVOKE, run->order->id) > 0;
}

static void timed_out(void *context)
{
    struct world *world = context;
    struct buf what = {0};
    const struct order_run *run = order_runs_alone(world);
    if (run != NULL)
        buf_addf(&what, "%s's client (run %d) has not ended%s%s", run->order->id, run->runs,
                 has_called(world, run) ? "" : ", and it never called the provider",
                 pause_stops(world, NULL) ? "; pause_client has stopped it" : "");
    else if (!psp_is_up(world->psp))
        buf_add_string(
            &what, "the provider is down, for longer than this: see logs/provider.log in the box");
    else if (pause_stops(world, NULL))
        buf_add_string(&what, "pause_client has stopped a process of the client for longer");
    else if (crash_pending(world))
        buf_add_string(&what, "a crash has been decided and has yet to come, see its `after`");
    else
        buf_add_string(&what, "the run has not ended");
    describe_open(world, &what);
    world_end(world, WORLD_TIMED_OUT, "timed out after %s: %s (--timeout gives it longer)",
              duration_format(world->options->timeout_ms).text, buf_string(&what));
    buf_release(&what);
}

static void interrupted(void *context, int signal)
{
    (void)signal;
    world_end(context, WORLD_INTERRUPTED, "interrupted");
}

/* --- what a scenario's run(world) may do ----------------------------------------------------- */

static void deliver(struct order_run *run)
{
    run->asked_for = true;
    order_run_queue(run);
}

static enum err op_start(void *context, const char *order, struct err_text *why)
{
    struct world *world = context;
    struct order_run *named = order_run_find(world, order);
    if (order != NULL && named == NULL)
        return err_say(why, ERR_NOT_FOUND, "no order is called '%s': they are order_1 to order_%zu",
                       order, world->result->orders.count);
    for (size_t i = 0; order == NULL && i < world->result->orders.count; i++)
        if (!order_run_is_settled(&world->runs[i]))
            deliver(&world->runs[i]);
    if (named != NULL)
        deliver(named); /* settled or not: a job may be delivered twice */
    order_runs_next(world);
    return world->over == WORLD_GOES_ON ? ERR_OK : err_say(why, ERR_LIMIT, "%s", world->over_why);
}

static enum err op_wait(void *context, struct err_text *why)
{
    return world_run_until(context, clients_are_done, why);
}

static enum err advance(struct world *world, int64_t ms, struct err_text *why)
{
    enum err err = world_run_until(world, psp_is_ready, why);
    if (err != ERR_OK)
        return err;
    /* A provider that is killed before it has done so forgets: its successor is told again. */
    size_t before = history_count(&world->result->history, EVENT_CLOCK, NULL);
    size_t told = 0;
    while (world->over == WORLD_GOES_ON &&
           history_count(&world->result->history, EVENT_CLOCK, NULL) == before) {
        size_t starts = history_count(&world->result->history, EVENT_UP, NULL);
        if (psp_is_up(world->psp) && told != starts) {
            psp_advance(world->psp, ms);
            told = starts;
        }
        loop_turn(world->loop);
    }
    return world->over == WORLD_GOES_ON ? ERR_OK : err_say(why, ERR_LIMIT, "%s", world->over_why);
}

/* Time passes that is no part of a run. What the clients have left behind on its way arrives before
 * that: no request is under way for a day. */
static enum err pass(struct world *world, int64_t ms, struct err_text *why)
{
    enum err err = clients_are_done(world) ? quieten(world, why) : ERR_OK;
    return err == ERR_OK ? advance(world, ms, why) : err;
}

static enum err op_advance(void *context, int64_t ms, struct err_text *why)
{
    struct world *world = context;
    enum err err = pass(world, ms, why);
    world->moved = world->result->history.count;
    return err;
}

static bool all_settled(const struct world *world)
{
    for (size_t i = 0; i < world->result->orders.count; i++)
        if (!order_run_is_settled(&world->runs[i]))
            return false;
    return true;
}

/* A bank takes its time, and a charge that has not arrived is not seen: the clock goes on until no
 * payment waits any more. */
static enum err let_settle(struct world *world, struct err_text *why)
{
    enum err err = quieten(world, why);
    for (int i = 0; err == ERR_OK && psp_processing(world->psp) > 0 && i < SETTLE_ROUNDS; i++) {
        err = advance(world, SETTLE_STEP_MS, why);
        if (err == ERR_OK)
            err = quieten(world, why);
    }
    return err;
}

static enum err await_webhooks(struct world *world, struct err_text *why)
{
    effects_await_webhooks(world);
    return world_run_until(world, effects_webhooks_are_sent, why);
}

/* Some faults outlive their request: nobody listens for a while, a payment is not seen yet, a
 * webhook waits. Whoever ran into that afterwards would be blamed for what the provider does. */
static enum err end_what_lasts(struct world *world, struct err_text *why)
{
    psp_heal(world->psp);
    enum err err = quieten(world, why);
    return err == ERR_OK && psp_webhooks(world->psp) > 0 ? await_webhooks(world, why) : err;
}

static bool nobody_stands_still(const struct world *world)
{
    return !pause_stops(world, NULL);
}

/* Faults end: what comes from here on passes, and what was begun before is over. */
static enum err heal(struct world *world, struct err_text *why)
{
    enum err err = world_run_until(world, nobody_stands_still, why);
    if (err == ERR_OK)
        err = let_settle(world, why);
    if (err != ERR_OK)
        return err;
    world->healed = true;
    world_record(world, event_new(EVENT_HEAL, 0, world_now_ms(world)));
    return end_what_lasts(world, why);
}

/* Plays the job queue: whoever is unknown runs again, as often as allowed. */
static enum err op_work(void *context, struct err_text *why)
{
    struct world *world = context;
    enum err err = op_wait(world, why);
    int64_t wait_ms;
    while (err == ERR_OK && (wait_ms = job_queue_wait_ms(world)) >= 0) {
        if (wait_ms > 0)
            err = pass(world, wait_ms, why);
        job_queue_deliver_due(world);
        order_runs_next(world);
        if (err == ERR_OK)
            err = op_wait(world, why);
    }
    return err;
}

/* The same, and then once without faults, when a client has to come to know. */
static enum err op_settle(void *context, struct err_text *why)
{
    struct world *world = context;
    enum err err = op_work(world, why);
    if (err != ERR_OK || all_settled(world) || world->healed)
        return err;
    err = heal(world, why);
    if (err != ERR_OK)
        return err;
    for (size_t i = 0; i < world->result->orders.count; i++)
        if (!order_run_is_settled(&world->runs[i]))
            job_retry(&world->runs[i]);
    order_runs_next(world);
    return op_wait(world, why);
}

static bool shape_is_ready(const struct world *world)
{
    return world->shape->is_ready == NULL || world->shape->is_ready(world);
}

static enum err hear_last_claims(struct world *world, struct err_text *why)
{
    enum err err = world_run_until(world, shape_is_ready, why);
    if (err != ERR_OK)
        return err;
    last_claims_ask(world);
    return world_run_until(world, last_claims_are_in, why);
}

static enum err hear_effects(struct world *world, struct err_text *why)
{
    if (!effects_matter(world))
        return ERR_OK;
    enum err err = await_webhooks(world, why);
    if (err == ERR_OK)
        err = world_run_until(world, shape_is_ready, why);
    if (err != ERR_OK)
        return err;
    effects_ask(world);
    return world_run_until(world, effects_are_in, why);
}

/* --- the life of a run ----------------------------------------------------------------------- */

static int64_t clock_of_world(void *world)
{
    return world_now_ms(world);
}

static void play(struct world *world)
{
    static const struct world_ops ops = {.start = op_start,
                                         .wait = op_wait,
                                         .advance = op_advance,
                                         .work = op_work,
                                         .settle = op_settle};
    struct err_text why = {0};
    const struct orders *orders = &world->result->orders;
    struct scenario_order *seen = mem_alloc(orders->count * sizeof *seen);
    for (size_t i = 0; i < orders->count; i++)
        seen[i] = (struct scenario_order){orders->items[i].id, orders->items[i].amount,
                                          orders->items[i].currency};
    enum err err = scenario_run(world->scenario, &ops, world, seen, orders->count, &why);
    /* A script that stops short of it leaves the end to us: a run without one cannot be judged. */
    if (err == ERR_OK)
        err = op_settle(world, &why);
    if (err == ERR_OK)
        err = let_settle(world, &why);
    if (err == ERR_OK)
        err = end_what_lasts(world, &why);
    if (err == ERR_OK)
        err = hear_last_claims(world, &why);
    if (err == ERR_OK)
        err = hear_effects(world, &why);
    if (err != ERR_OK && world->over == WORLD_GOES_ON)
        result_add(world->result, VERDICT_BROKEN, "%s", why.text);
    else if (err == ERR_OK && psp_processing(world->psp) > 0)
        world_note(world,
                   "a payment is still being processed, and what its bank will say is not known: "
                   "complete it, or let the scenario advance the clock");
    free(seen);
}

void world_run(struct scenario *scenario, const struct world_options *options,
               struct result *result)
{
    static const struct shape *const shapes[] = {[CLIENT_COMMAND] = &shape_command,
                                                 [CLIENT_BATCH] = &shape_batch,
                                                 [CLIENT_SERVICE] = &shape_service};
    struct client_file *made =
        options->client == NULL ? client_file_of_command(options->command) : NULL;
    struct world world = {.options = options,
                          .scenario = scenario,
                          .result = result,
                          .client = made == NULL ? options->client : made};
    world.shape = shapes[client_file_plan(world.client)->shape];
    job_queue_open(&world);
    struct err_text why = {0};
    int64_t began = clock_monotonic_us();
    world.loop = loop_new();
    strays_adopt();
    struct interrupt *interrupt = interrupt_open(world.loop, interrupted, &world);
    loop_after(world.loop, options->timeout_ms, timed_out, &world);
    result->file = mem_strdup(scenario_file(scenario));
    result->title = mem_strdup(scenario_title(scenario));
    const struct dialect *dialect = world_dialect(&world);
    result->dialect = dialect == NULL ? NULL : mem_strdup(dialect->name.text);
    scenario_set_clock(scenario, (struct clock_source){clock_of_world, &world});
    enum err err = world_open(&world, &why);
    if (err == ERR_OK)
        play(&world);
    else
        world_end(&world, WORLD_BROKE, "%s", why.text);
    judge(&world);
    result->took_ms = (clock_monotonic_us() - began) / 1000;
    interrupt_close(interrupt);
    world_close(&world);
    client_file_free(made);
    scenario_set_clock(scenario, (struct clock_source){0});
}
