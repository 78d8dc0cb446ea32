/* A schedule: which request, which failpoint, which action. Data, in JSON and (through scenarios)
 * in Lua. What it means for a request is decided in faults/. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "action_list.h"
#include "err.h"
#include "failpoint.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a connection has carried a request before. Some HTTP stacks send again by themselves when
 * a warm one dies, and report a cold one to their caller (STRIPE_FACTS §5). */
enum warmth { WARMTH_ANY, WARMTH_COLD, WARMTH_WARM };

/* One line of a schedule. */
struct fault_rule {
    char *method;      /* "POST", or "*" */
    char *path;        /* "/v1/charges*": a star stands for any text */
    char *event;       /* at webhook, in their place: "payment_intent.*"; NULL: any */
    uint64_t attempts; /* bit n-1: the n-th matching request of its order; 0: any */
    uint64_t nth;      /* the n-th matching request of the run; 0: any */
    uint64_t times;    /* strikes so often and no more; 0: always */
    enum warmth warmth;
    bool pays;   /* only requests that move money if they succeed */
    char *order; /* only this order, or NULL */
    enum failpoint at;
    struct action_list acts;
    int line; /* where the scenario wrote it, 0 when unknown */
};

/* A zeroed schedule is an empty one. */
struct schedule {
    struct fault_rule *rules;
    size_t count;
};

#define SCHEDULE_MOST_RULES    1000
#define SCHEDULE_MOST_ATTEMPTS 64

/* Reads one rule:
 *   {"on":"POST /v1/payment_intents","attempt":1,"nth":2,"order":"…","at":"after_commit",
 *    "act":{"kind":"drop"}}
 * "act" is an action or a list of them; "on" defaults to "* *", and is the type of an event at
 * webhook; "attempt" is a number or a list of numbers, each 1..64; "times" a number; "pays" true:
 * only requests that move money; "warm" true (not the first request on its connection) or false.
 * Unknown members, unknown words and actions that make no sense at their failpoint are ERR_INVALID:
 * the sentence in WHY names the word and what would have been right; RULE is zeroed then, but for
 * its line. */
enum err fault_rule_from_json(const struct json *json, struct fault_rule *rule,
                              struct err_text *why) MUST_CHECK;
struct json *fault_rule_to_json(const struct fault_rule *rule);
/* For a person: "drop at after_commit on POST /v1/payment_intents, attempt 1". */
void fault_rule_describe(const struct fault_rule *rule, struct buf *out);
void fault_rule_release(struct fault_rule *rule);

/* Reads a list of rules; the sentence in WHY starts with "fault 2: " and WHY->line is the
 * line of its action, as far as the script told. */
enum err schedule_from_json(const struct json *json, struct schedule *schedule,
                            struct err_text *why) MUST_CHECK;
struct json *schedule_to_json(const struct schedule *schedule);
void schedule_add(struct schedule *schedule, struct fault_rule rule); /* takes RULE over */
void schedule_release(struct schedule *schedule);

#endif
