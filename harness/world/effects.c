#include "effects.h"

#include "asking.h"
#include "client_file.h"
#include "clock.h"
#include "json.h"
#include "mem.h"
#include "order_run.h"
#include "world_internal.h"

#include <stdlib.h>

#define AGAIN_MS 20

/* Of one order. */
struct count {
    struct order_run *run;
    struct asking *asking;
    struct loop_timer *again;
};

struct effects {
    struct loop_timer *look; /* at the webhooks */
    bool asked;              /* the provider, how many are on their way */
    bool sent;
    struct count *counts; /* one per order, NULL before they are asked for */
    int64_t until_us;
};

bool effects_matter(const struct world *world)
{
    return client_file_plan(world->client)->counts ||
           history_count(&world->result->history, EVENT_DONE, NULL) > 0;
}

static struct effects *effects_of(struct world *world)
{
    if (world->effects == NULL)
        world->effects = mem_alloc(sizeof *world->effects);
    return world->effects;
}

/* --- the webhooks ---------------------------------------------------------------------------- */

static void look(void *context)
{
    struct world *world = context;
    struct effects *effects = effects_of(world);
    effects->look = NULL;
    if (psp_is_up(world->psp) && !psp_is_draining(world->psp)) {
        effects->sent =
            effects->asked && psp_is_drained(world->psp) && psp_webhooks(world->psp) == 0;
        effects->asked = true;
        if (effects->sent)
            return;
        psp_drain(world->psp);
    }
    effects->look = loop_after(world->loop, AGAIN_MS, look, world);
}

void effects_await_webhooks(struct world *world)
{
    struct effects *effects = effects_of(world);
    effects->asked = effects->sent = false;
    look(world);
}

bool effects_webhooks_are_sent(const struct world *world)
{
    return world->effects->sent;
}

/* --- how often ------------------------------------------------------------------------------- */

static void ask(void *context);

static void record(const struct count *count, const struct json *times)
{
    struct world *world = count->run->world;
    struct event event = event_new(EVENT_DONE, 0, world_now_ms(world));
    int64_t number = 0;
    if (json_as_int(times, &number))
        json_set_int(event.data, "times", number);
    event.order = mem_strdup(count->run->order->id);
    json_set_string(event.data, "effect", json_name(times));
    world_record(world, event);
}

static bool is_missing(const struct count *count, const struct json *effects)
{
    int64_t times = 0;
    if (count->run->outcome != OUTCOME_SUCCEEDED)
        return false;
    for (const struct json *one = json_first(effects); one != NULL; one = json_next(one))
        if (json_as_int(one, &times) && times == 0)
            return true;
    return effects == NULL;
}

static void counted(void *context, const struct client_answer *answer)
{
    struct count *count = context;
    struct world *world = count->run->world;
    if (answer->err == ERR_OK && is_missing(count, answer->effects) &&
        clock_monotonic_us() < world->effects->until_us)
        count->again = loop_after(world->loop, AGAIN_MS, ask, count);
    else
        for (const struct json *one = json_first(answer->effects); one != NULL;
             one = json_next(one))
            record(count, one);
    asking_free(count->asking);
    count->asking = NULL;
}

static void ask(void *context)
{
    struct count *count = context;
    struct world *world = count->run->world;
    count->again = NULL;
    count->asking = asking_start(world, count->run->order, CLIENT_EFFECTS, counted, count);
}

void effects_ask(struct world *world)
{
    const struct client_plan *plan = client_file_plan(world->client);
    struct effects *effects = effects_of(world);
    size_t orders = world->result->orders.count;
    if (!plan->counts)
        return;
    effects->until_us = clock_monotonic_us() + plan->patience_ms * 1000;
    effects->counts = mem_alloc(orders * sizeof *effects->counts);
    for (size_t i = 0; i < orders; i++) {
        effects->counts[i].run = &world->runs[i];
        if (world->runs[i].runs > 0)
            ask(&effects->counts[i]);
    }
}

bool effects_are_in(const struct world *world)
{
    const struct count *counts = world->effects->counts;
    for (size_t i = 0; counts != NULL && i < world->result->orders.count; i++)
        if (counts[i].asking != NULL || counts[i].again != NULL)
            return false;
    return true;
}

void effects_release(struct world *world)
{
    struct effects *effects = world->effects;
    if (effects == NULL)
        return;
    loop_timer_stop(effects->look);
    for (size_t i = 0; effects->counts != NULL && i < world->result->orders.count; i++) {
        loop_timer_stop(effects->counts[i].again);
        asking_free(effects->counts[i].asking);
    }
    free(effects->counts);
    free(effects);
}
