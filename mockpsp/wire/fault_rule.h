/* One fault: which request, which failpoint, which action. Data, in JSON and (through scenarios) in
 * Lua. What it means for a request is decided in faults/schedule_source.h. */
#ifndef FAULT_RULE_H
#define FAULT_RULE_H

#include "action_list.h"
#include "buf.h"
#include "err.h"
#include "failpoint.h"
#include "json.h"
#include "target.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a connection has carried a request before. Some HTTP stacks send again by themselves when
 * a warm one dies, and report a cold one to their caller (STRIPE_FACTS §5). */
enum warmth { WARMTH_ANY, WARMTH_COLD, WARMTH_WARM };

/* What requests are counted by: X(name, constant, "of …" for a person) */
#define PER_LIST(X)                                                                                \
    X(run, PER_RUN, "of the run")                                                                  \
    X(order, PER_ORDER, "of its order")                                                            \
    X(key, PER_KEY, "with its key")                                                                \
    X(connection, PER_CONNECTION, "on its connection")

#define PER_ENUM(name, constant, of) constant,
enum per { PER_LIST(PER_ENUM) PER_COUNT };
#undef PER_ENUM

struct fault_rule {
    struct target_list on;
    bool pays;   /* only requests that move money if they succeed */
    char *order; /* only this order, or NULL */
    enum warmth warmth;
    int64_t from_ms;   /* since the start of time, see schedule_source.h */
    int64_t to_ms;     /* not at or after that; 0: for ever */
    uint64_t attempts; /* bit n-1: the n-th matching request of its order; 0: any */
    uint64_t nth;      /* the n-th matching request PER…; 0: any */
    struct {
        uint64_t strikes, of; /* the first STRIKES of every OF matching requests PER…; 0: all */
    } burst;
    enum per per;
    double chance;  /* above 0, up to 1 */
    uint64_t times; /* strikes so often and no more; 0: always */
    bool optional;  /* that it never strikes says nothing against a run */
    enum failpoint at;
    struct action_list acts;
    bool narrowed; /* a script's `when` has its say as well */
    int line;      /* where the scenario wrote it, 0 when unknown */
};

#define FAULT_MOST_ATTEMPTS 64

const char *per_name(enum per per);
const char *per_of(enum per per); /* "of the run" */

/* Reads one rule, whose members are the fields of fault_field.h:
 *   {"on":"POST /v1/payment_intents","attempt":1,"at":"after_commit","act":{"kind":"drop"}}
 * "attempt" is a number or a list of numbers, "act" an action or a list of actions, "from" and "to"
 * are text, or numbers of milliseconds; "on" is the type of an event at webhook. Unknown members,
 * unknown words, fields that contradict one another and actions that make no sense at their
 * failpoint are ERR_INVALID: the sentence in WHY names the word and what would have been right;
 * RULE is zeroed then, but for its line. */
enum err fault_rule_from_json(const struct json *json, struct fault_rule *rule,
                              struct err_text *why) MUST_CHECK;
struct json *fault_rule_to_json(const struct fault_rule *rule);

/* Whether a request can be thought of that it means. ERR_INVALID says which fields contradict one
 * another, and the remedy. */
enum err fault_rule_check(const struct fault_rule *rule, struct err_text *why) MUST_CHECK;

/* Whether RULE strikes every request at the failpoint of OTHER, which, behind it, never can. */
bool fault_rule_hides(const struct fault_rule *rule, const struct fault_rule *other);

/* For a person: "drop at after_commit on POST /v1/payment_intents, attempt 1". */
void fault_rule_describe(const struct fault_rule *rule, struct buf *out);
void fault_rule_release(struct fault_rule *rule);

#endif
