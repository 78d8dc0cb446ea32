/* A process group as a whole: a client is a shell with a curl in it as often as one process.
 *
 * Signals reach every member at once; whether they have taken effect is read from /proc, because
 * nobody but its parent may wait for a grandchild. */
#ifndef GROUP_H
#define GROUP_H

#include <sys/types.h>

enum group_state {
    GROUP_RUNNING, /* at least one member may take another step */
    GROUP_STOPPED, /* every living member is stopped, or deep in the kernel (state D), which it
                      cannot leave without meeting a stop signal: a shell whose child was stopped
                      between vfork and exec stays there */
    GROUP_GONE,    /* nobody lives; the dead may still wait for their parent */
};

enum group_state group_state(pid_t group);

/* Sends SIGNAL to every member. A group that has gone is left alone. */
void group_signal(pid_t group, int signal);

/* What /proc tells of one process. */
struct process_status {
    char state; /* R, S, D, T, t, Z, X */
    pid_t parent;
    pid_t group;
};

/* Calls EACH for every process of the machine that can be seen, until it returns 0. */
void process_each(int (*each)(void *context, pid_t pid, const struct process_status *status),
                  void *context);

#endif
