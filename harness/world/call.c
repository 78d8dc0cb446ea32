/* The requests at the provider: whose order each is for, and what shall happen to it. */
#include "call.h"

#include "buf.h"
#include "client_clock.h"
#include "crash.h"
#include "hook.h"
#include "mem.h"
#include "order_run.h"
#include "pause.h"
#include "world_internal.h"

#include <stdlib.h>
#include <string.h>

/* A question that the scenario may answer later. */
struct question {
    struct world *world;
    struct call *call;
    enum failpoint at;
};

static struct call *find(const struct world *world, uint64_t number)
{
    for (size_t i = world->call_count; i > 0; i--) /* the latest ones are asked about */
        if (world->calls[i - 1]->attempt.number == number)
            return world->calls[i - 1];
    return NULL;
}

size_t calls_open(const struct world *world)
{
    size_t open = 0;
    for (size_t i = 0; i < world->call_count; i++)
        open += world->calls[i]->open;
    return open;
}

bool calls_are_ending(const struct world *world)
{
    for (size_t i = 0; i < world->call_count; i++) {
        const struct call *call = world->calls[i];
        if (call->open && !call->lingers && !crash_holds_call(world, call))
            return true;
    }
    return false;
}

void calls_release(struct world *world)
{
    for (size_t i = 0; i < world->call_count; i++) {
        attempt_release(&world->calls[i]->attempt);
        free(world->calls[i]->held);
        free(world->calls[i]);
    }
    free(world->calls);
    hooks_end(world);
}

/* From its journal entry or the first question about it, whichever comes first. */
static struct call *meet(struct world *world, const struct json *json)
{
    struct attempt attempt;
    if (attempt_from_json(json, &attempt) != ERR_OK)
        return NULL;
    struct call *call = find(world, attempt.number);
    if (call != NULL) {
        attempt_release(&attempt);
        return call;
    }
    const struct order_run *alone = order_runs_alone(world);
    const struct call *first = attempt.copy_of == 0 ? NULL : find(world, attempt.copy_of);
    const char *order = first != NULL ? first->attempt.order
                                      : attribution_order(world->attribution, &attempt,
                                                          alone == NULL ? NULL : alone->order->id);
    mem_set_string(&attempt.order, order);
    call = mem_alloc(sizeof *call);
    call->attempt = attempt;
    world->calls = mem_resize(world->calls, world->call_count + 1, sizeof *world->calls);
    world->calls[world->call_count++] = call;
    return call;
}

/* --- the journal ----------------------------------------------------------------------------- */

/* The provider was told to drop the request that the harness crashed at: the crash is the truth. */
static bool is_our_own_fault(const struct call *call, const struct event *event)
{
    enum failpoint at;
    const char *name = event_string(event, "at");
    return event->kind == EVENT_FAULT && call != NULL && name != NULL &&
           failpoint_parse(name, &at) && (call->crashed & FAILPOINT_BIT(at)) != 0;
}

/* Nobody asks about the second one of a request that is delivered twice: its life is in the
 * journal. */
static void follow_copy(struct world *world, struct call *call, const struct event *event)
{
    if (call == NULL || call->attempt.copy_of == 0)
        return;
    if (event->kind == EVENT_INVOKE) {
        call->open = true;
        world->copies_due -= world->copies_due > 0;
    } else if (event->kind == EVENT_OK || event->kind == EVENT_FAIL || event->kind == EVENT_INFO) {
        call->open = false;
    }
}

static void event_came(void *context, const struct event *event)
{
    struct world *world = context;
    struct call *call =
        event->kind == EVENT_INVOKE ? meet(world, event->data) : find(world, event->request);
    if (is_our_own_fault(call, event))
        return;
    follow_copy(world, call, event);
    struct event copy = event_copy(event);
    if (call != NULL)
        mem_set_string(&copy.order, call->attempt.order);
    else if (event->kind == EVENT_EFFECT)
        mem_set_string(&copy.order, attribution_of_effect(world->attribution, event));
    else if (event->kind == EVENT_FAULT)
        mem_set_string(&copy.order, hook_order(world, event));
    if (event->kind == EVENT_CLOCK) {
        world->clock_ahead_ms += event_int(event, "advanced", 0);
        client_clock_move(world);
    }
    const struct event *kept = world_record(world, copy);
    attribution_learn(world->attribution, kept);
    if (call != NULL &&
        (event->kind == EVENT_OK || event->kind == EVENT_FAIL || event->kind == EVENT_INFO)) {
        call->answered = true;
        crash_progress(world);
    }
    if (event->kind == EVENT_UP || event->kind == EVENT_CLOCK)
        world_progress(world);
}

