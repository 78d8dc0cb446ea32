#include "strays.h"

#include "group.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_SPARED 64

/* Who was there before; a child of ours inherits the list, whose processes are no children of its.
 */
static pid_t spared[MOST_SPARED];
static size_t spared_count;

static int spare(void *context, pid_t pid, const struct process_status *status)
{
    (void)context;
    if (status->parent == getpid() && spared_count < MOST_SPARED)
        spared[spared_count++] = pid;
    return 1;
}

void strays_adopt(void)
{
    spared_count = 0;
    process_each(spare, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static bool is_spared(pid_t pid)
{
    for (size_t i = 0; i < spared_count; i++)
        if (spared[i] == pid)
            return true;
    return false;
}

static int end_child(void *context, pid_t pid, const struct process_status *status)
{
    bool *found = context;
    if (status->parent != getpid() || is_spared(pid))
        return 1;
    *found = true;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return 1;
}

/* Each round ends one generation; the next one has been adopted by then. */
void strays_end(void)
{
    bool found = true;
    while (found) {
        found = false;
        process_each(end_child, &found);
    }
}
