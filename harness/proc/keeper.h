/* A process between the harness and a client, so that nobody of the client is ever lost.
 *
 * It adopts whoever the client leaves behind, whatever group or session they have put themselves in
 * (PR_SET_CHILD_SUBREAPER), so that the client with all it brought is everybody below its keeper,
 * and several clients can be told apart. It says when the last of them has ended. When the harness
 * dies, however suddenly, it ends them.
 *
 * This is the harness's side of it; keeper_process.h is its own. */
#ifndef KEEPER_H
#define KEEPER_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct keeper {
    pid_t pid;
    int control; /* a socket; its end is the keeper's as well */
};

/* What a client is to be. Both lists end with NULL. */
struct keeper_job {
    char *const *argv;
    char *const *environment;
    const char *directory; /* to work in; NULL: where the harness does */
    int descriptors[3];    /* its input and its two outputs: borrowed */
};

enum keeper_news {
    KEEPER_STARTED = 1, /* the client, whose pid is the value: its own word, before it execs */
    KEEPER_RUNS,        /* it has */
    KEEPER_FAILED,      /* it has not, or was never there: errno */
    KEEPER_ENDED,       /* the client has, as waitpid says it: whom it left behind may live */
    KEEPER_ALONE,       /* the last one of them has ended, and the keeper waits for the next job */
};

/* What comes through the pipe of a job, whole or not at all, in this order. After KEEPER_FAILED and
 * KEEPER_ALONE nothing more comes. The end of the pipe before that is the keeper's end. */
struct keeper_word {
    uint32_t news;
    int32_t value;
};

/* From here on a keeper that has nothing to do waits for the next client, until keeper_reuse_end:
 * a process costs more than the rest of a short world. */
void keeper_reuse(void);
void keeper_reuse_end(void);

/* One that waits, or a new one. ERR_IO when there can be none. */
enum err keeper_take(struct keeper *keeper, struct err_text *why) MUST_CHECK;

/* Has it start a client, and waits until that has worked or failed: *FIRST is KEEPER_STARTED or
 * KEEPER_FAILED. *NEWS is the reading end of the pipe for all that follows, the caller's to close.
 * ERR_IO when nothing could be said or heard: the keeper is of no use then. */
enum err keeper_start(const struct keeper *keeper, const struct keeper_job *job,
                      struct keeper_word *first, int *news, struct err_text *why) MUST_CHECK;

/* Done with one that is alone: it waits for the next client, or ends. */
void keeper_rest(struct keeper *keeper);

/* Ends it, and everybody below it. False when somebody had killed it before: whether anybody of its
 * client lives on is not known. */
bool keeper_end(struct keeper *keeper);

#endif
