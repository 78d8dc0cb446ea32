#include "workers.h"

#include "client_file.h"
#include "client_process.h"
#include "crash.h"
#include "mem.h"
#include "shape.h"
#include "world_internal.h"

#include <stdlib.h>

#define PAUSE_MS    100 /* before one that has ended by itself is started again */
#define MOST_DEATHS 20  /* by itself, and not with status 0 */
#define MOST_SAID   300 /* bytes of its last words */

struct worker {
    struct world *world;
    struct client_process *process;
    char **command;
    int deaths;
    struct loop_timer *pause;
};

struct workers {
    struct worker *items;
    size_t count;
};

static void nothing_said(struct client_process *process, enum proc_stream stream, const char *line)
{
    (void)process;
    (void)stream;
    (void)line;
}

static void paused(void *context)
{
    struct worker *worker = context;
    worker->pause = NULL;
    workers_progress(worker->world);
}

/* A worker may be made to end after a while, or after a job; one that only ever fails is none. */
static void left(struct client_process *process)
{
    struct worker *worker = process->context;
    const char *last = process->last_words;
    if (process->killed_by != 0)
        return; /* the crash says when it is over */
    worker->deaths += process->end.signalled || process->end.code != 0;
    if (worker->deaths <= MOST_DEATHS) {
        worker->pause = loop_after(process->world->loop, PAUSE_MS, paused, worker);
        return;
    }
    world_end(process->world, WORLD_HAS_NO_CLIENT, "%s failed again and again, with %s %d%s%.*s",
              process->role, process->end.signalled ? "signal" : "status", process->end.code,
              last == NULL ? "" : "; it said: ", MOST_SAID, last == NULL ? "" : last);
}

static void make(struct world *world)
{
    char ***commands = client_file_plan(world->client)->workers;
    struct workers *workers = mem_alloc(sizeof *workers);
    while (commands[workers->count] != NULL)
        workers->count++;
    workers->items = mem_alloc(workers->count * sizeof *workers->items);
    world->workers = workers;
    for (size_t i = 0; i < workers->count; i++) {
        struct worker *worker = &workers->items[i];
        char *role = mem_printf("worker_%zu", i + 1);
        worker->world = world;
        worker->command = commands[i];
        worker->process = client_process_new(world, NULL, role);
        worker->process->said = nothing_said;
        worker->process->left = left;
        worker->process->context = worker;
        free(role);
    }
}

void workers_progress(struct world *world)
{
    if (client_file_plan(world->client)->workers == NULL || world->over != WORLD_GOES_ON ||
        world->psp == NULL || !psp_is_up(world->psp) || crash_holds_clients(world) ||
        (world->shape->is_ready != NULL && !world->shape->is_ready(world)))
        return;
    if (world->workers == NULL)
        make(world);
    for (size_t i = 0; i < world->workers->count && world->over == WORLD_GOES_ON; i++) {
        struct worker *worker = &world->workers->items[i];
        if (!client_process_is_there(worker->process) && worker->pause == NULL)
            client_process_start(worker->process, worker->command);
    }
}

void workers_release(struct world *world)
{
    for (size_t i = 0; world->workers != NULL && i < world->workers->count; i++)
        loop_timer_stop(world->workers->items[i].pause);
    if (world->workers != NULL)
        free(world->workers->items);
    free(world->workers);
}
