#include "client_process.h"

#include "client.h"
#include "client_clock.h"
#include "clock.h"
#include "deed.h"
#include "mem.h"
#include "order_scene.h"
#include "world_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In the history, of one run; the log has more. */
#define LINES_KEPT 500
#define LINE_KEPT  1000 /* bytes */

#define LOG_MOST (16L << 20) /* bytes: a client that talks for ever shall not fill the disk */

struct client_process *client_process_new(struct world *world, const struct order *order,
                                          const char *role)
{
    struct client_process **end = &world->processes;
    while (*end != NULL)
        end = &(*end)->next;
    *end = mem_alloc(sizeof **end);
    (*end)->world = world;
    (*end)->order = order;
    (*end)->role = mem_strdup(role);
    return *end;
}

bool client_process_is_there(const struct client_process *process)
{
    return process->proc != NULL || process->leaving;
}

/* A crash is a crash, also when a runtime that caught our signal reports it as a shell would. */
bool client_process_crashed(const struct client_process *process)
{
    return process->end.signalled ||
           (process->killed_by != 0 && process->end.code == 128 + process->killed_by);
}

char *client_process_name(const struct client_process *process)
{
    if (process->order == NULL)
        return mem_printf("the client's %s", process->role);
    if (process->role == NULL)
        return mem_printf("%s's client", process->order->id);
    return mem_printf("%s of %s's client", process->role, process->order->id);
}

struct event client_process_event(const struct client_process *process, enum event_kind kind)
{
    struct event event = event_new(kind, 0, world_now_ms(process->world));
    event.order = process->order == NULL ? NULL : mem_strdup(process->order->id);
    json_set_int(event.data, "run", process->runs);
    json_maybe_string(event.data, "process", process->role);
    return event;
}

/* How sure it is that PROCESS has sent ATTEMPT: 0, not at all. */
static int likelihood(const struct client_process *process, const struct attempt *attempt)
{
    const struct world *world = process->world;
    bool of_order = process->order != NULL && attempt->order != NULL &&
                    strcmp(process->order->id, attempt->order) == 0;
    if (process->proc == NULL || (process->order != NULL && !of_order))
        return 0;
    if (attempt->peer_port != 0 &&
        proc_with_connection(process->proc, attempt->peer_port, psp_port(world->psp)) != 0)
        return 3;
    return of_order ? 2 : 1;
}

struct client_process *client_process_of(const struct world *world, const struct attempt *attempt)
{
    struct client_process *found = NULL;
    int best = 0;
    for (struct client_process *process = world->processes; process != NULL;
         process = process->next) {
        int likely = likelihood(process, attempt);
        if (likely > best)
            found = process;
        best = likely > best ? likely : best;
    }
    return found;
}

/* --- what it says ---------------------------------------------------------------------------- */

/* The path of its log in the box. */
static char *log_name(const struct client_process *process)
{
    if (process->order == NULL || process->role == NULL)
        return mem_printf("logs/%s.log",
                          process->order == NULL ? process->role : process->order->id);
    return mem_printf("logs/%s.%s.log", process->order->id, process->role);
}

static void log_broke(const struct client_process *process)
{
    char *name = log_name(process);
    world_end(process->world, WORLD_BROKE, "%s cannot be written in %s: %s", name,
              process->world->box.path, strerror(errno));
    free(name);
}

