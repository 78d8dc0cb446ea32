/* The named moments where a fault may strike: in the life of a request, and when an event is about
 * to be sent. */
#ifndef FAILPOINT_H
#define FAILPOINT_H

#include <stdbool.h>

/* X(constant, name, when it is reached) */
#define FAILPOINT_LIST(X)                                                                          \
    X(FAILPOINT_RECEIVED, "received", "read, authenticated and routed; nothing has been done")     \
    X(FAILPOINT_BEFORE_COMMIT, "before_commit", "the key is claimed; nothing is committed yet")    \
    X(FAILPOINT_AFTER_COMMIT, "after_commit", "the effect stands; not a byte has been answered")   \
    X(FAILPOINT_RESPONDING, "responding", "the answer is ready and about to leave")                \
    X(FAILPOINT_RESPONDED, "responded", "the last byte of the answer has been handed over")        \
    X(FAILPOINT_WEBHOOK, "webhook", "an event is about to be sent to an endpoint")

#define FAILPOINT_ENUM(constant, name, when) constant,
enum failpoint { FAILPOINT_LIST(FAILPOINT_ENUM) FAILPOINT_COUNT };
#undef FAILPOINT_ENUM

#define FAILPOINT_BIT(failpoint) (1U << (failpoint))

const char *failpoint_name(enum failpoint failpoint);

/* Whether a fault source hears of an attempt here for the first time. */
bool failpoint_is_first(enum failpoint failpoint);

/* When it is reached, for --help and `psp-harness list`. */
const char *failpoint_when(enum failpoint failpoint);

/* False when NAME is no failpoint. */
bool failpoint_parse(const char *name, enum failpoint *failpoint);

#endif
