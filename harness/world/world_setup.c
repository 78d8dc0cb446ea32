/* Building a world up, and tearing it down. */
#include "call.h"
#include "client_clock.h"
#include "client_file.h"
#include "client_process.h"
#include "crash.h"
#include "effects.h"
#include "keeper.h"
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

#include <stdlib.h>

void world_prepare(void)
{
    psp_prepare();
}

void world_reuse(void)
{
    psp_reuse();
    keeper_reuse();
}

void world_reuse_end(void)
{
    psp_reuse_end();
    keeper_reuse_end();
}

static bool psp_has_come_up(const struct world *world)
{
    return psp_is_up(world->psp);
}

static void make_orders(struct world *world)
{
    int count = world->options->orders;
    if (count == 0)
        count = scenario_orders(world->scenario);
    world->result->orders = orders_make(world->options->seed, count == 0 ? 1 : count);
    world->runs = mem_alloc(world->result->orders.count * sizeof *world->runs);
    for (size_t i = 0; i < world->result->orders.count; i++) {
        world->runs[i].world = world;
        world->runs[i].order = &world->result->orders.items[i];
    }
    world->attribution = attribution_new(&world->result->orders);
}

static void make_secrets(struct world *world)
{
    struct rng rng;
    char text[25];
    rng_init(&rng, rng_mix(world->options->seed, 2));
    rng_alnum(&rng, text, 24);
    world->api_key = mem_printf("sk_test_%s", text);
    rng_alnum(&rng, text, 24);
    world->webhook_secret = mem_printf("whsec_%s", text);
}

const struct dialect *world_dialect(const struct world *world)
{
    return world->options->dialect != NULL ? world->options->dialect
                                           : scenario_dialect(world->scenario);
}

static enum err open_psp(struct world *world, struct err_text *why)
{
    char *db = box_path(&world->box, "psp.db");
    char *log = box_path(&world->box, "logs/provider.log");
    struct psp_options options = {.db = db,
                                  .log = log,
                                  .seed = rng_mix(world->options->seed, 3),
                                  .dialect = world_dialect(world)};
    enum err err = psp_open(&world->psp, world->loop, &options, call_handlers(world), why);
    if (err == ERR_OK)
        err = psp_start(world->psp, why);
    free(db);
    free(log);
    if (err != ERR_OK)
        return err;
    world->urls[0] = mem_printf("http://127.0.0.1:%d", psp_port(world->psp));
    world->urls[1] = mem_printf("%d", psp_port(world->psp));
    return world_run_until(world, psp_has_come_up, why);
}

/* What its file asks for before the first run. */
static enum err open_client(struct world *world, struct err_text *why)
{
    const struct client_plan *plan = client_file_plan(world->client);
    enum err err = ERR_OK;
    if (plan->claims || plan->submits || plan->counts)
        world->transfers = transfers_new(world->loop);
    if (plan->shape == CLIENT_SERVICE)
        err = app_port_take(&world->app_port, why);
    if (err != ERR_OK)
        return err;
    if (world->app_port.port != 0)
        world->app_port_text = mem_printf("%d", world->app_port.port);
    if (world->shape->open != NULL)
        world->shape->open(world);
    workers_progress(world);
    return ERR_OK;
}

enum err world_open(struct world *world, struct err_text *why)
{
    enum err err = box_open(&world->box, why);
    if (err != ERR_OK)
        return err;
    if (world->options->boxed != NULL)
        world->options->boxed(world->options->context, world->box.path);
    char *path = box_path(&world->box, "history.jsonl");
    world->history_file = fopen(path, "we");
    free(path);
    if (world->history_file == NULL)
        return err_say(why, ERR_IO, "history.jsonl cannot be written in %s", world->box.path);
    setvbuf(world->history_file, NULL, _IOLBF, 0);
    err = client_clock_open(world, why);
    if (err != ERR_OK)
        return err;
    make_orders(world);
    make_secrets(world);
    err = open_psp(world, why);
    return err == ERR_OK ? open_client(world, why) : err;
}

void world_close(struct world *world)
{
    crash_release(world);
    pause_release(world);
    effects_release(world);
    last_claims_release(world);
    if (world->shape->release != NULL)
        world->shape->release(world);
    workers_release(world);
    client_processes_release(world);
    client_clock_close(world);
    app_port_release(&world->app_port);
    free(world->app_port_text);
    order_runs_release(world);
    transfers_free(world->transfers);
    psp_close(world->psp);
    if (!strays_end())
        result_add(world->result, VERDICT_ERROR,
                   "processes of a client could not be ended, and may still run");
    calls_release(world);
    attribution_free(world->attribution);
    if (world->history_file != NULL)
        fclose(world->history_file);
    loop_free(world->loop);
    /* Whoever interrupts a run does not want to look into it. */
    bool passed = world->result->verdict == VERDICT_PASS || world->over == WORLD_INTERRUPTED;
    if ((!passed || world->options->keep) && !world->options->discard)
        world->result->box = mem_strdup(world->box.path);
    box_close(&world->box, world->result->box != NULL);
    free(world->urls[0]);
    free(world->urls[1]);
    free(world->api_key);
    free(world->webhook_secret);
    free(world->over_why);
}
