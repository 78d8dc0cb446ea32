/* A process per order; or several at once, as after a double click, when a job is delivered twice,
 * or when two workers take the same one. */
#include "client_file.h"
#include "client_process.h"
#include "mem.h"
#include "order_run.h"
#include "shape.h"
#include "world_internal.h"

#include <stdlib.h>

/* The processes of one order. */
struct crowd {
    struct client_process *processes[CLIENT_MOST_PROCESSES];
    int count; /* started for this run; more than one at a time, or one after the other */
    int left;  /* of them have ended */
};

static void said(struct client_process *process, enum proc_stream stream, const char *line)
{
    if (stream == PROC_STDOUT)
        order_run_said(process->context, line);
}

/* One that says that it is paid is enough; that it is not paid has to be said by all of them. */
static enum outcome outcome_of(const struct crowd *crowd, int count)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        const struct client_process *process = crowd->processes[i];
        enum outcome outcome =
            client_process_crashed(process) ? OUTCOME_UNKNOWN : claim_of_end(process->end);
        if (outcome == OUTCOME_SUCCEEDED)
            return outcome;
        failed += outcome == OUTCOME_FAILED;
    }
    return failed == count ? OUTCOME_FAILED : OUTCOME_UNKNOWN;
}

static bool all_crashed(const struct crowd *crowd, int count)
{
    int crashed = 0;
    for (int i = 0; i < count; i++)
        crashed += client_process_crashed(crowd->processes[i]);
    return crashed == count;
}

/* What claim(order) says counts for more than what it printed; what it printed for more than how it
 * ended, unless it was cut off. */
static void left(struct client_process *process)
{
    struct order_run *run = process->context;
    struct crowd *crowd = run->shape;
    const struct client_plan *plan = client_file_plan(process->world->client);
    int count = crowd->count;
    mem_set_string(&run->last_words, process->last_words);
    if (++crowd->left < count)
        return;
    if (plan->claims)
        claiming_start(run, plan->workers == NULL ? 0 : plan->patience_ms); /* they go on */
    else if (all_crashed(crowd, count))
        order_run_end(run, OUTCOME_UNKNOWN, NULL, CLAIM_BY_CRASH);
    else if (run->said.outcome != OUTCOME_NONE)
        order_run_end(run, run->said.outcome, run->said.payment, CLAIM_BY_LINE);
    else
        order_run_end(run, outcome_of(crowd, count), NULL, CLAIM_BY_EXIT);
}

static struct client_process *make_process(struct order_run *run, int number, bool alone)
{
    char *role = alone ? NULL : mem_printf("process_%d", number);
    struct client_process *process = client_process_new(run->world, run->order, role);
    process->said = said;
    process->left = left;
    process->context = run;
    free(role);
    return process;
}

/* COUNT more. */
static void start_processes(struct order_run *run, int count)
{
    const struct client_plan *plan = client_file_plan(run->world->client);
    struct crowd *crowd = run->shape;
    for (int i = 0; i < count; i++) {
        struct client_process **process = &crowd->processes[crowd->count++];
        if (*process == NULL)
            *process = make_process(run, crowd->count, crowd->count == 1 && plan->processes == 1);
        if (!client_process_start(*process, plan->command))
            return;
    }
}

static void start(struct world *world)
{
    struct order_run *run = order_runs_first(world);
    order_run_begin(run);
    if (run->shape == NULL)
        run->shape = mem_alloc(sizeof(struct crowd));
    struct crowd *crowd = run->shape;
    crowd->count = 0;
    crowd->left = 0;
    start_processes(run, client_file_plan(world->client)->processes);
}

static void again(struct order_run *run)
{
    const struct crowd *crowd = run->shape;
    int more = client_file_plan(run->world->client)->processes;
    if (crowd->left == crowd->count || crowd->count + more > CLIENT_MOST_PROCESSES)
        return;
    job_deliver_again(run);
    start_processes(run, more);
}

static void release(struct world *world)
{
    for (size_t i = 0; world->runs != NULL && i < world->result->orders.count; i++)
        free(world->runs[i].shape);
}

const struct shape shape_command = {.start = start, .again = again, .release = release};
