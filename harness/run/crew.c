#include "crew.h"

#include "box.h"
#include "channel.h"
#include "client_file.h"
#include "client_plan.h"
#include "interrupt.h"
#include "log.h"
#include "loop.h"
#include "mem.h"
#include "proc.h"
#include "strays.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 15000 /* beyond a world's own timeout */

/* What a process gathers from its worlds is not left to grow for ever. */
#define MOST_WORLDS 100

struct worker {
    struct crew *crew;
    struct crew_job *job; /* NULL: idle */
    pid_t pid;
    struct channel *channel; /* NULL: there is no process */
    int worlds;              /* that the process was given */
    struct loop_timer *watchdog;
    char *box; /* where its world is, or NULL */
    bool hung;
    bool reported;
};

struct crew {
    const struct crew_options *options;
    struct loop *loop;
    struct crew_job *jobs;
    size_t count;
    size_t begun;
    struct worker *workers;
    int most_worlds; /* in one process */
    int signal;      /* that ends it early, 0 while none came */
};

/* --- in the worker --------------------------------------------------------------------------- */

static enum err send_as(struct channel *channel, const char *name, struct json *json)
{
    struct json *message = json_object();
    json_set(message, name, json);
    return channel_send(channel, message);
}

static void boxed(void *context, const char *path)
{
    enum err err = send_as(context, "box", json_string(path));
    (void)err; /* the parent has gone, and its signal is on its way */
}

/* The history goes ahead event by event, so that its length is nobody's problem:
 *   {"box":"…"}  {"event":{…}} …  {"result":{…}} */
static enum err report(struct channel *channel, struct result *result)
{
    struct history history = result->history;
    enum err err = ERR_OK;
    result->history = (struct history){0};
    for (size_t i = 0; i < history.count && err == ERR_OK; i++)
        err = send_as(channel, "event", event_to_json(&history.events[i]));
    history_release(&history);
    return err == ERR_OK ? send_as(channel, "result", result_to_json(result)) : err;
}

static void play_job(struct crew_job *job, const struct world_options *options)
{
    struct err_text why = {0};
    struct scenario *loaded = NULL;
    if (job->scenario == NULL && scenario_load(job->file, options->seed, &loaded, &why) != ERR_OK) {
        result_add(&job->result, VERDICT_BROKEN, "%s", why.text);
        return;
    }
    world_run(job->scenario == NULL ? loaded : job->scenario, options, &job->result);
    scenario_free(loaded);
}

struct player {
    const struct crew *crew;
    struct loop *loop;
    struct channel *channel; /* to the parent */
    enum err err;            /* while reporting to it */
};

static void play(struct player *player, struct crew_job *job)
{
    struct world_options world = *player->crew->options->world;
    world.boxed = boxed;
    world.context = player->channel;
    if (job->dialect != NULL)
        world.dialect = job->dialect;
    play_job(job, &world);
    player->err = report(player->channel, &job->result);
    result_release(&job->result);
}

/* {"play":N}, the number of a job, or {"end":true} */
static void told(void *context, const struct json *message)
{
    struct player *player = context;
    size_t number = (size_t)json_get_int(message, "play", -1);
    if (number < player->crew->count)
        play(player, &player->crew->jobs[number]);
    if (number >= player->crew->count || player->err != ERR_OK)
        loop_stop(player->loop);
}

/* Told to end by a signal that its world reads, so that it can still tidy up. */
static _Noreturn void work(const struct crew *crew, int fd, pid_t parent)
{
    setpgid(0, 0);           /* a Ctrl-C is for the parent, who passes it on */
    signal(SIGINT, SIG_IGN); /* and one that came before that is forgotten */
    proc_die_with(parent, SIGTERM);
    interrupt_reset();
    signal(SIGPIPE, SIG_IGN);
    fd = proc_keep_only(fd);
    struct player player = {.crew = crew, .loop = loop_new()};
    player.channel = channel_open(player.loop, fd, told, &player);
    if (crew->most_worlds > 1)
        world_reuse();
    loop_run(player.loop);
    world_reuse_end();
    channel_close(player.channel);
    loop_free(player.loop);
    exit(player.err == ERR_OK ? 0 : 1);
}

