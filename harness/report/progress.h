/* One line on a terminal that is written again and again while worlds run. Where stderr is no
 * terminal there is none. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool shown; /* stderr is a terminal that can do it */
    bool dirty; /* a line stands there */
};

void progress_init(struct progress *progress);

/* "3/11  running: b10_response_dropped" */
void progress_show(struct progress *progress, size_t done, size_t all, const char *running);

/* Takes the line away, before anything else is printed. */
void progress_clear(struct progress *progress);

#endif
