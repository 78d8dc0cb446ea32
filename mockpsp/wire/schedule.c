#include "schedule.h"

#include "mem.h"

#include <stdlib.h>

/* An empty table of a script may arrive as an object. Anything else that is no list must not pass
 * for "no faults": the scenario would prove nothing and say that all is well. */
static bool is_list(const struct json *json)
{
    return json == NULL || json_is_null(json) || json_is_array(json) ||
           (json_is_object(json) && json_count(json) == 0);
}

enum err schedule_from_json(const struct json *json, struct schedule *schedule,
                            struct err_text *why)
{
    *schedule = (struct schedule){0};
    if (!is_list(json))
        return err_say(why, ERR_INVALID, "faults is a list: { { on = …, at = …, act = … }, … }");
    if (json_count(json) > SCHEDULE_MOST_RULES)
        return err_say(why, ERR_LIMIT, "more than %d faults", SCHEDULE_MOST_RULES);
    size_t number = 0;
    for (const struct json *one = json_first(json); one != NULL; one = json_next(one)) {
        struct fault_rule rule;
        struct err_text inner = {0};
        enum err err = fault_rule_from_json(one, &rule, &inner);
        number++;
        if (err != ERR_OK) {
            schedule_release(schedule);
            if (why != NULL)
                why->line = rule.line;
            return err_say(why, err, "fault %zu: %s", number, inner.text);
        }
        schedule_add(schedule, rule);
    }
    return ERR_OK;
}

enum err schedule_check_rule(const struct schedule *schedule, size_t rule, struct err_text *why)
{
    for (size_t i = 0; i < rule; i++)
        if (fault_rule_hides(&schedule->rules[i], &schedule->rules[rule]))
            return err_say(why, ERR_INVALID,
                           "fault %zu: fault %zu strikes every request at %s, so this one never "
                           "can: put it in front",
                           rule + 1, i + 1, failpoint_name(schedule->rules[rule].at));
    return ERR_OK;
}

enum err schedule_check(const struct schedule *schedule, struct err_text *why)
{
    enum err err = ERR_OK;
    for (size_t i = 0; i < schedule->count && err == ERR_OK; i++)
        err = schedule_check_rule(schedule, i, why);
    return err;
}

struct json *schedule_to_json(const struct schedule *schedule)
{
    struct json *json = json_array();
    for (size_t i = 0; i < schedule->count; i++)
        json_push(json, fault_rule_to_json(&schedule->rules[i]));
    return json;
}

void schedule_add(struct schedule *schedule, struct fault_rule rule)
{
    schedule->rules = mem_resize(schedule->rules, schedule->count + 1, sizeof rule);
    schedule->rules[schedule->count++] = rule;
}

void schedule_release(struct schedule *schedule)
{
    for (size_t i = 0; i < schedule->count; i++)
        fault_rule_release(&schedule->rules[i]);
    free(schedule->rules);
    *schedule = (struct schedule){0};
}
