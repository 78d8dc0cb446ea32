#include "keeper_process.h"

#include "clock.h"
#include "descriptors.h"
#include "family.h"
#include "interrupt.h"
#include "keeper.h"
#include "mem.h"
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_US INT64_C(3000000) /* for the killed to be dead */

/* --- a job ----------------------------------------------------------------------------------- */

struct job {
    char *text; /* what the three below lie in */
    const char *directory;
    char **argv;
    char **environment;
    int descriptors[KEEPER_DESCRIPTORS];
};

static bool read_all(int fd, char *into, size_t size)
{
    while (size > 0) {
        ssize_t length = read(fd, into, size);
        if (length <= 0)
            return false; /* every signal is blocked: none interrupts this */
        into += length;
        size -= (size_t)length;
    }
    return true;
}

/* The head of the next one, with its descriptors. False when there is none any more. */
static bool receive_order(int control, struct keeper_order *order, int *descriptors)
{
    union {
        char bytes[CMSG_SPACE(KEEPER_DESCRIPTORS * sizeof(int))];
        struct cmsghdr align;
    } ancillary;
    struct iovec part = {order, sizeof *order};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = ancillary.bytes,
                             .msg_controllen = sizeof ancillary.bytes};
    if (recvmsg(control, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL) != (ssize_t)sizeof *order)
        return false;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head == NULL || head->cmsg_len != CMSG_LEN(KEEPER_DESCRIPTORS * sizeof(int)))
        return false;
    memcpy(descriptors, CMSG_DATA(head), KEEPER_DESCRIPTORS * sizeof *descriptors);
    return true;
}

/* COUNT strings from *AT on, which moves behind them. */
static char **list(char **at, uint32_t count)
{
    char **made = mem_alloc((count + 1) * sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        made[i] = *at;
        *at += strlen(*at) + 1;
    }
    return made;
}

static bool receive(int control, struct job *job)
{
    struct keeper_order order;
    if (!receive_order(control, &order, job->descriptors))
        return false;
    job->text = mem_alloc(order.bytes);
    if (!read_all(control, job->text, order.bytes))
        return false;
    char *at = job->text;
    job->directory = at;
    at += strlen(at) + 1;
    job->argv = list(&at, order.words);
    job->environment = list(&at, order.variables);
    return true;
}

static void release(struct job *job)
{
    for (int i = 0; i < KEEPER_DESCRIPTORS; i++)
        close(job->descriptors[i]);
    free(job->argv);
    free(job->environment);
    free(job->text);
}

/* --- its client ------------------------------------------------------------------------------ */

static void say(int news, enum keeper_news what, int value)
{
    struct keeper_word word = {(uint32_t)what, value};
    ssize_t written = write(news, &word, sizeof word);
    (void)written; /* whoever wanted to know is gone */
}

struct birth {
    const struct job *job;
    pid_t keeper;
    volatile int error; /* of the exec, when it failed */
};

/* In the client's process, which shares the keeper's memory and has a stack of its own until it
 * execs, while the keeper waits: two thirds of what a fork costs is memory that nobody needs. */
static int become(void *context)
{
    struct birth *birth = context;
    const struct job *job = birth->job;
    setpgid(0, 0);
    proc_die_with(birth->keeper, SIGKILL);
    interrupt_reset();
    for (int i = 0; i <= STDERR_FILENO; i++)
        dup2(job->descriptors[i], i);
    descriptors_restore(); /* not before: we may hold more than it allows */
    say(job->descriptors[KEEPER_DESCRIPTORS - 1], KEEPER_STARTED, getpid());
    if (*job->directory == '\0' || chdir(job->directory) == 0)
        execvpe(job->argv[0], job->argv, job->environment);
    birth->error = errno;
    return 127;
}

/* Its pid, or -errno. */
static pid_t start(const struct job *job)
{
    static char stack[1U << 20] __attribute__((aligned(16))); /* touched where it is used */
    struct birth birth = {.job = job, .keeper = getpid()};
    pid_t client = clone(become, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &birth);
    if (client < 0)
        return -errno;
    if (birth.error == 0)
        return client;
    waitpid(client, NULL, 0);
    return -birth.error;
}

/* Collects whoever has ended. False when nobody is left. */
static bool collect(pid_t client, int news)
{
    pid_t got;
    int status;
    while ((got = waitpid(-1, &status, WNOHANG)) > 0)
        if (got == client)
            say(news, KEEPER_ENDED, status);
    return got == 0;
}

static void end_everybody(pid_t client, int news)
{
    int64_t until = clock_monotonic_us() + PATIENCE_US;
    while (collect(client, news) && clock_monotonic_us() < until) {
        family_signal(getpid(), FAMILY_EVERYBODY, SIGKILL);
        poll(NULL, 0, 1);
    }
}

/* Until nobody is left. False when it was told to see to that, and is to end. */
static bool keep(pid_t client, int news)
{
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    while (collect(client, news)) {
        if (sigwaitinfo(&awaited, NULL) != SIGTERM)
            continue;
        end_everybody(client, news);
        return false;
    }
    return true;
}

/* --- its life -------------------------------------------------------------------------------- */

/* The client holds its descriptors alone from its first instruction on: it may stop its keeper, and
 * whoever waits for the end of a pipe that this one holds would wait for ever. */
static void let_go(struct job *job, int nothing)
{
    for (int i = 0; i <= STDERR_FILENO; i++)
        dup3(nothing, job->descriptors[i], O_CLOEXEC);
}

static bool serve(int control, int nothing)
{
    struct job job = {0};
    if (!receive(control, &job))
        return false;
    int news = job.descriptors[KEEPER_DESCRIPTORS - 1];
    pid_t client = start(&job);
    let_go(&job, nothing);
    say(news, client > 0 ? KEEPER_RUNS : KEEPER_FAILED, client > 0 ? 0 : -client);
    bool goes_on = client <= 0 || keep(client, news);
    if (client > 0 && goes_on)
        say(news, KEEPER_ALONE, 0);
    release(&job);
    return goes_on;
}

void keeper_process_run(int control, pid_t parent)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL); /* what a terminal sends is not for us */
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    proc_die_with(parent, SIGTERM);
    control = proc_keep_only(control);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i <= STDERR_FILENO; i++)
        dup2(nothing, i);
    while (serve(control, nothing))
        ;
    _exit(0);
}