static void open_log(struct client_process *process)
{
    if (process->log != NULL)
        return;
    char *name = log_name(process);
    char *path = box_path(&process->world->box, "%s", name);
    process->log = fopen(path, "ae");
    if (process->log == NULL)
        log_broke(process);
    free(path);
    free(name);
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

static void record_line(const struct client_process *process, enum proc_stream stream,
                        const char *text)
{
    struct event event = client_process_event(process, EVENT_OUTPUT);
    json_set_string(event.data, "stream", proc_stream_name(stream));
    char *start = beginning(text);
    json_set_string(event.data, "text", start);
    free(start);
    world_record(process->world, event);
}

static void line_came(void *context, enum proc_stream stream, const char *text)
{
    struct client_process *process = context;
    if (process->log != NULL && process->logged < LOG_MOST)
        process->logged +=
            fprintf(process->log, "%d %s: %s\n", process->runs, proc_stream_name(stream), text);
    if (stream == PROC_STDERR && *text != '\0')
        mem_set_string(&process->last_words, text);
    if (++process->lines <= LINES_KEPT)
        record_line(process, stream, text);
    if (stream == PROC_STDOUT)
        deed_hear(process, text);
    process->said(process, stream, text);
}

/* --- how it ends ----------------------------------------------------------------------------- */

static void record_exit(const struct client_process *process)
{
    struct event event = client_process_event(process, EVENT_EXIT);
    json_set_int(event.data, process->end.signalled ? "signal" : "status", process->end.code);
    world_record(process->world, event);
}

static void leave(struct client_process *process)
{
    char *name = client_process_name(process);
    process->leaving = false;
    client_clock_left(process);
    if (!process->silent)
        record_exit(process);
    if (process->end.left_behind)
        world_note(process->world,
                   "%s left processes behind; what they would have done is not known: it has to "
                   "wait for what it starts",
                   name);
    if (process->end.unkept)
        world_note(process->world,
                   "%s lost the process that watches over it, its parent: what it left behind is "
                   "not known. It may not signal processes that are not its own",
                   name);
    free(name);
    process->left(process);
}

static void ended(void *context, struct proc_end end)
{
    struct client_process *process = context;
    if (process->log != NULL && (ferror(process->log) || fflush(process->log) != 0))
        log_broke(process);
    proc_free(process->proc);
    process->proc = NULL;
    process->world->result->client_us += clock_monotonic_us() - process->began_us;
    process->leaving = true;
    process->end = end;
    process->drain = (struct drain){0};
    world_progress(process->world);
}

void client_processes_progress(struct world *world)
{
    for (struct client_process *process = world->processes; process != NULL;
         process = process->next)
        if (world->over == WORLD_GOES_ON && process->leaving &&
            drain_is_done(&process->drain, world))
            leave(process);
}

/* --- how it begins --------------------------------------------------------------------------- */

static enum err launch(struct client_process *process, char *const *command, struct err_text *why)
{
    struct world *world = process->world;
    struct order_scene *scene;
    enum err err = order_scene_new(world, process->order, &scene, why);
    if (err != ERR_OK)
        return err;
    const struct client_scene *client = order_scene_client(scene);
    process->clocked = order_scene_has_clock(scene);
    process->clock_taken = false;
    process->clock_loads = client_clock_loads(world);
    char **filled = client_command(command, &client->values);
    struct proc_plan run = {.argv = filled,
                            .environment = client->environment,
                            .directory = client->directory,
                            .input = process->input};
    struct proc_handlers handlers = {.line = line_came, .ended = ended, .context = process};
    err = proc_start(world->loop, &run, handlers, &process->proc, why);
    client_list_free(filled);
    order_scene_free(scene);
    return err;
}

bool client_process_start(struct client_process *process, char *const *command)
{
    struct world *world = process->world;
    struct err_text why;
    process->runs++;
    process->world->result->client_runs++;
    process->began_us = clock_monotonic_us();
    process->killed_by = 0;
    process->lines = 0;
    open_log(process);
    enum err err = launch(process, command, &why);
    if (err != ERR_OK) {
        world_end(world, err == ERR_IO ? WORLD_BROKE : WORLD_HAS_NO_CLIENT, "the client %s",
                  why.text);
        return false;
    }
    if (process->silent)
        return true;
    struct event event = client_process_event(process, EVENT_START);
    json_set_int(event.data, "pid", proc_pid(process->proc));
    world_record(world, event);
    return true;
}

void client_processes_release(struct world *world)
{
    while (world->processes != NULL) {
        struct client_process *process = world->processes;
        world->processes = process->next;
        proc_free(process->proc);
        free(process->role);
        free(process->input);
        free(process->last_words);
        if (process->log != NULL)
            fclose(process->log);
        free(process);
    }
}
