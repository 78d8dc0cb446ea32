/* A schedule: a finite list of faults (fault_rule.h), in JSON and, through scenarios, in Lua. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "err.h"
#include "fault_rule.h"
#include "json.h"

#include <stddef.h>

/* A zeroed schedule is an empty one. */
struct schedule {
    struct fault_rule *rules;
    size_t count;
};

#define SCHEDULE_MOST_RULES 1000

/* Reads a list of rules; the sentence in WHY starts with "fault 2: " and WHY->line is the
 * line of its action, as far as the script told. */
enum err schedule_from_json(const struct json *json, struct schedule *schedule,
                            struct err_text *why) MUST_CHECK;

/* Whether a rule (number RULE, from 0; or any) could ever strike with those before it in the list.
 * ERR_INVALID says which of them always strikes first. */
enum err schedule_check_rule(const struct schedule *schedule, size_t rule,
                             struct err_text *why) MUST_CHECK;
enum err schedule_check(const struct schedule *schedule, struct err_text *why) MUST_CHECK;

struct json *schedule_to_json(const struct schedule *schedule);
void schedule_add(struct schedule *schedule, struct fault_rule rule); /* takes RULE over */
void schedule_release(struct schedule *schedule);

#endif
