/* What an order has come to, as its client says. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <stdbool.h>

#define OUTCOME_LIST(X)                                                                            \
    X(OUTCOME_NONE, "none")                                                                        \
    X(OUTCOME_SUCCEEDED, "succeeded")                                                              \
    X(OUTCOME_FAILED, "failed")                                                                    \
    X(OUTCOME_UNKNOWN, "unknown")

#define OUTCOME_ENUM(constant, name) constant,
enum outcome { OUTCOME_LIST(OUTCOME_ENUM) OUTCOME_COUNT };
#undef OUTCOME_ENUM

const char *outcome_name(enum outcome outcome);

/* False when NAME is none that a client may say. */
bool outcome_parse(const char *name, enum outcome *outcome);

#endif
