/* A finding as a scenario file, for a regression suite: what it shows, its story, the same by hand,
 * and how to play it. */
#ifndef REGRESSION_H
#define REGRESSION_H

#include "bucket.h"
#include "err.h"

/* The command that plays a scenario against the client: "psp-harness run --seed 1 " FILE " -- pay".
 */
struct regression_command {
    const char *before;
    const char *after;
};

/* Writes BUCKET, which has been shrunk, to DIRECTORY/NAME.lua. ERR_IO with a sentence. */
enum err regression_write(const struct bucket *bucket, const char *directory,
                          struct regression_command command, struct err_text *why) MUST_CHECK;

#endif
