#include "proc.h"

#include "census.h"
#include "check.h"
#include "clock.h"
#include "descriptors.h"
#include "interrupt.h"
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
    struct loop *loop;
    int status;                      /* a pipe: how the leader has ended */
    struct loop_watch *status_watch; /* NULL after that */
    struct proc_end end;             /* from then on */
    pid_t keeper;
    int keeper_fd;
    struct loop_watch *keeper_watch; /* NULL once it has been collected */
    bool killed;                     /* by SIGKILL: nobody may live on */
    bool struck;                     /* a part of it was: nobody outlives the leader */
    int64_t patience_us;             /* when those whom the leader left behind are killed */
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
    const struct proc_plan *run;
    int outputs[PROC_STREAM_COUNT]; /* the writing ends */
    int report;                     /* closed by a good exec, else it carries errno */
};

static _Noreturn void become(const void *context, pid_t keeper)
{
    const struct child_plan *plan = context;
    setpgid(0, 0);
    proc_die_with(keeper, SIGKILL);
    interrupt_reset();
    int input = open(plan->run->input == NULL ? "/dev/null" : plan->run->input, O_RDONLY);
    dup2(input, STDIN_FILENO);
    dup2(plan->outputs[PROC_STDOUT], STDOUT_FILENO);
    dup2(plan->outputs[PROC_STDERR], STDERR_FILENO);
    if (input > STDERR_FILENO)
        close(input);
    descriptors_restore(); /* not before: we may hold more than it allows */
    if (plan->run->directory == NULL || chdir(plan->run->directory) == 0)
        execvpe(plan->run->argv[0], plan->run->argv, plan->run->environment);
    int error = errno;
    ssize_t written = write(plan->report, &error, sizeof error);
    (void)written; /* the parent reads an end without a reason, which is reason enough */
    _exit(127);
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

static bool read_whole(int fd, void *into, size_t size)
{
    ssize_t length;
    do {
        length = read(fd, into, size);
    } while (length < 0 && errno == EINTR);
    return length == (ssize_t)size;
}

/* How KEEPER has ended: true when by itself. Nobody of the client has outlived it then. */
static bool collect(pid_t keeper)
{
    int status = 0;
    pid_t got;
    do {
        got = waitpid(keeper, &status, 0);
    } while (got < 0 && errno == EINTR);
    census_forget(keeper);
    return got == keeper && WIFEXITED(status);
}

/* What became of the exec: the keeper says who was forked for it, and whoever was says why it did
 * not work. */
static enum err hear_of_exec(const struct proc_plan *run, struct proc *proc, int report,
                             struct err_text *why)
{
    int error = 0;
    if (!read_whole(proc->status, &proc->pid, sizeof proc->pid))
        return err_say(why, ERR_IO, "could not be given a process: its keeper died");
    if (proc->pid < 0)
        return err_say(why, ERR_IO, "could not be given a process: %s", strerror(-proc->pid));
    return read_whole(report, &error, sizeof error) ? exec_failed(run, error, why) : ERR_OK;
}

/* Forks and waits until the exec has worked or failed; the reading end of the status stays. */
static enum err launch(struct proc *proc, struct child_plan *plan, struct err_text *why)
{
    int report[2] = {-1, -1};
    int status[2] = {-1, -1};
    if (pipe2(report, O_CLOEXEC) != 0 || pipe2(status, O_CLOEXEC) != 0) {
        err_say(why, ERR_IO, "could not be given a pipe: %s", strerror(errno));
        close_pair(report);
        return ERR_IO;
    }
    struct keeper_plan keeper = {
        .become = become, .context = plan, .parent = getpid(), .status = status[1]};
    plan->report = report[1];
    proc->keeper = fork();
    if (proc->keeper == 0)
        keeper_run(&keeper);
    int error = errno;
    if (proc->keeper > 0)
        census_spare(proc->keeper); /* it is nobody's stray */
    close(report[1]);
    close(status[1]);
    proc->status = status[0];
    enum err err = proc->keeper < 0
                       ? err_say(why, ERR_IO, "could not be given a process: %s", strerror(error))
                       : hear_of_exec(plan->run, proc, report[0], why);
    close(report[0]);
    if (err != ERR_OK && proc->keeper > 0)
        collect(proc->keeper);
    return err;
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
        family_signal(proc->keeper, FAMILY_EVERYBODY, SIGKILL);
    }
    proc->timer = loop_after(proc->loop, LINGER_MS, linger, proc);
}

