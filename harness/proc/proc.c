#include "proc.h"

#include "check.h"
#include "clock.h"
#include "keeper.h"
#include "lines.h"
#include "mem.h"
#include "socket_owner.h"
#include "strays.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/*            SIGSTOP
 *          ----------->
 *  RUNNING              STOPPED          STOPPED and DYING can still be killed for good;
 *     |    <-----------    |             whoever is RUNNING may also end by itself.
 *     |      SIGCONT       |
 *     |                    |
 *     +------> DYING <-----+  a signal that kills
 *     |          |
 *     +-> ENDED <+             collected; its family is gone
 */
#define PROC_STATE_LIST(X)        X(RUNNING) X(STOPPED) X(DYING) X(ENDED)
#define PROC_STATE_ENUM(constant) PROC_##constant,
enum proc_state { PROC_STATE_LIST(PROC_STATE_ENUM) };
#undef PROC_STATE_ENUM

#define BIT(state) (1U << (state))

/* From each state, the states that may follow. */
static const unsigned MOVES[] = {
    [PROC_RUNNING] = BIT(PROC_RUNNING) | BIT(PROC_STOPPED) | BIT(PROC_DYING) | BIT(PROC_ENDED),
    [PROC_STOPPED] = BIT(PROC_RUNNING) | BIT(PROC_STOPPED) | BIT(PROC_DYING) | BIT(PROC_ENDED),
    [PROC_DYING] = BIT(PROC_DYING) | BIT(PROC_ENDED),
    [PROC_ENDED] = 0,
};

/* For those whom a leader leaves behind: to end by themselves, and then to be dead. */
#define GRACE_US  INT64_C(1000000)
#define BURIAL_US INT64_C(3000000)
#define LINGER_MS 5

/* More than a pipe holds; what floods it and cannot be killed stops mattering here. */
#define LAST_READS 128

struct output {
    struct proc *proc;
    enum proc_stream stream;
    int fd; /* -1 after its end */
    struct loop_watch *watch;
    struct lines lines;
};

struct proc {
    enum proc_state state;
    pid_t pid; /* the leader's */
    struct loop *loop;
    struct keeper keeper;
    int news;                      /* a pipe: what the keeper says */
    struct loop_watch *news_watch; /* NULL once the keeper is somebody else's, or nobody's */
    bool over;                     /* the leader has ended */
    struct proc_end end;           /* from then on */
    bool killed;                   /* by SIGKILL: nobody may live on */
    bool struck;                   /* a part of it was: nobody outlives the leader */
    int64_t patience_us;           /* when those whom the leader left behind are killed */
    struct loop_timer *timer;
    struct output outputs[PROC_STREAM_COUNT];
    struct proc_handlers handlers;
};

const char *proc_stream_name(enum proc_stream stream)
{
#define PROC_STREAM_NAME(constant, name) name,
    static const char *const names[] = {PROC_STREAM_LIST(PROC_STREAM_NAME)};
#undef PROC_STREAM_NAME
    CHECK((unsigned)stream < PROC_STREAM_COUNT);
    return names[stream];
}

static void move(struct proc *proc, enum proc_state to)
{
    CHECK((MOVES[proc->state] & BIT(to)) != 0);
    proc->state = to;
}

int proc_keep_only(int keep)
{
    if (keep != 3) {
        dup3(keep, 3, 0);
        keep = 3;
    }
    if (close_range(4, ~0U, 0) != 0)
        for (int fd = 4; fd < 1024; fd++) /* an old kernel, or a sandbox */
            close(fd);
    fcntl(keep, F_SETFD, FD_CLOEXEC);
    return keep;
}

void proc_die_with(pid_t parent, int signal)
{
    prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
    if (getppid() != parent)
        _exit(0); /* it went before we asked to be told */
}

/* --- starting it ----------------------------------------------------------------------------- */

static bool is_there(const struct proc_plan *run)
{
    bool inside = run->directory != NULL && *run->argv[0] != '/';
    char *path = mem_printf("%s%s%s", inside ? run->directory : "", inside ? "/" : "", *run->argv);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

static enum err exec_failed(const struct proc_plan *run, int error, struct err_text *why)
{
    const char *program = run->argv[0];
    bool has_path = strchr(program, '/') != NULL;
    if (error == ENOENT && has_path && is_there(run))
        return err_say(why, ERR_INVALID,
                       "'%s' cannot be run: the interpreter that its first line names is missing",
                       program);
    if (error == ENOENT && has_path)
        return err_say(why, ERR_NOT_FOUND, "'%s' does not exist, seen from where psp-harness runs",
                       program);
    if (error == ENOENT)
        return err_say(why, ERR_NOT_FOUND,
                       "'%s' is not in PATH (write ./%s for one in this directory)", program,
                       program);
    if (error == EACCES)
        return err_say(why, ERR_INVALID,
                       "'%s' may not be executed: is it a program, with chmod +x?", program);
    return err_say(why, ERR_IO, "'%s' cannot be run: %s", program, strerror(error));
}

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            close(pair[i]);
}

