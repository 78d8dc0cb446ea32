#include "strays.h"

#include "group.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void strays_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static int kill_child(void *context, pid_t pid, const struct process_status *status)
{
    (void)context;
    if (status->parent == getpid())
        kill(pid, SIGKILL);
    return 1;
}

/* Each round kills one generation; the next one has been adopted once this one is collected. */
void strays_end(void)
{
    for (;;) {
        process_each(kill_child, NULL);
        if (waitpid(-1, NULL, 0) < 0 && errno == ECHILD)
            return;
    }
}
