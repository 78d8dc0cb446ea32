#include "asking.h"

#include "client_process.h"
#include "mem.h"
#include "order_scene.h"
#include "world_internal.h"

#include <stdlib.h>

struct asking {
    struct world *world;
    struct order_scene *scene;
    struct client_task *task;
    int deaths; /* of processes that serve all orders, when it began */
    asking_over *over;
    void *context;
};

/* A function that asks somebody who is killed meanwhile may trip over the answer that is not there:
 * that is no fault of its. */
static int deaths(const struct world *world)
{
    int count = 0;
    for (const struct client_process *process = world->processes; process != NULL;
         process = process->next)
        if (process->order == NULL)
            count += process->runs - (process->proc != NULL);
    return count;
}

static void told(void *context, const struct client_answer *answer)
{
    struct asking *asking = context;
    struct client_answer given = *answer;
    if (given.err != ERR_OK && asking->deaths != deaths(asking->world))
        given = (struct client_answer){.outcome = OUTCOME_UNKNOWN};
    if (given.err != ERR_OK)
        world_end(asking->world, WORLD_CLIENT_IS_BROKEN, "%s", given.why.text);
    asking->over(asking->context, &given);
}

struct asking *asking_start(struct world *world, const struct order *order,
                            enum client_function function, asking_over *over, void *context)
{
    struct err_text why;
    struct order_scene *scene;
    if (order_scene_new(world, order, &scene, &why) != ERR_OK) {
        world_end(world, WORLD_BROKE, "the client %s", why.text);
        return NULL;
    }
    struct asking *asking = mem_alloc(sizeof *asking);
    *asking = (struct asking){
        .world = world, .scene = scene, .deaths = deaths(world), .over = over, .context = context};
    asking->task =
        client_task_start(world->client, function, order_scene_client(scene), told, asking);
    return asking;
}

void asking_free(struct asking *asking)
{
    if (asking == NULL)
        return;
    client_task_free(asking->task);
    order_scene_free(asking->scene);
    free(asking);
}
