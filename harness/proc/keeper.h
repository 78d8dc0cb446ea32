/* A process between the harness and a client, so that nobody of the client is ever lost.
 *
 * It adopts whoever the client leaves behind, whatever group or session they have put themselves in
 * (PR_SET_CHILD_SUBREAPER), so that the client with all it brought is everybody below its keeper,
 * and several clients can be told apart. It ends when the last of them has ended. When the harness
 * dies, however suddenly, it ends them. */
#ifndef KEEPER_H
#define KEEPER_H

#include <sys/types.h>

struct keeper_plan {
    /* In the client's process, which is a child of the keeper's: never returns. */
    void (*become)(const void *context, pid_t keeper);
    const void *context;
    pid_t parent; /* the harness */
    int status;   /* a pipe's end: the client's pid (pid_t), then, when it has ended, how (int) */
};

/* In a process just forked. Keeps no descriptor but the one for the status. Exits with 0. */
_Noreturn void keeper_run(const struct keeper_plan *plan);

#endif
