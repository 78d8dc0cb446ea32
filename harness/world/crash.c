/* Killing a client or the provider at exactly one moment, so that a crash is never a race.
 *
 * At `responded` the victim has to be dead after the last byte and before its next step: the client
 * is stopped, the answer passes, and it is killed when the answer has left. Anywhere else the
 * client is killed first and seen dead, and the provider, who has been waiting, closes the
 * connection.
 *
 *   client elsewhere:      kill --> DYING --(all gone: drop)--> ENDING --(exchange over)--> done
 *   client at responded:   stop --> STOPPING --(stopped: pass)--> ANSWERING --(answered: kill)-->
 *                          DYING --> ENDING --> done
 *   client after = "20ms": pass --> SLEEPING --(due: kill)--> DYING --> ENDING --> done
 *   stop_client:           tell, pass --> LEAVING --(it has left)--> done
 *
 * Whoever has not left when its grace is over is killed for good, DYING and LEAVING. */
#include "crash.h"

#include "buf.h"
#include "check.h"
#include "client_process.h"
#include "clock.h"
#include "duration.h"
#include "mem.h"
#include "order_run.h"
#include "victim.h"
#include "world_internal.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define CRASH_PHASE_LIST(X)                                                                        \
    X(SLEEPING) X(STOPPING) X(ANSWERING) X(DYING) X(LEAVING) X(ENDING) X(DONE)
#define CRASH_PHASE_ENUM(constant) CRASH_##constant,
enum crash_phase { CRASH_PHASE_LIST(CRASH_PHASE_ENUM) };
#undef CRASH_PHASE_ENUM

#define BIT(phase) (1U << (phase))

/* From each phase, the phases that may follow. */
static const unsigned MOVES[] = {
    [CRASH_SLEEPING] = BIT(CRASH_DYING) | BIT(CRASH_DONE),
    [CRASH_STOPPING] = BIT(CRASH_ANSWERING),
    [CRASH_ANSWERING] = BIT(CRASH_DYING),
    [CRASH_DYING] = BIT(CRASH_ENDING),
    [CRASH_LEAVING] = BIT(CRASH_DONE),
    [CRASH_ENDING] = BIT(CRASH_DONE),
    [CRASH_DONE] = 0,
};

#define POLL_MS    1
#define LEAVE_MS   5    /* between two looks at one that may take its time */
#define STOP_POLLS 1000 /* a process that waits for a disk does not stop at once */

struct crash {
    struct crash *next;
    struct world *world;
    struct call *call;
    enum failpoint at;
    enum crash_phase phase;
    struct victim victim;
    const char *action; /* crash_client or stop_client */
    int signal;
    int64_t grace_ms;
    int64_t until_us; /* then it is killed for good; 0: it has been */
    int polls;
    struct loop_timer *timer;
    bool passed; /* the provider has its answer */
};

static void poll_due(void *context);

static void move(struct crash *crash, enum crash_phase to)
{
    CHECK((MOVES[crash->phase] & BIT(to)) != 0);
    crash->phase = to;
    crash->polls = 0;
}

static void poll_later(struct crash *crash)
{
    crash->timer = loop_after(crash->world->loop, POLL_MS, poll_due, crash);
}

static void answer(struct crash *crash, enum action_kind kind)
{
    if (!crash->passed)
        psp_answer(crash->world->psp, crash->call->attempt.number, &(struct action){.kind = kind});
    crash->passed = true;
}

/* Takes CRASH out of the world. */
static void done(struct crash *crash)
{
    struct world *world = crash->world;
    struct crash **link = &world->crashes;
    move(crash, CRASH_DONE);
    while (*link != crash)
        link = &(*link)->next;
    *link = crash->next;
    free(crash);
    world_progress(world);
}

/* Takes WHY over. */
static void record_crash(const struct crash *crash, int signal, char *why)
{
    static const char *const parts[] = {
        [FAMILY_ALL] = NULL, [FAMILY_GROUP] = "a group", [FAMILY_ONE] = "one process"};
    const struct victim *victim = &crash->victim;
    struct event event = client_process_event(victim->client, EVENT_CRASH);
    event.request = crash->call->attempt.number;
    mem_set_string(&event.order, crash->call->attempt.order);
    json_set_int(event.data, "run", victim->of_run);
    json_set_int(event.data, "signal", signal);
    json_maybe_string(event.data, "part", parts[victim->choice.part]);
    json_set_string(event.data, "why", why);
    free(why);
    world_record(crash->world, event);
}

