/* Invariants: what has to hold whatever the provider, the wire and the clock did.
 *
 * Each is a pure function of the history, in a file of its own. It adds one finding for every order
 * (or key) that breaks it, and one for every place where the history does not suffice to tell.
 * Nothing added means: it holds. */
#ifndef INVARIANT_H
#define INVARIANT_H

#include "err.h"
#include "history.h"
#include "json.h"
#include "order.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, what it demands) */
#define INVARIANT_LIST(X)                                                                          \
    X(charged_once, "no order is charged more than once, not even if it is refunded later")        \
    X(charge_matches_order, "every charge has the amount and the currency of its order")           \
    X(success_is_charged, "an order that the client calls paid has a charge that stands")          \
    X(failure_is_not_charged, "an order that the client calls failed has no charge that stands")   \
    X(settles, "once the faults end, every order becomes succeeded or failed")                     \
    X(key_means_one_request, "one idempotency key never carries two different requests")

#define INVARIANT_ENUM(name, demands) INVARIANT_##name,
enum invariant { INVARIANT_LIST(INVARIANT_ENUM) INVARIANT_COUNT };
#undef INVARIANT_ENUM

const char *invariant_name(enum invariant invariant);
const char *invariant_demands(enum invariant invariant);
bool invariant_parse(const char *name, enum invariant *invariant);

struct finding {
    enum invariant invariant;
    bool violated;  /* false: cannot tell */
    char *order;    /* or NULL */
    char *sentence; /* what happened, for a person */
    uint64_t seq;   /* the line of the history where it went wrong, 0 when there is none */
};

/* A zeroed list is empty. */
struct findings {
    struct finding *items;
    size_t count;
};

/* Adds to FINDINGS what INVARIANT finds, or what all of them find. */
void invariant_check(enum invariant invariant, const struct history *history,
                     const struct orders *orders, struct findings *findings);
void invariant_check_all(const struct history *history, const struct orders *orders,
                         struct findings *findings);

/* For the checkers. WHERE may be NULL, as may ORDER. */
void findings_violated(struct findings *findings, enum invariant invariant, const char *order,
                       const struct event *where, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void findings_cannot_tell(struct findings *findings, enum invariant invariant, const char *order,
                          const struct event *where, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The first violation, or the first of INVARIANT at all; NULL when there is none. */
const struct finding *findings_first_violation(const struct findings *findings);
const struct finding *findings_of(const struct findings *findings, enum invariant invariant);

/* [{"invariant":…,"result":"violated"|"cannot tell","order":…,"sentence":…,"seq":…}] */
struct json *findings_to_json(const struct findings *findings);
enum err findings_from_json(const struct json *json, struct findings *findings) MUST_CHECK;
void findings_release(struct findings *findings);

#define INVARIANT_PROTOTYPE(name, demands)                                                         \
    void invariant_##name(const struct history *history, const struct orders *orders,              \
                          struct findings *findings);
INVARIANT_LIST(INVARIANT_PROTOTYPE)
#undef INVARIANT_PROTOTYPE

#endif