/* --- in the parent --------------------------------------------------------------------------- */

static void begin(struct worker *worker);
static void begin_next(struct worker *worker);

static bool has_more(const struct crew *crew)
{
    const struct crew_options *options = crew->options;
    bool enough = options->enough != NULL && options->enough(options->context);
    return crew->signal == 0 && !enough && crew->begun < crew->count;
}

static void finish(struct worker *worker)
{
    struct crew_job *job = worker->job;
    loop_timer_stop(worker->watchdog);
    worker->watchdog = NULL;
    worker->job = NULL;
    free(worker->box);
    worker->box = NULL;
    job->running = false;
    job->finished = worker->crew->signal == 0;
    if (job->finished && worker->crew->options->finished != NULL)
        worker->crew->options->finished(worker->crew->options->context, job);
}

/* It ended without a result; nobody has removed its box, if there is one. */
static void take_box(struct worker *worker)
{
    struct result *result = &worker->job->result;
    free(result->box);
    result->box = worker->box;
    worker->box = NULL;
    if (result->box != NULL)
        box_keep(result->box);
}

/* How its process ended counts against its last world. */
static void judge_end(const struct worker *worker, int status)
{
    struct crew_job *job = worker->job;
    if (job->result.file == NULL) {
        bool loaded = job->scenario != NULL;
        job->result.file = mem_strdup(loaded ? scenario_file(job->scenario) : job->file);
        job->result.title = mem_strdup(loaded ? scenario_title(job->scenario) : job->file);
        job->result.dialect = job->dialect == NULL ? NULL : mem_strdup(job->dialect->name.text);
    }
    if (worker->hung)
        result_add(&job->result, VERDICT_ERROR, "the world did not end, long after its timeout");
    else if (WIFSIGNALED(status))
        result_add(&job->result, VERDICT_ERROR, "the world's process died of signal %d (%s)",
                   WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (status != 0 || !worker->reported)
        result_add(&job->result, VERDICT_ERROR, "the world's process ended with status %d%s",
                   WEXITSTATUS(status), worker->reported ? "" : " and no result");
}

/* The worker has said all it will say. */
static void worker_ended(struct worker *worker)
{
    int status = 0;
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        ;
    channel_close(worker->channel);
    worker->channel = NULL;
    if (worker->crew->signal == 0 && !worker->reported)
        take_box(worker);
    if (worker->crew->signal == 0)
        judge_end(worker, status);
    finish(worker);
    if (worker->crew->signal != 0)
        return;
    begin_next(worker);
    worker->crew->options->changed(worker->crew->options->context);
}

/* The next one, in the same process; or the end of that, in which it may still show that it was not
 * well. */
static void world_ended(struct worker *worker)
{
    struct crew *crew = worker->crew;
    if (worker->reported && worker->worlds < crew->most_worlds && has_more(crew)) {
        finish(worker);
        begin(worker);
        crew->options->changed(crew->options->context);
        return;
    }
    enum err err = send_as(worker->channel, "end", json_bool(true));
    (void)err; /* it has gone, which is as good */
}

static void message_came(void *context, const struct json *message)
{
    struct worker *worker = context;
    struct event event;
    if (message == NULL) {
        worker_ended(worker);
        return;
    }
    const char *box = json_get_string(message, "box");
    if (box != NULL) {
        mem_set_string(&worker->box, box);
        return;
    }
    struct result *result = &worker->job->result;
    if (event_from_json(json_get(message, "event"), &event) == ERR_OK) {
        history_add(&result->history, event);
        return;
    }
    struct history history = result->history;
    worker->reported = result_from_json(json_get(message, "result"), result) == ERR_OK;
    result->history = history;
    world_ended(worker);
}

static void watchdog_due(void *context)
{
    struct worker *worker = context;
    worker->watchdog = NULL;
    worker->hung = true;
    kill(worker->pid, SIGKILL);
}

static void hire(struct worker *worker)
{
    struct crew *crew = worker->crew;
    int pair[2];
    pid_t parent = getpid();
    fflush(NULL);
    pid_t pid = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
        pid = fork();
        if (pid == 0)
            work(crew, pair[1], parent);
        close(pair[1]);
        if (pid < 0)
            close(pair[0]);
    }
    if (pid < 0) {
        log_error("no process for a world: %s", strerror(errno));
        exit(verdict_status(VERDICT_ERROR));
    }
    *worker = (struct worker){.crew = crew, .pid = pid};
    worker->channel = channel_open(crew->loop, pair[0], message_came, worker);
}

