/* A duration that is drawn: a distribution, or a profile over time. Where an action takes a
 * duration it takes one of these as well: delay(uniform("10ms", "2s")).
 *
 * Whoever draws decides where the randomness comes from; see faults/draws.h. */
#ifndef SPREAD_H
#define SPREAD_H

#include "buf.h"
#include "err.h"
#include "json.h"
#include "rng.h"

#include <stddef.h>
#include <stdint.h>

/* X(name, constant, what it is)
 *
 * The options, in the order in which Lua takes them, are in spread.c. Time counts from the fault's
 * `from`, or from the provider's start. */
#define SPREAD_LIST(X)                                                                             \
    X(uniform, SPREAD_UNIFORM, "anything from low to high, evenly")                                \
    X(normal, SPREAD_NORMAL, "around a mean; what would be below 0 is 0")                          \
    X(lognormal, SPREAD_LOGNORMAL,                                                                 \
      "as answers of a service come: a median, and one in 100 above "                              \
      "p99")                                                                                       \
    X(pareto, SPREAD_PARETO, "a long tail: median and p99, or scale (the least) and shape")        \
    X(samples, SPREAD_SAMPLES, "one of a list, each as likely as it is often in there")            \
    X(ramp, SPREAD_RAMP, "with time: in a straight line, then it stays")                           \
    X(square, SPREAD_SQUARE, "with time: low, then high for the end of each period")               \
    X(sine, SPREAD_SINE, "with time: up and down in waves, from low to high and back")

#define SPREAD_ENUM(name, constant, what) constant,
enum spread_kind { SPREAD_LIST(SPREAD_ENUM) SPREAD_COUNT };
#undef SPREAD_ENUM

#define SPREAD_MOST_MS      INT64_C(3600000) /* no option and no draw is longer */
#define SPREAD_MOST_OPTIONS 4
#define SPREAD_MOST_SAMPLES 10000

enum spread_type { SPREAD_DURATION, SPREAD_NUMBER, SPREAD_DURATIONS };

struct spread_option {
    const char *name;
    enum spread_type type;
    const char *does;
    const char *left_out; /* NULL: it has to be given */
};

struct spread {
    enum spread_kind kind;
    double values[SPREAD_MOST_OPTIONS]; /* by option: milliseconds or a number; -1: left out */
    int64_t *samples;                   /* milliseconds */
    size_t sample_count;
};

const char *spread_name(enum spread_kind kind);
const char *spread_what(enum spread_kind kind);

/* Option NUMBER of that kind, from 0; NULL past the end. */
const struct spread_option *spread_option(enum spread_kind kind, int number);

/* Reads {"spread":"uniform","low":"10ms","high":"2s"}; durations are text, or a number of
 * milliseconds. ERR_INVALID leaves *SPREAD NULL and says which word is wrong, and what would be
 * right. A member "line" is ignored. */
enum err spread_from_json(const struct json *json, struct spread **spread,
                          struct err_text *why) MUST_CHECK;
struct json *spread_to_json(const struct spread *spread); /* owned by the caller */

/* For a person: "uniform low 10ms high 2s". */
void spread_describe(const struct spread *spread, struct buf *out);

/* Milliseconds, 0 to SPREAD_MOST_MS; rounded, and cut off there. ELAPSED_MS is the time of a
 * profile, at least 0. Takes numbers from RNG as it needs them, the same way every time. */
int64_t spread_draw(const struct spread *spread, struct rng *rng, int64_t elapsed_ms);

struct spread *spread_copy(const struct spread *spread); /* NULL stays NULL */
void spread_free(struct spread *spread);                 /* NULL is fine */

#endif
