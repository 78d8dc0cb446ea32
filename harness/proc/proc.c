#include "proc.h"

#include "check.h"
#include "clock.h"
#include "descriptors.h"
#include "family.h"
#include "interrupt.h"
#include "lines.h"
#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
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
    int pidfd;
    struct loop *loop;
    struct loop_watch *exit_watch; /* NULL after the leader's end */
    struct proc_end end;           /* from then on */
    bool killed;                   /* by SIGKILL: nobody may live on */
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

/* --- the child ------------------------------------------------------------------------------- */

struct child_plan {
    char *const *argv;
    char *const *environment;
    pid_t parent;
    int outputs[PROC_STREAM_COUNT]; /* the writing ends */
    int report;                     /* closed by a good exec, else it carries errno */
};

static _Noreturn void become(const struct child_plan *plan)
{
    setpgid(0, 0);
    proc_die_with(plan->parent, SIGKILL);
    interrupt_reset();
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(plan->outputs[PROC_STDOUT], STDOUT_FILENO);
    dup2(plan->outputs[PROC_STDERR], STDERR_FILENO);
    if (nothing > STDERR_FILENO)
        close(nothing);
    descriptors_restore(); /* not before: we may hold more than it allows */
    execvpe(plan->argv[0], plan->argv, plan->environment);
    int error = errno;
    ssize_t written = write(plan->report, &error, sizeof error);
    (void)written; /* the parent reads an end without a reason, which is reason enough */
    _exit(127);
}

/* --- starting it ----------------------------------------------------------------------------- */

