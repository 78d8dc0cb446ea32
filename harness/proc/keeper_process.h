/* What a keeper does: see keeper.h. Its jobs come through a socket, one after the other. */
#ifndef KEEPER_PROCESS_H
#define KEEPER_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/* A job on its way: this, with the four descriptors (the client's three, the pipe for the news),
 * then BYTES bytes, in which every string ends with NUL: the directory ("" is none), then the words
 * and the environment. */
struct keeper_order {
    uint32_t bytes;
    uint32_t words;
    uint32_t variables;
};

#define KEEPER_DESCRIPTORS 4

/* In a process just forked by PARENT. Keeps no descriptor but CONTROL. Exits with 0. */
_Noreturn void keeper_process_run(int control, pid_t parent);

#endif
