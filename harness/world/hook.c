#include "hook.h"

#include "attribution.h"
#include "check.h"
#include "mem.h"
#include "world_internal.h"

#include <stdlib.h>
#include <string.h>

/* A delivery that is being decided about. */
struct hook {
    struct hook *next;
    struct world *world;
    struct attempt attempt; /* with the harness's idea of its order */
};

static struct attempt copied(const struct attempt *attempt)
{
    struct json *json = attempt_to_json(attempt);
    struct attempt copy;
    enum err err = attempt_from_json(json, &copy);
    CHECK(err == ERR_OK);
    json_free(json);
    return copy;
}

static struct hook *find(const struct world *world, uint64_t number)
{
    for (struct hook *hook = world->hooks; hook != NULL; hook = hook->next)
        if (hook->attempt.number == number)
            return hook;
    return NULL;
}

/* Objects carry the metadata of their order, and else its amount. A client that runs alone says
 * nothing about it: events come when they come. */
static struct hook *meet(struct world *world, const struct attempt *attempt)
{
    struct hook *hook = find(world, attempt->number);
    if (hook != NULL)
        return hook; /* one of several actions is done */
    hook = mem_alloc(sizeof *hook);
    hook->world = world;
    hook->attempt = copied(attempt);
    mem_set_string(&hook->attempt.order,
                   attribution_order(world->attribution, &hook->attempt, NULL));
    hook->next = world->hooks;
    world->hooks = hook;
    return hook;
}

static void decided(void *context, const struct action *action)
{
    const struct hook *hook = context;
    psp_answer(hook->world->psp, hook->attempt.number, action);
}

void hook_ask(struct world *world, const struct attempt *attempt)
{
    struct hook *hook = meet(world, attempt);
    if (world->healed || scenario_error(world->scenario) != NULL) {
        decided(hook, &(struct action){.kind = ACTION_PASS});
        return;
    }
    if (world->options->trace)
        trace_add(&world->result->trace, &hook->attempt, FAILPOINT_WEBHOOK);
    fault_source_ask(scenario_faults(world->scenario), &hook->attempt, FAILPOINT_WEBHOOK, decided,
                     hook);
}

void hook_end(struct world *world, uint64_t number)
{
    struct hook **link = &world->hooks;
    while (*link != NULL && (*link)->attempt.number != number)
        link = &(*link)->next;
    struct hook *hook = *link;
    if (hook == NULL)
        return;
    *link = hook->next;
    fault_source_end(scenario_faults(world->scenario), &hook->attempt);
    attempt_release(&hook->attempt);
    free(hook);
}

const char *hook_order(const struct world *world, const struct event *event)
{
    const char *id = event_string(event, "event");
    for (const struct hook *hook = world->hooks; hook != NULL && id != NULL; hook = hook->next)
        if (strcmp(hook->attempt.event, id) == 0)
            return hook->attempt.order;
    return event->order;
}

size_t hooks_open(const struct world *world)
{
    size_t open = 0;
    for (const struct hook *hook = world->hooks; hook != NULL; hook = hook->next)
        open++;
    return open;
}

void hooks_end(struct world *world)
{
    while (world->hooks != NULL)
        hook_end(world, world->hooks->attempt.number);
}
