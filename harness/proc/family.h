/* A client with everybody it has brought: a client is a shell with a curl in it as often as one
 * process, and timeout(1), setsid(1), sudo and a shell's job control put theirs in other groups.
 *
 * So it is everybody below a process: its keeper (keeper.h), or this one. */
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

/* Which of its members are meant. */
enum family_part {
    FAMILY_ALL,
    FAMILY_GROUP, /* of the process group ID */
    FAMILY_ONE,   /* the process ID */
};

struct family_choice {
    enum family_part part;
    pid_t id;
};

#define FAMILY_EVERYBODY ((struct family_choice){FAMILY_ALL, 0})

/* Of those members below ROOT. Where that is this process, those who have ended are collected;
 * whoever was collected may have left a child that this look did not see yet: the family has gone
 * only when nobody was there to be collected either. Below another process, one that forks fast
 * enough may be missed: only its keeper's end says that it has gone. */
enum family_state family_state(pid_t root, struct family_choice choice);

/* Sends SIGNAL once to each of those members below ROOT, also to who is born while it goes round.
 */
void family_signal(pid_t root, struct family_choice choice, int signal);

#endif
