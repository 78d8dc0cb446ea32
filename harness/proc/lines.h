/* Cuts what a client writes into lines of clean text. */
#ifndef LINES_H
#define LINES_H

#include "buf.h"

#include <stddef.h>

#define LINES_LONGEST 16384 /* bytes; a longer line comes in pieces */

/* TEXT is borrowed, without its end of line, and valid UTF-8 without control characters. */
typedef void lines_emit(void *context, const char *text);

/* A zeroed one with EMIT and CONTEXT set is ready. */
struct lines {
    struct buf rest; /* a line that has no end yet */
    lines_emit *emit;
    void *context;
};

void lines_add(struct lines *lines, const char *bytes, size_t length);

/* There is no more to come: a last line without an end counts as well. */
void lines_end(struct lines *lines);

void lines_release(struct lines *lines);

#endif
