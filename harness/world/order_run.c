/* The client processes of an order: started one after the other, listened to, taken at their word.
 */
#include "order_run.h"

#include "client.h"
#include "crash.h"
#include "mem.h"
#include "world_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the history, of one run; the log has more. */
#define LINES_KEPT 500
#define LINE_KEPT  1000 /* bytes */

#define LOG_MOST (16L << 20) /* bytes: a client that talks for ever shall not fill the disk */

bool order_run_is_settled(const struct order_run *run)
{
    return run->outcome == OUTCOME_SUCCEEDED || run->outcome == OUTCOME_FAILED;
}

bool order_run_is_there(const struct order_run *run)
{
    return run->proc != NULL || run->leaving;
}

struct order_run *order_run_find(const struct world *world, const char *order)
{
    for (size_t i = 0; order != NULL && i < world->result->orders.count; i++)
        if (strcmp(world->runs[i].order->id, order) == 0)
            return &world->runs[i];
    return NULL;
}

struct order_run *order_runs_alone(const struct world *world)
{
    struct order_run *alone = NULL;
    for (size_t i = 0; i < world->result->orders.count; i++) {
        if (!order_run_is_there(&world->runs[i]))
            continue;
        if (alone != NULL)
            return NULL;
        alone = &world->runs[i];
    }
    return alone;
}

void order_run_queue(struct order_run *run)
{
    if (run->queued == 0)
        run->queued = ++run->world->queue_end;
}

static void log_broke(struct order_run *run)
{
    world_end(run->world, WORLD_BROKE, "logs/%s.log cannot be written in %s: %s", run->order->id,
              run->world->box.path, strerror(errno));
}

/* --- what it says ---------------------------------------------------------------------------- */

static void line_claims(struct order_run *run, const char *text)
{
    struct claim claim;
    struct err_text why;
    enum err err = claim_read(text, &claim, &why);
    if (err == ERR_INVALID) {
        free(run->misread);
        run->misread = mem_printf("%s's client printed a claim that cannot be read, %s: %.200s",
                                  run->order->id, why.text, text);
    }
    if (err != ERR_OK)
        return;
    if (strcmp(claim.order, run->order->id) == 0) {
        claim_release(&run->said);
        run->said = claim;
        return;
    }
    world_note(run->world,
               "%s's client made a claim about '%.100s', which is another order: %.200s",
               run->order->id, claim.order, text);
    claim_release(&claim);
}

/* At most LINE_KEPT bytes, and no half character (a byte 10xxxxxx goes on with the one before). */
static char *beginning(const char *text)
{
    size_t length = strlen(text);
    if (length > LINE_KEPT)
        length = LINE_KEPT;
    while (length > 0 && (text[length] & 0xC0) == 0x80)
        length--;
    return mem_strndup(text, length);
}

static void line_came(void *context, enum proc_stream stream, const char *text)
{
    struct order_run *run = context;
    if (run->log != NULL && ftell(run->log) < LOG_MOST)
        fprintf(run->log, "%d %s: %s\n", run->runs, proc_stream_name(stream), text);
    if (stream == PROC_STDERR && *text != '\0')
        mem_set_string(&run->last_words, text);
    if (++run->lines <= LINES_KEPT) {
        struct event event = event_new(EVENT_OUTPUT, 0, world_now_ms(run->world));
        event.order = mem_strdup(run->order->id);
        json_set_int(event.data, "run", run->runs);
        json_set_string(event.data, "stream", proc_stream_name(stream));
        char *start = beginning(text);
        json_set_string(event.data, "text", start);
        free(start);
        world_record(run->world, event);
    }
    if (stream == PROC_STDOUT)
        line_claims(run, text);
}

/* --- how it ends ----------------------------------------------------------------------------- */

/* A crash is a crash, also when a runtime that caught our signal reports it as a shell would. */
static bool crashed(const struct order_run *run, struct proc_end end)
{
    return end.signalled || (run->killed_by != 0 && end.code == 128 + run->killed_by);
}

static void record_exit(struct order_run *run, struct proc_end end)
{
    struct event event = event_new(EVENT_EXIT, 0, world_now_ms(run->world));
    event.order = mem_strdup(run->order->id);
    json_set_int(event.data, "run", run->runs);
    json_set_int(event.data, end.signalled ? "signal" : "status", end.code);
    world_record(run->world, event);
}

/* What it printed counts for more than how it ended, unless it was cut off. */
static void record_claim(struct order_run *run, struct proc_end end)
{
    if (run->misread != NULL && !crashed(run, end)) /* half a line of the dead is none */
        world_note(run->world, "%s", run->misread);
    bool by_line = !crashed(run, end) && run->said.outcome != OUTCOME_NONE;
    run->outcome = crashed(run, end) ? OUTCOME_UNKNOWN
                   : by_line         ? run->said.outcome
                                     : claim_of_end(end);
    struct event event = event_new(EVENT_CLAIM, 0, world_now_ms(run->world));
    event.order = mem_strdup(run->order->id);
    json_set_int(event.data, "run", run->runs);
    json_set_string(event.data, "outcome", outcome_name(run->outcome));
    if (by_line)
        json_maybe_string(event.data, "payment", run->said.payment);
    json_set_string(event.data, "by", by_line ? "line" : crashed(run, end) ? "crash" : "exit");
    world_record(run->world, event);
}

