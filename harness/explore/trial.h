/* A trial: one plan, played once in a world of its own, and what came of it. */
#ifndef TRIAL_H
#define TRIAL_H

#include "crypto.h"
#include "err.h"
#include "invariant.h"
#include "json.h"
#include "plan.h"
#include "result.h"
#include "trace.h"

#include <stdbool.h>
#include <stddef.h>

/* X(name, what it means) */
#define TRIAL_END_LIST(X)                                                                          \
    X(not_run, "there was no time for it")                                                         \
    X(survived, "every fault struck, and every invariant holds")                                   \
    X(broke, "an invariant is violated")                                                           \
    X(missed, "a fault never struck: the client did not come there")                               \
    X(unsure, "inconclusive for another reason")                                                   \
    X(error, "the harness itself failed")

#define TRIAL_END_ENUM(name, what) TRIAL_##name,
enum trial_end { TRIAL_END_LIST(TRIAL_END_ENUM) TRIAL_END_COUNT };
#undef TRIAL_END_ENUM

const char *trial_end_name(enum trial_end end);

/* What is asked: PLAN, borrowed, with so many orders, for the so-manieth time. WHOLE: the history
 * is wanted as well, to be compared with that of another turn. */
struct trial_question {
    const struct plan *plan;
    int orders;
    int turn;
    bool whole;
};

struct trial {
    enum trial_end end;
    enum invariant invariant; /* that was violated first, when it broke; and why */
    enum cause cause;
    char *why;                      /* a sentence; NULL when it survived */
    struct crypto_digest signature; /* see continuation.h */
    struct trace trace;
    char *canonical; /* the canonical history, when all of it was asked for; or NULL */
    char *story;     /* for a person, with nothing in it that differs from run to run; when it broke
                      */
    char *by_hand;   /* the same requests as curl commands, when it broke */
};

/* From what a world came to. STRICT: what only warns counts. */
void trial_judge(const struct plan *plan, const struct result *result, bool strict,
                 struct trial *trial);

/* Why the trials of two turns of one plan, both whole, are not the same, a sentence into OUT;
 * nothing when they are. */
void trial_compare(const struct trial *one, const struct trial *other, struct buf *out);

struct json *trial_to_json(const struct trial *trial);
/* ERR_INVALID leaves a zeroed TRIAL. */
enum err trial_from_json(const struct json *json, struct trial *trial) MUST_CHECK;
void trial_release(struct trial *trial);

#endif