/* Its grace begins. */
static void strike_client(struct crash *crash)
{
    record_crash(crash, crash->signal,
                 mem_printf("%s at %s of request %" PRIu64, crash->action,
                            failpoint_name(crash->at), crash->call->attempt.number));
    crash->until_us = clock_monotonic_us() + crash->grace_ms * 1000;
    if (victim_still_runs(&crash->victim))
        crash->victim.client->killed_by = crash->signal;
    victim_signal(&crash->victim, crash->signal);
    if (crash->signal != SIGKILL)
        victim_signal(&crash->victim, SIGCONT); /* the stopped cannot catch it */
}

static void kill_client(struct crash *crash)
{
    move(crash, CRASH_DYING);
    strike_client(crash);
    poll_later(crash);
}

/* It is still there: once its grace is over it is killed for good. */
static void wait_for_end(struct crash *crash)
{
    if (crash->until_us != 0 && clock_monotonic_us() >= crash->until_us &&
        victim_still_runs(&crash->victim)) {
        crash->until_us = 0;
        if (crash->signal != SIGKILL)
            record_crash(crash, SIGKILL,
                         mem_printf("still there %s later", duration_format(crash->grace_ms).text));
        crash->victim.client->killed_by = SIGKILL;
        victim_signal(&crash->victim, SIGKILL);
    }
    bool soon = crash->phase == CRASH_DYING && crash->victim.choice.part == FAMILY_ALL;
    crash->timer = loop_after(crash->world->loop, soon ? POLL_MS : LEAVE_MS, poll_due, crash);
}

/* --- one look at the process table ----------------------------------------------------------- */

/* Whoever was born while the signals went round is met by the next one. */
static void poll_stopping(struct crash *crash)
{
    if (!victim_is_stopped(&crash->victim)) {
        if (++crash->polls < STOP_POLLS) {
            victim_signal(&crash->victim, SIGSTOP);
            poll_later(crash);
            return;
        }
        char *name = client_process_name(crash->victim.client);
        world_note(crash->world,
                   "%s could not be stopped at request %" PRIu64
                   ": what it did before it was killed is not known",
                   name, crash->call->attempt.number);
        free(name);
    }
    move(crash, CRASH_ANSWERING);
    answer(crash, ACTION_PASS);
}

/* A run is over when everybody of it is gone. */
static void poll_dying(struct crash *crash)
{
    if (!victim_has_left(&crash->victim)) {
        wait_for_end(crash);
        return;
    }
    move(crash, CRASH_ENDING);
    answer(crash, ACTION_DROP);
    crash_progress(crash->world);
}

static void poll_leaving(struct crash *crash)
{
    if (victim_has_left(&crash->victim))
        done(crash);
    else
        wait_for_end(crash);
}

static void poll_sleeping(struct crash *crash)
{
    if (victim_still_runs(&crash->victim)) {
        kill_client(crash);
        return;
    }
    char *name = client_process_name(crash->victim.client);
    world_note(crash->world,
               "a crash_client came too late, %s had ended by itself: give it a shorter `after`",
               name);
    free(name);
    done(crash);
}

static void poll_due(void *context)
{
    struct crash *crash = context;
    crash->timer = NULL;
    if (crash->phase == CRASH_STOPPING)
        poll_stopping(crash);
    else if (crash->phase == CRASH_DYING)
        poll_dying(crash);
    else if (crash->phase == CRASH_LEAVING)
        poll_leaving(crash);
    else if (crash->phase == CRASH_SLEEPING)
        poll_sleeping(crash);
}

/* --- the public face ------------------------------------------------------------------------- */

/* NULL when nobody is there to be struck: the request goes on, and the run shows nothing. */
static struct crash *crash_new(struct world *world, struct call *call, enum failpoint at,
                               const struct action *action)
{
    struct victim victim;
    struct err_text why;
    const char *name = action_name(action->kind);
    enum err err = victim_find(world, &call->attempt, action->whom, name, &victim, &why);
    call_struck(world, call, at, action);
    if (err != ERR_OK) {
        world_note(world, "%s", why.text);
        psp_answer(world->psp, call->attempt.number,
                   &(struct action){.kind = ACTION_PASS, .more = action->more});
        return NULL;
    }
    struct crash *crash = mem_alloc(sizeof *crash);
    *crash = (struct crash){.next = world->crashes,
                            .world = world,
                            .call = call,
                            .at = at,
                            .victim = victim,
                            .action = name,
                            .signal = (int)action->signal};
    world->crashes = crash;
    return crash;
}

void crash_client(struct world *world, struct call *call, enum failpoint at,
                  const struct action *action)
{
    struct crash *crash = crash_new(world, call, at, action);
    if (crash == NULL)
        return;
    crash->grace_ms = action->grace_ms;
    if (action->ms > 0) {
        crash->phase = CRASH_SLEEPING;
        answer(crash, ACTION_PASS);
        crash->timer = loop_after(world->loop, action->ms, poll_due, crash);
    } else if (at == FAILPOINT_RESPONDED) {
        crash->phase = CRASH_STOPPING;
        victim_signal(&crash->victim, SIGSTOP);
        poll_stopping(crash);
    } else {
        crash->phase = CRASH_ANSWERING; /* there is no answer to wait for */
        kill_client(crash);
    }
}