/* What the client sent is on its way through the kernel and the provider when it ends; its end
 * comes after all of that in the history, however fast either of them is. False while there may be
 * more of it. What lingers is not waited for: it goes on beside the next client. */
static bool provider_is_done(struct order_run *run)
{
    struct world *world = run->world;
    if (world->psp_crash.pending)
        return false;
    if (psp_is_down(world->psp))
        return true;
    if (!psp_is_up(world->psp) || psp_is_draining(world->psp))
        return false;
    if (calls_are_ending(world)) {
        run->drained_calls = SIZE_MAX; /* more may come behind them on the same connections */
        return false;
    }
    if (run->drained_calls == world->call_count)
        return true;
    run->drained_calls = world->call_count;
    psp_drain(world->psp);
    return false;
}

static void leave(struct order_run *run)
{
    run->leaving = false;
    record_exit(run, run->end);
    record_claim(run, run->end);
    if (run->end.left_behind)
        world_note(run->world,
                   "%s's client left processes behind; what they would have done is not known",
                   run->order->id);
}

static void ended(void *context, struct proc_end end)
{
    struct order_run *run = context;
    if (run->log != NULL && (ferror(run->log) || fflush(run->log) != 0))
        log_broke(run);
    proc_free(run->proc);
    run->proc = NULL;
    run->leaving = true;
    run->end = end;
    run->drained_calls = SIZE_MAX;
    order_runs_progress(run->world);
}

void order_runs_progress(struct world *world)
{
    for (size_t i = 0; world->over == WORLD_GOES_ON && i < world->result->orders.count; i++)
        if (world->runs[i].leaving && provider_is_done(&world->runs[i]))
            leave(&world->runs[i]);
    order_runs_next(world);
}

/* --- how it begins --------------------------------------------------------------------------- */

static enum err launch(struct order_run *run, struct err_text *why)
{
    struct world *world = run->world;
    char *state = box_dir(&world->box, "state/%s", run->order->id);
    if (state == NULL)
        return err_say(why, ERR_IO, "has no state directory in %s: %s", world->box.path,
                       strerror(errno));
    char *amount = mem_printf("%lld", (long long)run->order->amount);
    struct client_values values = {.url = world->urls[0],
                                   .host = "127.0.0.1",
                                   .port = world->urls[1],
                                   .key = world->api_key,
                                   .order = run->order->id,
                                   .amount = amount,
                                   .currency = run->order->currency,
                                   .state = state,
                                   .webhook_secret = world->webhook_secret};
    char **command = client_command(world->options->command, &values);
    char **environment = client_environment(environ, &values);
    struct proc_handlers handlers = {.line = line_came, .ended = ended, .context = run};
    enum err err = proc_start(world->loop, command, environment, handlers, &run->proc, why);
    client_list_free(command);
    client_list_free(environment);
    free(amount);
    free(state);
    return err;
}

static void open_log(struct order_run *run)
{
    if (run->log != NULL)
        return;
    char *path = box_path(&run->world->box, "logs/%s.log", run->order->id);
    run->log = fopen(path, "ae");
    if (run->log == NULL)
        log_broke(run);
    free(path);
}

static void start(struct order_run *run)
{
    struct world *world = run->world;
    struct err_text why;
    run->queued = 0;
    run->runs++;
    run->killed_by = 0;
    run->lines = 0;
    free(run->misread);
    run->misread = NULL;
    claim_release(&run->said);
    open_log(run);
    enum err err = launch(run, &why);
    if (err != ERR_OK) {
        world_end(world, err == ERR_IO ? WORLD_BROKE : WORLD_HAS_NO_CLIENT, "the client %s",
                  why.text);
        return;
    }
    struct event event = event_new(EVENT_START, 0, world_now_ms(world));
    event.order = mem_strdup(run->order->id);
    json_set_int(event.data, "run", run->runs);
    json_set_int(event.data, "pid", proc_pid(run->proc));
    world_record(world, event);
}

static struct order_run *first_in_queue(const struct world *world)
{
    struct order_run *first = NULL;
    for (size_t i = 0; i < world->result->orders.count; i++) {
        struct order_run *run = &world->runs[i];
        if (run->queued != 0 && (first == NULL || run->queued < first->queued))
            first = run;
    }
    return first;
}

static bool any_runs(const struct world *world)
{
    for (size_t i = 0; i < world->result->orders.count; i++)
        if (order_run_is_there(&world->runs[i]))
            return true;
    return false;
}

bool order_runs_busy(const struct world *world)
{
    return any_runs(world) || first_in_queue(world) != NULL;
}

/* One at a time, so that a seed decides the whole run; not before a crash has run its course, and
 * not while the provider is down: how many runs that time is good for is the machine's doing. */
void order_runs_next(struct world *world)
{
    if (world->over != WORLD_GOES_ON || any_runs(world) || crash_holds_clients(world) ||
        !psp_is_up(world->psp))
        return;
    struct order_run *run = first_in_queue(world);
    if (run != NULL)
        start(run);
}

void order_runs_release(struct world *world)
{
    for (size_t i = 0; world->runs != NULL && i < world->result->orders.count; i++) {
        struct order_run *run = &world->runs[i];
        proc_free(run->proc);
        claim_release(&run->said);
        free(run->last_words);
        free(run->misread);
        if (run->log != NULL)
            fclose(run->log);
    }
    free(world->runs);
}