static void hear_of_end(struct proc *proc)
{
    int status;
    loop_watch_stop(proc->status_watch);
    proc->status_watch = NULL;
    if (!read_whole(proc->status, &status, sizeof status))
        status = SIGKILL; /* with its keeper */
    proc->end.signalled = WIFSIGNALED(status);
    proc->end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static void leader_ended(void *context, int events)
{
    struct proc *proc = context;
    (void)events;
    hear_of_end(proc);
    if (proc->struck) {
        proc->killed = true;
        move(proc, PROC_DYING);
    }
    proc->patience_us = clock_monotonic_us() + GRACE_US;
    proc->timer = loop_after(proc->loop, LINGER_MS, linger, proc);
}

/* A client may kill its keeper: those it leaves behind then are ours, and end here. */
static void bury_keeper(struct proc *proc)
{
    loop_watch_stop(proc->keeper_watch);
    proc->keeper_watch = NULL;
    proc->end.unkept = !collect(proc->keeper);
    if (proc->end.unkept)
        proc->end.left_behind = !strays_end() || proc->end.left_behind;
    close(proc->keeper_fd);
}

/* A client may have stopped it, too. */
static void end_keeper(pid_t keeper)
{
    kill(keeper, SIGTERM); /* which ends everybody */
    kill(keeper, SIGCONT);
}

/* Nobody of it is left. */
static void keeper_ended(void *context, int events)
{
    struct proc *proc = context;
    (void)events;
    bury_keeper(proc);
    if (proc->status_watch != NULL)
        hear_of_end(proc);
    loop_timer_stop(proc->timer);
    proc->timer = NULL;
    finish(proc);
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

/* Without a descriptor for its keeper a client is of no use. */
static enum err watch(struct proc *proc, struct err_text *why)
{
    proc->keeper_fd = pidfd_open(proc->keeper, 0);
    if (proc->keeper_fd < 0) {
        err_say(why, ERR_IO, "could not be watched: %s", strerror(errno));
        end_keeper(proc->keeper);
        collect(proc->keeper);
        return ERR_IO;
    }
    proc->keeper_watch = loop_watch(proc->loop, proc->keeper_fd, LOOP_READABLE, keeper_ended, proc);
    proc->status_watch = loop_watch(proc->loop, proc->status, LOOP_READABLE, leader_ended, proc);
    return ERR_OK;
}

enum err proc_start(struct loop *loop, const struct proc_plan *plan, struct proc_handlers handlers,
                    struct proc **proc, struct err_text *why)
{
    struct child_plan child = {.run = plan};
    struct proc *made = mem_alloc(sizeof *made);
    int pipes[PROC_STREAM_COUNT][2] = {{-1, -1}, {-1, -1}};
    *proc = NULL;
    made->loop = loop;
    made->handlers = handlers;
    made->status = -1;
    enum err err = open_pipes(pipes, &child, why);
    if (err == ERR_OK)
        err = launch(made, &child, why);
    if (err == ERR_OK)
        err = watch(made, why);
    if (err != ERR_OK) {
        close_pair(pipes[PROC_STDOUT]);
        close_pair(pipes[PROC_STDERR]);
        if (made->status >= 0)
            close(made->status);
        free(made);
        return err;
    }
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
    family_signal(proc->keeper, choice, signal);
}

enum family_state proc_state(const struct proc *proc, struct family_choice choice)
{
    return proc->keeper_watch == NULL ? FAMILY_GONE : family_state(proc->keeper, choice);
}

pid_t proc_with_connection(const struct proc *proc, int local_port, int remote_port)
{
    return proc->keeper_watch == NULL ? 0
                                      : socket_owner_below(proc->keeper, local_port, remote_port);
}

void proc_free(struct proc *proc)
{
    if (proc == NULL)
        return;
    if (proc->keeper_watch != NULL) {
        end_keeper(proc->keeper);
        bury_keeper(proc);
    }
    loop_watch_stop(proc->status_watch);
    loop_timer_stop(proc->timer);
    close(proc->status);
    for (int i = 0; i < PROC_STREAM_COUNT; i++) {
        output_close(&proc->outputs[i]);
        lines_release(&proc->outputs[i].lines);
    }
    free(proc);
}
