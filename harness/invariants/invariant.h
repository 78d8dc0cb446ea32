/* Invariants: what has to hold whatever the provider, the wire and the clock did.
 *
 * Each is a pure function of the history, in a file of its own. It adds one finding for every order
 * (or key) that breaks it, and one for every place where the history does not suffice to tell.
 * Nothing added means: it holds. */
#ifndef INVARIANT_H
#define INVARIANT_H

#include "causes.h"
#include "err.h"
#include "history.h"
#include "json.h"
#include "order.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* FAILS: the run has failed. WARNS: trouble that waits to happen; --strict makes it fail. */
enum severity { FAILS, WARNS };

/* X(name, severity, what it demands) */
#define INVARIANT_LIST(X)                                                                          \
    X(charged_once, FAILS, "no order is charged more than once, not even if it is refunded later") \
    X(charge_matches_order, FAILS, "every charge has the amount and the currency of its order")    \
    X(success_is_charged, FAILS, "an order that the client calls paid has a charge that stands")   \
    X(failure_is_not_charged, FAILS,                                                               \
      "an order that the client calls failed has no charge that stands")                           \
    X(settles, FAILS, "once the faults end, every order becomes succeeded or failed")              \
    X(key_means_one_request, FAILS, "one idempotency key never carries two different requests")    \
    X(webhook_effect_once, FAILS,                                                                  \
      "what a client does because an order is paid is done once, however webhooks come")           \
    X(no_live_key, FAILS, "no key of live mode is sent to a test provider")                        \
    X(key_sent, WARNS, "every request that makes a payment carries an idempotency key")            \
    X(key_survives, WARNS, "no new key after an attempt whose outcome is unknown")                 \
    X(retries_only_retryable, WARNS, "a definite no is not asked for again")                       \
    X(retries_bounded, WARNS, "one run of a client tries an order ten times at most")              \
    X(waits_between_retries, WARNS, "pauses before new tries, with jitter, as Retry-After says")   \
    X(gives_up_in_time, WARNS, "a call that is not answered is given up, within 90 s")             \
    X(storm_is_bounded, WARNS, "a provider that fails everything is asked less and less")

#define INVARIANT_ENUM(name, severity, demands) INVARIANT_##name,
enum invariant { INVARIANT_LIST(INVARIANT_ENUM) INVARIANT_COUNT };
#undef INVARIANT_ENUM

const char *invariant_name(enum invariant invariant);
const char *invariant_demands(enum invariant invariant);
enum severity invariant_severity(enum invariant invariant);
const char *severity_name(enum severity severity); /* "fails", "warns" */
bool invariant_parse(const char *name, enum invariant *invariant);

struct finding {
    enum invariant invariant;
    bool violated; /* false: cannot tell */
    enum cause cause;
    char *order;    /* or NULL */
    char *sentence; /* what happened, for a person */
    uint64_t seq;   /* the line of the history where it went wrong, 0 when there is none */
    int64_t weight; /* how bad, beside others of the same invariant: how often, how long; from 1 */
};

/* A zeroed list is empty. */
struct findings {
    struct finding *items;
    size_t count;
};

/* Adds to FINDINGS what INVARIANT finds, or what all of them find, but for those in WITHOUT, a bit
 * for each: to see who would go unnoticed. */
void invariant_check(enum invariant invariant, const struct history *history,
                     const struct orders *orders, struct findings *findings);
void invariant_check_all(const struct history *history, const struct orders *orders,
                         unsigned without, struct findings *findings);

/* For the checkers. WHERE may be NULL, as may ORDER. */
void findings_violated(struct findings *findings, enum invariant invariant, const char *order,
                       const struct event *where, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void findings_cannot_tell(struct findings *findings, enum invariant invariant, const char *order,
                          const struct event *where, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Says why what was added last was violated, and how bad it is. */
void findings_blame(struct findings *findings, enum cause cause);
void findings_weigh(struct findings *findings, int64_t weight);

/* The first violation of one that FAILS; NULL: there is none. */
const struct finding *findings_first_violation(const struct findings *findings);

/* Of INVARIANT's findings (violations, if there are any) the one that happened first, the worst one
 * (the first of those), and how many there are. NULL: there is none. */
const struct finding *findings_of(const struct findings *findings, enum invariant invariant);
const struct finding *findings_worst(const struct findings *findings, enum invariant invariant);
size_t findings_count(const struct findings *findings, enum invariant invariant);

/* [{"invariant":…,"severity":…,"result":…,"cause":…,"order":…,"sentence":…,"seq":…,"weight":…}],
 * where the result is "violated" or "cannot tell". */
struct json *findings_to_json(const struct findings *findings);
enum err findings_from_json(const struct json *json, struct findings *findings) MUST_CHECK;
void findings_release(struct findings *findings);

#define INVARIANT_PROTOTYPE(name, severity, demands)                                               \
    void invariant_##name(const struct history *history, const struct orders *orders,              \
                          struct findings *findings);
INVARIANT_LIST(INVARIANT_PROTOTYPE)
#undef INVARIANT_PROTOTYPE

#endif