static void begin(struct worker *worker)
{
    struct crew *crew = worker->crew;
    if (worker->channel == NULL)
        hire(worker);
    size_t number = crew->begun++;
    worker->job = &crew->jobs[number];
    worker->job->running = true;
    worker->reported = false;
    worker->worlds++;
    worker->watchdog = loop_after(crew->loop, crew->options->world->timeout_ms + PATIENCE_MS,
                                  watchdog_due, worker);
    enum err err = send_as(worker->channel, "play", json_int((int64_t)number));
    (void)err; /* it has gone, and its end comes over the same socket */
}

static void begin_next(struct worker *worker)
{
    if (has_more(worker->crew))
        begin(worker);
}

static void signal_workers(const struct crew *crew, int number)
{
    for (int i = 0; i < crew->options->workers; i++)
        if (crew->workers[i].job != NULL)
            kill(crew->workers[i].pid, number);
}

static void out_of_patience(void *context)
{
    signal_workers(context, SIGKILL);
}

/* The first signal asks the worlds to tidy up, the next one does not ask. */
static void signal_came(void *context, int signal)
{
    struct crew *crew = context;
    if (crew->signal == 0) {
        signal_workers(crew, SIGTERM);
        loop_after(crew->loop, PATIENCE_MS, out_of_patience, crew);
    } else {
        signal_workers(crew, SIGKILL);
    }
    crew->signal = signal;
}

static bool any_works(const struct crew *crew)
{
    for (int i = 0; i < crew->options->workers; i++)
        if (crew->workers[i].job != NULL)
            return true;
    return false;
}

/* Functions of a client file may remember what the next world must not know. */
static int most_worlds(const struct client_file *client)
{
    const struct client_plan *plan = client == NULL ? NULL : client_file_plan(client);
    return plan != NULL && (plan->claims || plan->submits) ? 1 : MOST_WORLDS;
}

int crew_run(struct crew_job *jobs, size_t count, const struct crew_options *options, bool *clean)
{
    struct crew crew = {.options = options,
                        .loop = loop_new(),
                        .jobs = jobs,
                        .count = count,
                        .most_worlds = most_worlds(options->world->client)};
    sigset_t before; /* whoever runs one crew after the other holds them back in between */
    sigprocmask(SIG_BLOCK, NULL, &before);
    struct interrupt *interrupt = interrupt_open(crew.loop, signal_came, &crew);
    strays_adopt();
    world_prepare();
    crew.workers = mem_alloc((size_t)options->workers * sizeof *crew.workers);
    for (int i = 0; i < options->workers; i++) {
        crew.workers[i].crew = &crew;
        begin_next(&crew.workers[i]);
    }
    options->changed(options->context);
    while (any_works(&crew))
        loop_turn(crew.loop);
    /* Of a world that was killed: the others have seen to it themselves. */
    *clean = strays_end();
    interrupt_close(interrupt);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(crew.workers);
    loop_free(crew.loop);
    return crew.signal;
}