/* The client has a copy of its input once it has begun. */
static enum err launch(struct proc *proc, const struct proc_plan *run, const int *outputs,
                       struct err_text *why)
{
    struct keeper_word first = {0};
    int input = open(run->input == NULL ? "/dev/null" : run->input, O_RDONLY | O_CLOEXEC);
    struct keeper_job job = {.argv = run->argv,
                             .environment = run->environment,
                             .directory = run->directory,
                             .descriptors = {input, outputs[PROC_STDOUT], outputs[PROC_STDERR]}};
    if (input < 0)
        return err_say(why, ERR_IO, "could not be given its input: %s", strerror(errno));
    enum err err = keeper_take(&proc->keeper, why);
    if (err == ERR_OK) {
        err = keeper_start(&proc->keeper, &job, &first, &proc->news, why);
        if (err != ERR_OK)
            keeper_end(&proc->keeper);
    }
    close(input);
    if (err != ERR_OK)
        return err;
    if (first.news == KEEPER_STARTED) {
        proc->pid = first.value;
        return ERR_OK;
    }
    keeper_rest(&proc->keeper);
    return exec_failed(run, first.value, why);
}

/* --- its outputs ----------------------------------------------------------------------------- */

static void line_came(void *context, const char *text)
{
    struct output *output = context;
    output->proc->handlers.line(output->proc->handlers.context, output->stream, text);
}

static void output_close(struct output *output)
{
    if (output->fd < 0)
        return;
    loop_watch_stop(output->watch);
    close(output->fd);
    output->fd = -1;
}

/* One read. False when there is nothing for now, or nothing ever again. */
static bool output_read(struct output *output)
{
    char chunk[16384];
    ssize_t length = read(output->fd, chunk, sizeof chunk);
    if (length > 0) {
        lines_add(&output->lines, chunk, (size_t)length);
        return true;
    }
    if (length == 0 || (errno != EAGAIN && errno != EINTR))
        output_close(output);
    return length < 0 && errno == EINTR;
}

static void output_ready(void *context, int events)
{
    (void)events;
    output_read(context);
}

static void output_open(struct output *output, struct loop *loop, struct proc *proc, int fd)
{
    output->proc = proc;
    output->fd = fd;
    output->lines = (struct lines){.emit = line_came, .context = output};
    output->watch = loop_watch(loop, fd, LOOP_READABLE, output_ready, output);
}

/* --- its end --------------------------------------------------------------------------------- */

/* Everything they wrote is in the pipes by now; whoever could not be killed may hold them open for
 * ever, and is not waited for. */
static void finish(struct proc *proc)
{
    move(proc, PROC_ENDED);
    for (int i = 0; i < PROC_STREAM_COUNT; i++) {
        struct output *output = &proc->outputs[i];
        for (int reads = 0; reads < LAST_READS && output->fd >= 0 && output_read(output); reads++)
            ;
        output_close(output);
        lines_end(&output->lines);
    }
    proc->handlers.ended(proc->handlers.context, proc->end);
}

/* The leader has ended; whoever it left behind gets the time to do the same. Nobody's time runs
 * while he is stopped by us. */
static void linger(void *context)
{
    struct proc *proc = context;
    proc->timer = NULL;
    int64_t now = clock_monotonic_us();
    if (now > proc->patience_us + BURIAL_US) {
        proc->end.left_behind = true;
        finish(proc);
        return;
    }
    if (proc->state == PROC_STOPPED)
        proc->patience_us = now + GRACE_US;
    if (proc->killed || now > proc->patience_us) {
        if (proc->state != PROC_DYING)
            proc->end.left_behind = true;
        move(proc, PROC_DYING);
        family_signal(proc->keeper.pid, FAMILY_EVERYBODY, SIGKILL);
    }
    proc->timer = loop_after(proc->loop, LINGER_MS, linger, proc);
}