void call_struck(struct world *world, struct call *call, enum failpoint at,
                 const struct action *action)
{
    struct event event = event_new(EVENT_FAULT, call->attempt.number, world_now_ms(world));
    event.order = mem_strdup(call->attempt.order);
    struct buf act = {0};
    action_describe(action, &act);
    json_set_string(event.data, "at", failpoint_name(at));
    json_set_string(event.data, "act", buf_string(&act));
    buf_release(&act);
    world_record(world, event);
    call->crashed |= FAILPOINT_BIT(at);
}

/* --- the questions --------------------------------------------------------------------------- */

static void decided(void *context, const struct action *action)
{
    struct question *question = context;
    struct world *world = question->world;
    struct call *call = question->call;
    call->lingers =
        action->kind == ACTION_DELAY || action->kind == ACTION_LATE || action->kind == ACTION_EARLY;
    if (action->kind != ACTION_PASS) {
        struct buf held = {0};
        action_describe(action, &held);
        buf_addf(&held, " at %s", failpoint_name(question->at));
        free(call->held);
        call->held = buf_take(&held);
    }
    if (action->kind == ACTION_DUPLICATE)
        world->copies_due++;
    if (action->kind == ACTION_CRASH_CLIENT)
        crash_client(world, call, question->at, action);
    else if (action->kind == ACTION_STOP_CLIENT)
        stop_client(world, call, question->at, action);
    else if (action->kind == ACTION_CRASH_PSP)
        crash_psp(world, call, question->at, action);
    else if (action->kind == ACTION_PAUSE_CLIENT)
        pause_client(world, call, question->at, action);
    else
        psp_answer(world->psp, call->attempt.number, action);
    free(question);
}

static void ask_came(void *context, uint64_t number, enum failpoint at,
                     const struct attempt *attempt)
{
    struct world *world = context;
    if (at == FAILPOINT_WEBHOOK && attempt != NULL) {
        hook_ask(world, attempt);
        return;
    }
    struct call *call = find(world, number);
    if (call == NULL && attempt != NULL) {
        struct json *json = attempt_to_json(attempt);
        call = meet(world, json);
        json_free(json);
    }
    if (call != NULL && attempt != NULL) {
        call->attempt.peer_port = attempt->peer_port;
        client_clock_see(world, &call->attempt);
    }
    if (call == NULL || world->healed || scenario_error(world->scenario) != NULL) {
        if (call != NULL)
            call->open = true;
        psp_answer(world->psp, number, &(struct action){.kind = ACTION_PASS});
        return;
    }
    call->open = true;
    if (world->options->trace)
        trace_add(&world->result->trace, &call->attempt, at);
    struct question *question = mem_alloc(sizeof *question);
    *question = (struct question){world, call, at};
    fault_source_ask(scenario_faults(world->scenario), &call->attempt, at, decided, question);
}

static void end_came(void *context, uint64_t number)
{
    struct world *world = context;
    if (number >= ATTEMPT_DELIVERIES) {
        hook_end(world, number);
        return;
    }
    struct call *call = find(world, number);
    if (call == NULL)
        return;
    call->open = false;
    fault_source_end(scenario_faults(world->scenario), &call->attempt);
    crash_progress(world);
    world_progress(world);
}

static void psp_drained(void *context)
{
    world_progress(context);
}

/* Nobody will answer what the dead had asked, or end what they had begun. */
static void psp_died(void *context, bool killed)
{
    struct world *world = context;
    for (size_t i = 0; i < world->call_count; i++) {
        struct call *call = world->calls[i];
        if (call->open && call->attempt.copy_of == 0)
            fault_source_end(scenario_faults(world->scenario), &call->attempt);
        call->open = false;
    }
    world->copies_due = 0;
    hooks_end(world);
    crash_psp_died(world, killed);
    world_progress(world);
}

static void psp_broke(void *context, const char *why)
{
    world_end(context, WORLD_BROKE, "the provider's database failed: %s", why == NULL ? "?" : why);
}

struct psp_handlers call_handlers(struct world *world)
{
    return (struct psp_handlers){.event = event_came,
                                 .ask = ask_came,
                                 .end = end_came,
                                 .drained = psp_drained,
                                 .broken = psp_broke,
                                 .died = psp_died,
                                 .context = world};
}
