/* What a client's `prepare` command leaves behind: made once, and what every world begins with. */
#ifndef PREPARED_H
#define PREPARED_H

#include "client_plan.h"
#include "err.h"

#include <stdint.h>

struct prepared {
    char *directory; /* absolute; NULL: there is nothing to prepare */
};

/* Runs PLAN's prepare, if it has one, in a directory of its own under $TMPDIR, or /tmp. ERR_INVALID
 * when it cannot be run, ends with another status than 0, or takes longer than TIMEOUT_MS; ERR_IO
 * when there is no directory. WHY says it in a sentence. */
enum err prepared_make(const struct client_plan *plan, int64_t timeout_ms,
                       struct prepared *prepared, struct err_text *why) MUST_CHECK;

/* Removes the directory. A zeroed one is fine. */
void prepared_release(struct prepared *prepared);

#endif