static enum err exec_failed(const char *program, int error, struct err_text *why)
{
    bool has_path = strchr(program, '/') != NULL;
    if (error == ENOENT && has_path && access(program, F_OK) == 0)
        return err_say(why, ERR_INVALID,
                       "'%s' cannot be run: the interpreter that its first line names is missing",
                       program);
    if (error == ENOENT && has_path)
        return err_say(why, ERR_NOT_FOUND, "'%s' does not exist", program);
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

/* Forks and waits until the exec has worked or failed; the reading ends of the outputs stay. */
static enum err launch(struct child_plan *plan, pid_t *pid, struct err_text *why)
{
    int report[2];
    int error = 0;
    if (pipe2(report, O_CLOEXEC) != 0)
        return err_say(why, ERR_IO, "could not be given a pipe: %s", strerror(errno));
    plan->report = report[1];
    plan->parent = getpid();
    *pid = fork();
    if (*pid == 0)
        become(plan);
    if (*pid < 0) {
        err_say(why, ERR_IO, "could not be given a process: %s", strerror(errno));
        close_pair(report);
        return ERR_IO;
    }
    setpgid(*pid, *pid); /* both sides do it: whoever comes first */
    close(report[1]);
    ssize_t length;
    do {
        length = read(report[0], &error, sizeof error);
    } while (length < 0 && errno == EINTR);
    close(report[0]);
    if (length != (ssize_t)sizeof error)
        return ERR_OK;
    waitpid(*pid, NULL, 0);
    return exec_failed(plan->argv[0], error, why);
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

static struct proc_end collect(pid_t pid)
{
    int status;
    pid_t got;
    do {
        got = waitpid(pid, &status, 0);
    } while (got < 0 && errno == EINTR);
    CHECK(got == pid);
    if (WIFSIGNALED(status))
        return (struct proc_end){.signalled = true, .code = WTERMSIG(status)};
    return (struct proc_end){.code = WEXITSTATUS(status)};
}

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
    bool gone = family_state(0) == FAMILY_GONE;
    if (gone || now > proc->patience_us + BURIAL_US) {
        proc->end.left_behind = proc->end.left_behind || !gone;
        finish(proc);
        return;
    }
    if (proc->state == PROC_STOPPED)
        proc->patience_us = now + GRACE_US;
    if (proc->killed || now > proc->patience_us) {
        if (proc->state != PROC_DYING)
            proc->end.left_behind = true;
        move(proc, PROC_DYING);
        family_signal(SIGKILL);
    }
    proc->timer = loop_after(proc->loop, LINGER_MS, linger, proc);
}

static void leader_ended(void *context, int events)
{
    struct proc *proc = context;
    (void)events;
    loop_watch_stop(proc->exit_watch);
    proc->exit_watch = NULL;
    proc->end = collect(proc->pid);
    proc->patience_us = clock_monotonic_us() + GRACE_US;
    linger(proc);
}

/* --- the public face ------------------------------------------------------------------------- */

static enum err open_pipes(int pipes[PROC_STREAM_COUNT][2], struct child_plan *plan,
                           struct err_text *why)
{
    for (int i = 0; i < PROC_STREAM_COUNT; i++) {
        if (pipe2(pipes[i], O_CLOEXEC) != 0)
            return err_say(why, ERR_IO, "could not be given a pipe: %s", strerror(errno));
        plan->outputs[i] = pipes[i][1];
    }
    return ERR_OK;
}

/* The descriptor is closed on exec from its birth. Without one the child is of no use. */
static enum err open_pidfd(pid_t pid, int *pidfd, struct err_text *why)
{
    *pidfd = pidfd_open(pid, 0);
    if (*pidfd >= 0)
        return ERR_OK;
    err_say(why, ERR_IO, "could not be watched: %s", strerror(errno));
    family_signal(SIGKILL);
    collect(pid);
    return ERR_IO;
}

enum err proc_start(struct loop *loop, char *const *argv, char *const *environment,
                    struct proc_handlers handlers, struct proc **proc, struct err_text *why)
{
    struct child_plan plan = {.argv = argv, .environment = environment};
    int pipes[PROC_STREAM_COUNT][2] = {{-1, -1}, {-1, -1}};
    pid_t pid = -1;
    int pidfd = -1;
    *proc = NULL;
    enum err err = open_pipes(pipes, &plan, why);
    if (err == ERR_OK)
        err = launch(&plan, &pid, why);
    if (err == ERR_OK)
        err = open_pidfd(pid, &pidfd, why);
    if (err != ERR_OK) {
        close_pair(pipes[PROC_STDOUT]);
        close_pair(pipes[PROC_STDERR]);
        return err;
    }
    struct proc *made = mem_alloc(sizeof *made);
    made->pid = pid;
    made->pidfd = pidfd;
    made->loop = loop;
    made->handlers = handlers;
    for (int i = 0; i < PROC_STREAM_COUNT; i++) {
        close(pipes[i][1]);
        made->outputs[i].stream = (enum proc_stream)i;
        output_open(&made->outputs[i], loop, made, pipes[i][0]);
    }
    made->exit_watch = loop_watch(loop, made->pidfd, LOOP_READABLE, leader_ended, made);
    *proc = made;
    return ERR_OK;
}

pid_t proc_pid(const struct proc *proc)
{
    return proc->pid;
}

void proc_signal(struct proc *proc, int signal)
{
    if (proc->state == PROC_ENDED)
        return;
    if (signal == SIGSTOP && proc->state != PROC_DYING)
        move(proc, PROC_STOPPED);
    else if (signal == SIGCONT && proc->state != PROC_DYING)
        move(proc, PROC_RUNNING);
    else if (signal != SIGSTOP && signal != SIGCONT)
        move(proc, PROC_DYING);
    proc->killed = proc->killed || signal == SIGKILL;
    family_signal(signal);
}

bool proc_is_stopped(const struct proc *proc)
{
    return family_state(proc->exit_watch == NULL ? 0 : proc->pid) != FAMILY_RUNNING;
}

void proc_free(struct proc *proc)
{
    if (proc == NULL)
        return;
    if (proc->state != PROC_ENDED) {
        family_signal(SIGKILL);
        if (proc->exit_watch != NULL)
            collect(proc->pid);
    }
    loop_watch_stop(proc->exit_watch);
    loop_timer_stop(proc->timer);
    close(proc->pidfd);
    for (int i = 0; i < PROC_STREAM_COUNT; i++) {
        output_close(&proc->outputs[i]);
        lines_release(&proc->outputs[i].lines);
    }
    free(proc);
}