void stop_client(struct world *world, struct call *call, enum failpoint at,
                 const struct action *action)
{
    struct crash *crash = crash_new(world, call, at, action);
    if (crash == NULL)
        return;
    crash->grace_ms = action->ms;
    crash->phase = CRASH_LEAVING;
    strike_client(crash);
    psp_answer(world->psp, call->attempt.number,
               &(struct action){.kind = ACTION_PASS, .more = action->more});
    crash->passed = true;
    poll_later(crash);
}

static bool owes_an_answer(const struct world *world)
{
    for (size_t i = 0; i < world->call_count; i++) {
        const struct call *call = world->calls[i];
        if (call->last_answer && call->open && !call->answered)
            return true;
    }
    return false;
}

/* Killing the provider is one step; it never hears the answer to its question. It dies once,
 * however many strikes there are before it does: whoever is struck at `responded` still gets the
 * answer, whoever is struck elsewhere is held until then. */
void crash_psp(struct world *world, struct call *call, enum failpoint at,
               const struct action *action)
{
    call_struck(world, call, at, action);
    if (!world->psp_crash.pending) {
        world->psp_crash.pending = true;
        world->psp_crash.number = call->attempt.number;
        world->psp_crash.down_ms = action->ms;
    } else if (action->ms > world->psp_crash.down_ms) {
        world->psp_crash.down_ms = action->ms;
    }
    if (at == FAILPOINT_RESPONDED) {
        call->last_answer = true;
        psp_answer(world->psp, call->attempt.number, &(struct action){.kind = ACTION_PASS});
    } else if (!owes_an_answer(world)) {
        psp_kill(world->psp);
    }
}

/* Whatever may be waited for is looked at; a crash that is done starts the next client, whose
 * process may fail to start, so the list is walked from its head after every change. */
void crash_progress(struct world *world)
{
    if (world->psp_crash.pending && !owes_an_answer(world))
        psp_kill(world->psp);
    struct crash *crash = world->crashes;
    while (crash != NULL) {
        struct crash *next = crash->next;
        if (crash->phase == CRASH_ANSWERING && (crash->call->answered || !crash->call->open))
            kill_client(crash);
        else if (crash->phase == CRASH_ENDING && !crash->call->open)
            done(crash);
        crash = next;
    }
}

static void restart_psp(void *context)
{
    struct world *world = context;
    struct err_text why;
    if (world->over == WORLD_GOES_ON && psp_start(world->psp, &why) != ERR_OK)
        world_end(world, WORLD_BROKE, "%s", why.text);
}

void crash_psp_died(struct world *world, bool killed)
{
    if (!killed) {
        char *last = box_last_line(&world->box, "logs/provider.log");
        world_end(world, WORLD_BROKE, "the provider died by itself%s%.300s",
                  last == NULL ? "" : ", and said: ", last == NULL ? "" : last);
        free(last);
        return;
    }
    struct event event = event_new(EVENT_DOWN, 0, world_now_ms(world));
    char *why = mem_printf("crash_psp at request %" PRIu64, world->psp_crash.number);
    json_set_string(event.data, "why", why);
    json_set_int(event.data, "down", world->psp_crash.down_ms);
    world->psp_crash.pending = false;
    free(why);
    world_record(world, event);
    loop_after(world->loop, world->psp_crash.down_ms, restart_psp, world);
    crash_progress(world);
}

bool crash_holds_clients(const struct world *world)
{
    for (const struct crash *crash = world->crashes; crash != NULL; crash = crash->next)
        if (crash->phase != CRASH_SLEEPING)
            return true;
    return false;
}

bool crash_stops(const struct world *world, const struct client_process *client)
{
    for (const struct crash *crash = world->crashes; crash != NULL; crash = crash->next)
        if (crash->victim.client == client &&
            (crash->phase == CRASH_STOPPING || crash->phase == CRASH_ANSWERING))
            return true;
    return false;
}

bool crash_holds_call(const struct world *world, const struct call *call)
{
    for (const struct crash *crash = world->crashes; crash != NULL; crash = crash->next)
        if (crash->call == call && !crash->passed)
            return true;
    return false;
}

bool crash_pending(const struct world *world)
{
    return world->crashes != NULL || world->psp_crash.pending;
}

void crash_release(struct world *world)
{
    while (world->crashes != NULL) {
        struct crash *crash = world->crashes;
        world->crashes = crash->next;
        loop_timer_stop(crash->timer);
        free(crash);
    }
}
