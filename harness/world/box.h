/* The sealed box of a world: a directory of its own, gone when the run passed, kept when it did
 * not.
 *
 *   psp.db          what the provider remembers
 *   state/ORDER/    STATE_DIR of that order's client; state/app/ of one that serves all orders
 *   logs/           what the clients and the provider wrote
 *   clock           how far the clock of the clients is ahead (harness/clock)
 *   history.jsonl   everything that happened, one event per line */
#ifndef BOX_H
#define BOX_H

#include "err.h"

#include <stdbool.h>

struct box {
    char *path; /* absolute */
    int mark;   /* its lock; -1: it has none */
};

/* Makes it under $TMPDIR, or /tmp. ERR_IO with a sentence in WHY leaves BOX zeroed. */
enum err box_open(struct box *box, struct err_text *why) MUST_CHECK;

/* Removes it with everything in it, unless KEEP; frees the path. A zeroed box is fine. */
void box_close(struct box *box, int keep);

/* The box at PATH is for a person to look into: its world has ended, and nobody sweeps it away. */
void box_keep(const char *path);

/* Removes the boxes that worlds left behind which were killed, with nobody to see to it. One that
 * is kept stays, and so does that of a world that lives, or is another user's. */
void boxes_sweep(void);

/* The absolute path of NAME in it, with the directories above it made. The caller frees it. */
char *box_path(const struct box *box, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same as box_path, made as a directory; NULL, with errno set, when it cannot be made. */
char *box_dir(const struct box *box, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Its file system has no room for more, or as good as none: whatever failed may have failed for it.
 */
bool box_is_full(const struct box *box);

/* The last line of the file NAME, or NULL when there is none. The caller frees it. */
char *box_last_line(const struct box *box, const char *name);

#endif
