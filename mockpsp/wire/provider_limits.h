/* How much a provider takes, and how soon it shows what it took: data, like a dialect. Zeroed, it
 * takes everything, locks what it works on, and shows all at once. */
#ifndef PROVIDER_LIMITS_H
#define PROVIDER_LIMITS_H

#include "err.h"
#include "json.h"

#include <stdbool.h>
#include <stdint.h>

/* A plain value: copy it. */
struct limits {
    int64_t rate;        /* requests of one account … */
    int64_t rate_ms;     /* … in this time; rate 0: as many as come */
    bool unlocked;       /* two requests may work on one object at once */
    int64_t list_lag_ms; /* lists show what was made at least so long ago */
    int64_t read_lag_ms; /* the same for retrieval by id */
};

/* Sets NAME from TEXT: rate=10/s (also 100/m, 7/1500ms, off), locks=on or off, list_lag=30s,
 * read_lag=1s. ERR_INVALID names what is wrong and leaves LIMITS alone. */
enum err limits_set(struct limits *limits, const char *name, const char *text,
                    struct err_text *why) MUST_CHECK;

/* The names that limits_set knows; ends with NULL. */
extern const char *const LIMITS_NAMES[];

/* All of them, in the words of limits_set; owned by the caller. */
struct json *limits_to_json(const struct limits *limits);

#endif
