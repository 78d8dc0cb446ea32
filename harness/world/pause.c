/* Stopping a client for a while, at exactly one moment.
 *
 * It is stopped, with everybody it has brought, and seen stopped before the provider takes its next
 * step. Then the request goes on, to its answer in the socket of a client that does not read it.
 * The client goes on when the last pause of it is over, unless a crash has stopped it for good.
 *
 *   stop --> STOPPING --(stopped: pass)--> PAUSED --(due: go on)--> done
 */
#include "pause.h"

#include "client_process.h"
#include "crash.h"
#include "mem.h"
#include "victim.h"
#include "world_internal.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#define POLL_MS    1
#define STOP_POLLS 1000 /* a process that waits for a disk does not stop at once */

struct pause {
    struct pause *next;
    struct world *world;
    struct victim victim;
    uint64_t request;
    const char *order; /* of the request, or NULL */
    enum failpoint at;
    int64_t ms;
    bool more; /* the fault has more to do when the client stands still */
    int polls;
    struct loop_timer *timer;
};

static void pass(struct world *world, uint64_t request, bool more)
{
    psp_answer(world->psp, request, &(struct action){.kind = ACTION_PASS, .more = more});
}

/* Takes WHY over; NULL is left out. */
static void record(const struct pause *pause, enum event_kind kind, char *why)
{
    struct event event = client_process_event(pause->victim.client, kind);
    event.request = pause->request;
    mem_set_string(&event.order, pause->order);
    json_set_int(event.data, "run", pause->victim.of_run);
    if (kind == EVENT_PAUSE)
        json_set_int(event.data, "ms", pause->ms);
    json_maybe_string(event.data, "why", why);
    free(why);
    world_record(pause->world, event);
}

static void due(void *context)
{
    struct pause *pause = context;
    struct world *world = pause->world;
    struct pause **link = &world->pauses;
    while (*link != pause)
        link = &(*link)->next;
    *link = pause->next;
    struct victim *victim = &pause->victim;
    if (victim_still_runs(victim) && !pause_stops(world, victim->client) &&
        !crash_stops(world, victim->client)) {
        record(pause, EVENT_RESUME, NULL);
        victim->choice = FAMILY_EVERYBODY; /* others may have stood still for longer than it */
        victim_signal(victim, SIGCONT);
    }
    free(pause);
}

static void stopped(struct pause *pause)
{
    record(pause, EVENT_PAUSE,
           mem_printf("pause_client at %s of request %" PRIu64, failpoint_name(pause->at),
                      pause->request));
    pass(pause->world, pause->request, pause->more);
    pause->timer = loop_after(pause->world->loop, pause->ms, due, pause);
}

/* Whoever was born while the signals went round is met by the next one. */
static void poll_stopping(void *context)
{
    struct pause *pause = context;
    pause->timer = NULL;
    if (!victim_is_stopped(&pause->victim)) {
        if (++pause->polls < STOP_POLLS) {
            victim_signal(&pause->victim, SIGSTOP);
            pause->timer = loop_after(pause->world->loop, POLL_MS, poll_stopping, pause);
            return;
        }
        char *name = client_process_name(pause->victim.client);
        world_note(pause->world,
                   "%s could not be stopped at request %" PRIu64
                   ": what it did while it was to stand still is not known",
                   name, pause->request);
        free(name);
    }
    stopped(pause);
}

void pause_client(struct world *world, struct call *call, enum failpoint at,
                  const struct action *action)
{
    struct victim victim;
    struct err_text why;
    enum err err = victim_find(world, &call->attempt, action->whom, "pause_client", &victim, &why);
    call_struck(world, call, at, action);
    if (err != ERR_OK) {
        world_note(world, "%s", why.text);
        pass(world, call->attempt.number, action->more);
        return;
    }
    struct pause *pause = mem_alloc(sizeof *pause);
    *pause = (struct pause){.next = world->pauses,
                            .world = world,
                            .victim = victim,
                            .request = call->attempt.number,
                            .order = call->attempt.order,
                            .at = at,
                            .ms = action->ms,
                            .more = action->more};
    world->pauses = pause;
    victim_signal(&pause->victim, SIGSTOP);
    poll_stopping(pause);
}

bool pause_stops(const struct world *world, const struct client_process *client)
{
    for (const struct pause *pause = world->pauses; pause != NULL; pause = pause->next)
        if ((client == NULL || pause->victim.client == client) && victim_still_runs(&pause->victim))
            return true;
    return false;
}

void pause_release(struct world *world)
{
    while (world->pauses != NULL) {
        struct pause *pause = world->pauses;
        world->pauses = pause->next;
        loop_timer_stop(pause->timer);
        free(pause);
    }
}
