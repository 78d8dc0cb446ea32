/* One process for many orders: those that wait come as JSON lines on its stdin, what it says of
 * each is a line of JSON on its stdout. A line that it has written counts, whatever becomes of it
 * afterwards; of whom it has said nothing is unknown, and comes again. */
#include "client_file.h"
#include "client_process.h"
#include "json.h"
#include "mem.h"
#include "order_run.h"
#include "shape.h"
#include "world_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void said(struct client_process *process, enum proc_stream stream, const char *line)
{
    struct world *world = process->world;
    struct claim claim;
    struct err_text why;
    enum err err = stream == PROC_STDOUT ? claim_read(line, &claim, &why) : ERR_NOT_FOUND;
    if (err == ERR_INVALID)
        world_note(world, "the client's batch printed a claim that cannot be read, %s: %.200s",
                   why.text, line);
    if (err != ERR_OK)
        return;
    struct order_run *run = order_run_find(world, claim.order);
    if (run != NULL && run->under_way)
        order_run_said(run, line);
    else
        world_note(world, "the client's batch made a claim about '%.100s', which it was not given",
                   claim.order);
    claim_release(&claim);
}

/* It works for each of its orders, from its start to its end. */
static void record(const struct order_run *run, const struct client_process *process,
                   enum event_kind kind)
{
    struct event event = client_process_event(process, kind);
    event.order = mem_strdup(run->order->id);
    json_set_int(event.data, "run", run->runs);
    if (kind == EVENT_EXIT)
        json_set_int(event.data, process->end.signalled ? "signal" : "status", process->end.code);
    world_record(run->world, event);
}

static void end_run(struct order_run *run, const struct client_process *process)
{
    record(run, process, EVENT_EXIT);
    mem_set_string(&run->last_words, process->last_words);
    const struct client_plan *plan = client_file_plan(run->world->client);
    if (plan->claims)
        claiming_start(run, plan->workers == NULL ? 0 : plan->patience_ms); /* they go on */
    else if (run->said.outcome != OUTCOME_NONE)
        order_run_end(run, run->said.outcome, run->said.payment, CLAIM_BY_LINE);
    else
        order_run_end(run, OUTCOME_UNKNOWN, NULL,
                      client_process_crashed(process) ? CLAIM_BY_CRASH : CLAIM_BY_EXIT);
}

static void left(struct client_process *process)
{
    struct world *world = process->world;
    for (size_t i = 0; i < world->result->orders.count; i++)
        if (world->runs[i].under_way)
            end_run(&world->runs[i], process);
}

static void write_order(FILE *file, const struct order *order)
{
    struct json *json = json_object();
    json_set_string(json, "order", order->id);
    json_set_int(json, "amount", order->amount);
    json_set_string(json, "currency", order->currency);
    char *line = json_print(json);
    fprintf(file, "%s\n", line);
    free(line);
    json_free(json);
}

/* Begins the run of everybody who waits. The path of the file with their lines. */
static char *begin_all(struct world *world, int number)
{
    char *path = box_path(&world->box, "logs/batch_%d.jsonl", number);
    FILE *file = fopen(path, "we");
    struct order_run *run;
    while (file != NULL && (run = order_runs_first(world)) != NULL) {
        order_run_begin(run);
        write_order(file, run->order);
    }
    bool broke = file == NULL || ferror(file);
    if (file != NULL)
        broke = fclose(file) != 0 || broke;
    if (broke)
        world_end(world, WORLD_BROKE, "%s cannot be written: %s", path, strerror(errno));
    return path;
}

static void open_batch(struct world *world)
{
    world->batch = client_process_new(world, NULL, "batch");
    world->batch->said = said;
    world->batch->left = left;
    world->batch->silent = true;
}

static void start(struct world *world)
{
    struct client_process *process = world->batch;
    free(process->input);
    process->input = begin_all(world, process->runs + 1);
    if (world->over != WORLD_GOES_ON ||
        !client_process_start(process, client_file_plan(world->client)->command))
        return;
    for (size_t i = 0; i < world->result->orders.count; i++)
        if (world->runs[i].under_way)
            record(&world->runs[i], process, EVENT_START);
}

const struct shape shape_batch = {.open = open_batch, .start = start};
