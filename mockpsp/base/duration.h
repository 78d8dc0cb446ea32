/* Lengths of time as people write them: "250ms", "2s", "1.5s", "5m", "25h", "3d". */
#ifndef DURATION_H
#define DURATION_H

#include "err.h"

#include <stdint.h>

#define DURATION_MOST_MS (INT64_C(100) * 366 * 86400000) /* 100 years, for numbers as well */

/* Parses TEXT into milliseconds. A unit is required (only "0" goes without), the number is not
 * negative, at most 100 years. ERR_INVALID with a sentence in WHY (may be NULL) otherwise. */
enum err duration_parse(const char *text, int64_t *ms, struct err_text *why) MUST_CHECK;

/* Room for any formatted duration. */
struct duration_text {
    char text[32];
};

/* The shortest exact form: 90000 -> "90s", 3600000 -> "1h", 1500 -> "1500ms". */
struct duration_text duration_format(int64_t ms);

#endif
