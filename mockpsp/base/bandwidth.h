/* Bytes a second as people write them: "500B/s", "8kB/s", "1.5MB/s" (k is 1000). */
#ifndef BANDWIDTH_H
#define BANDWIDTH_H

#include "err.h"

#include <stdint.h>

#define BANDWIDTH_MOST INT64_C(1000000)

/* Parses TEXT into bytes per second, 1 to BANDWIDTH_MOST. The unit is required. ERR_INVALID with a
 * sentence in WHY (may be NULL) otherwise. */
enum err bandwidth_parse(const char *text, int64_t *bytes, struct err_text *why) MUST_CHECK;

/* Room for any formatted bandwidth. */
struct bandwidth_text {
    char text[32];
};

/* The shortest exact form: 8000 -> "8kB/s", 1500 -> "1500B/s". */
struct bandwidth_text bandwidth_format(int64_t bytes);

#endif
