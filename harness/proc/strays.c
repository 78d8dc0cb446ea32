#include "strays.h"

#include "census.h"
#include "clock.h"
#include "family.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_US INT64_C(5000000)
#define PAUSE_MS    1

/* A subreaper without a child has nobody below it, and that is quickly asked. */
static bool has_children(void)
{
    siginfo_t nobody;
    return waitid(P_ALL, 0, &nobody, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

/* Calls TOLD with each child of this thread, which has them all, as long as it returns true. False
 * when the kernel does not tell. */
static bool each_child(bool (*told)(pid_t child, bool *found), bool *found)
{
    FILE *file = fopen("/proc/thread-self/children", "re");
    char *line = NULL;
    size_t size = 0;
    if (file == NULL)
        return false;
    bool any = getline(&line, &size, file) > 0;
    char *end = NULL;
    for (char *at = line; any && (*at >= '0' && *at <= '9'); at = end + (*end == ' '))
        any = told((pid_t)strtol(at, &end, 10), found);
    free(line);
    fclose(file);
    return true;
}

static bool spare(pid_t child, bool *found)
{
    *found = true;
    census_spare(child);
    return true;
}

void strays_adopt(void)
{
    bool found = false;
    census_forget_all();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (!has_children() || each_child(spare, &found))
        return;
    struct census census;
    census_take(getpid(), &census);
    for (size_t i = 0; i < census.count; i++)
        if (census.entries[i].parent == getpid())
            census_spare(census.entries[i].pid);
    census_release(&census);
}

static bool is_spared(pid_t child, bool *found)
{
    *found = !census_is_spared(child);
    return !*found;
}

/* A walk through /proc costs more than the rest of a short world. */
static bool may_have_strays(void)
{
    bool found = false;
    return has_children() && (!each_child(is_spared, &found) || found);
}

bool strays_end(void)
{
    int64_t until = clock_monotonic_us() + PATIENCE_US;
    while (may_have_strays() && family_state(getpid(), FAMILY_EVERYBODY) != FAMILY_GONE) {
        if (clock_monotonic_us() > until)
            return false;
        family_signal(getpid(), FAMILY_EVERYBODY, SIGKILL);
        poll(NULL, 0,
             PAUSE_MS); /* the dead need a moment to become so, and no loop runs any more */
    }
    return true;
}