static void hear_of_end(struct proc *proc, int status)
{
    proc->over = true;
    proc->end.signalled = WIFSIGNALED(status);
    proc->end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static void leader_ended(struct proc *proc, int status)
{
    hear_of_end(proc, status);
    if (proc->struck) {
        proc->killed = true;
        move(proc, PROC_DYING);
    }
    proc->patience_us = clock_monotonic_us() + GRACE_US;
    proc->timer = loop_after(proc->loop, LINGER_MS, linger, proc);
}

static void hear_no_more(struct proc *proc)
{
    loop_watch_stop(proc->news_watch);
    proc->news_watch = NULL;
    loop_timer_stop(proc->timer);
    proc->timer = NULL;
}

/* A client may kill its keeper: those it leaves behind then are ours, and end here. */
static void bury_keeper(struct proc *proc)
{
    hear_no_more(proc);
    proc->end.unkept = !keeper_end(&proc->keeper);
    if (proc->end.unkept)
        proc->end.left_behind = !strays_end() || proc->end.left_behind;
    if (!proc->over)
        hear_of_end(proc, SIGKILL); /* with its keeper */
}

static void news_came(void *context, int events)
{
    struct proc *proc = context;
    struct keeper_word word;
    (void)events;
    ssize_t length = read(proc->news, &word, sizeof word);
    if (length < 0 || (length > 0 && word.news == KEEPER_RUNS))
        return;
    if (length > 0 && word.news == KEEPER_ENDED) {
        leader_ended(proc, word.value);
        return;
    }
    if (length == 0) {
        bury_keeper(proc);
    } else {
        hear_no_more(proc);
        keeper_rest(&proc->keeper);
    }
    finish(proc);
}

/* --- the public face ------------------------------------------------------------------------- */

static enum err open_pipes(int pipes[PROC_STREAM_COUNT][2], int outputs[PROC_STREAM_COUNT],
                           struct err_text *why)
{
    for (int i = 0; i < PROC_STREAM_COUNT; i++) {
        if (pipe2(pipes[i], O_CLOEXEC) != 0)
            return err_say(why, ERR_IO, "could not be given a pipe: %s", strerror(errno));
        outputs[i] = pipes[i][1];
    }
    return ERR_OK;
}

enum err proc_start(struct loop *loop, const struct proc_plan *plan, struct proc_handlers handlers,
                    struct proc **proc, struct err_text *why)
{
    struct proc *made = mem_alloc(sizeof *made);
    int pipes[PROC_STREAM_COUNT][2] = {{-1, -1}, {-1, -1}};
    int outputs[PROC_STREAM_COUNT] = {-1, -1};
    *proc = NULL;
    made->loop = loop;
    made->handlers = handlers;
    enum err err = open_pipes(pipes, outputs, why);
    if (err == ERR_OK)
        err = launch(made, plan, outputs, why);
    if (err != ERR_OK) {
        close_pair(pipes[PROC_STDOUT]);
        close_pair(pipes[PROC_STDERR]);
        free(made);
        return err;
    }
    made->news_watch = loop_watch(loop, made->news, LOOP_READABLE, news_came, made);
    for (int i = 0; i < PROC_STREAM_COUNT; i++) {
        close(pipes[i][1]);
        made->outputs[i].stream = (enum proc_stream)i;
        output_open(&made->outputs[i], loop, made, pipes[i][0]);
    }
    *proc = made;
    return ERR_OK;
}

pid_t proc_pid(const struct proc *proc)
{
    return proc->pid;
}

void proc_signal(struct proc *proc, struct family_choice choice, int signal)
{
    bool all = choice.part == FAMILY_ALL;
    bool ends = signal != SIGSTOP && signal != SIGCONT;
    if (proc->state == PROC_ENDED)
        return;
    if (all && ends)
        move(proc, PROC_DYING);
    else if (all && proc->state != PROC_DYING)
        move(proc, signal == SIGSTOP ? PROC_STOPPED : PROC_RUNNING);
    proc->killed = proc->killed || (all && signal == SIGKILL);
    proc->struck = proc->struck || (!all && ends);
    family_signal(proc->keeper.pid, choice, signal);
}

enum family_state proc_state(const struct proc *proc, struct family_choice choice)
{
    return proc->news_watch == NULL ? FAMILY_GONE : family_state(proc->keeper.pid, choice);
}

pid_t proc_with_connection(const struct proc *proc, int local_port, int remote_port)
{
    return proc->news_watch == NULL ? 0
                                    : socket_owner_below(proc->keeper.pid, local_port, remote_port);
}

void proc_free(struct proc *proc)
{
    if (proc == NULL)
        return;
    if (proc->news_watch != NULL)
        bury_keeper(proc);
    loop_timer_stop(proc->timer);
    close(proc->news);
    for (int i = 0; i < PROC_STREAM_COUNT; i++) {
        output_close(&proc->outputs[i]);
        lines_release(&proc->outputs[i].lines);
    }
    free(proc);
}
