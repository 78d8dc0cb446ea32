/* A client with everybody it has brought: a client is a shell with a curl in it as often as one
 * process, and timeout(1), setsid(1), sudo and a shell's job control put theirs in other groups.
 *
 * So it is everybody below this process (see census.h). One client runs at a time, and the provider
 * is spared. */
#ifndef FAMILY_H
#define FAMILY_H

#include <sys/types.h>

enum family_state {
    FAMILY_RUNNING, /* at least one member may take another step */
    FAMILY_STOPPED, /* every living member is stopped, or deep in the kernel (state D), which it
                       cannot leave without meeting a stop signal: a shell whose child was stopped
                       between vfork and exec stays there */
    FAMILY_GONE,    /* nobody lives */
};

/* Collects those who have ended and whose parent is this process, but not LEADER: somebody else
 * waits for it (0 when nobody does). Whoever was collected may have left a child that this look
 * did not see yet: the family has gone only when nobody was there to be collected either. */
enum family_state family_state(pid_t leader);

/* Sends SIGNAL once to every member, also to those who are born while it goes round. */
void family_signal(int signal);

#endif
