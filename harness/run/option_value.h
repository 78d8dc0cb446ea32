/* The values that options of several commands take. Each leaves its value alone, and says in WHY
 * what would have been right, when it answers ERR_INVALID. */
#ifndef OPTION_VALUE_H
#define OPTION_VALUE_H

#include "dialect.h"
#include "err.h"

#include <stdbool.h>
#include <stdint.h>

/* A whole number from LOWEST to HIGHEST. */
enum err option_int(const char *text, int lowest, int highest, int *number,
                    struct err_text *why) MUST_CHECK;
enum err option_seed(const char *text, uint64_t *seed, struct err_text *why) MUST_CHECK;

/* A duration above 0, in ms. */
enum err option_time(const char *text, int64_t *ms, struct err_text *why) MUST_CHECK;

/* The name of a dialect that is built in; *HAS: it is there. */
enum err option_dialect(const char *text, struct dialect *dialect, bool *has,
                        struct err_text *why) MUST_CHECK;

/* Any text but an empty one; borrowed. */
enum err option_directory(const char *text, const char **directory,
                          struct err_text *why) MUST_CHECK;

#endif
