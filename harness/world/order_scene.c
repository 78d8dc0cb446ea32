#include "order_scene.h"

#include "client_clock.h"
#include "client_file.h"
#include "mem.h"
#include "order_run.h"
#include "tree_copy.h"
#include "world_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct order_scene {
    struct client_scene client;
    char *amount;
    char *attempt;
    char *tries;
    char *state;
    char **environment;
    bool clock;
};

/* The directory NAME, which begins as a copy of what was prepared. */
static enum err state_dir(struct world *world, const char *name, char **state, struct err_text *why)
{
    struct err_text inner = {0};
    enum err err = ERR_OK;
    *state = box_path(&world->box, "state/%s", name);
    if (access(*state, F_OK) == 0)
        return ERR_OK;
    if (world->options->prepared != NULL)
        err = tree_copy(world->options->prepared, *state, &inner);
    else if (mkdir(*state, 0777) != 0)
        err = err_say(&inner, ERR_IO, "%s", strerror(errno));
    if (err == ERR_OK)
        return ERR_OK;
    free(*state);
    return err_say(why, err, "has no state directory in %s: %s", world->box.path, inner.text);
}

enum err order_scene_new(struct world *world, const struct order *order, struct order_scene **scene,
                         struct err_text *why)
{
    const struct client_plan *plan = client_file_plan(world->client);
    bool alone = order != NULL && plan->shape == CLIENT_COMMAND && plan->workers == NULL;
    char *state;
    *scene = NULL;
    enum err err = state_dir(world, alone ? order->id : "app", &state, why);
    if (err != ERR_OK)
        return err;
    struct order_scene *made = mem_alloc(sizeof *made);
    made->state = state;
    made->client = (struct client_scene){.loop = world->loop,
                                         .transfers = world->transfers,
                                         .values = world_client_values(world),
                                         .directory = plan->directory};
    made->client.values.state = state;
    if (order != NULL) {
        made->amount = mem_printf("%lld", (long long)order->amount);
        made->client.values.order = order->id;
        made->client.values.amount = made->amount;
        made->client.values.currency = order->currency;
        made->attempt = mem_printf("%d", order_run_find(world, order->id)->job.attempt);
        made->tries = world->queue.tries == 0 ? NULL : mem_printf("%d", world->queue.tries);
        made->client.values.attempt = made->attempt;
        made->client.values.tries = made->tries;
    }
    made->environment = client_environment(environ, &made->client.values, plan->environment);
    made->clock = client_clock_give(world, &made->environment);
    made->client.environment = made->environment;
    *scene = made;
    return ERR_OK;
}

bool order_scene_has_clock(const struct order_scene *scene)
{
    return scene->clock;
}

void order_scene_free(struct order_scene *scene)
{
    if (scene == NULL)
        return;
    free(scene->amount);
    free(scene->attempt);
    free(scene->tries);
    free(scene->state);
    client_list_free(scene->environment);
    free(scene);
}

const struct client_scene *order_scene_client(const struct order_scene *scene)
{
    return &scene->client;
}
