#include "keeper.h"

#include "clock.h"
#include "family.h"
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_US INT64_C(3000000) /* for the killed to be dead */

/* Collects whoever has ended. False when nobody is left. */
static bool collect(pid_t client, int status_fd)
{
    pid_t got;
    int status;
    while ((got = waitpid(-1, &status, WNOHANG)) > 0) {
        if (got != client)
            continue;
        ssize_t written = write(status_fd, &status, sizeof status);
        (void)written; /* whoever wanted to know is gone */
    }
    return got == 0;
}

static void end_everybody(pid_t client, int status_fd)
{
    int64_t until = clock_monotonic_us() + PATIENCE_US;
    while (collect(client, status_fd) && clock_monotonic_us() < until) {
        family_signal(getpid(), FAMILY_EVERYBODY, SIGKILL);
        poll(NULL, 0, 1);
    }
}

static void keep(pid_t client, int status_fd)
{
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    while (collect(client, status_fd)) {
        if (sigwaitinfo(&awaited, NULL) != SIGTERM)
            continue;
        end_everybody(client, status_fd);
        return;
    }
}

/* Until the keeper has let go of all that is the harness's: a client may stop it, and whoever waits
 * for the end of a pipe that it holds would wait for ever. */
static void wait_for_keeper(const int ready[2])
{
    char none;
    close(ready[1]);
    ssize_t end = read(ready[0], &none, 1);
    (void)end; /* there is nothing to read but the end */
    close(ready[0]);
}

void keeper_run(const struct keeper_plan *plan)
{
    sigset_t all;
    int ready[2];
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL); /* what a terminal sends is not for us */
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    proc_die_with(plan->parent, SIGTERM);
    pid_t keeper = getpid();
    pid_t client = pipe2(ready, O_CLOEXEC) == 0 ? fork() : -1;
    if (client == 0) {
        wait_for_keeper(ready);
        plan->become(plan->context, keeper);
    }
    if (client < 0)
        client = -errno;
    ssize_t written = write(plan->status, &client, sizeof client);
    (void)written; /* as above */
    int status_fd = proc_keep_only(plan->status);
    if (client > 0)
        keep(client, status_fd);
    _exit(0);
}
