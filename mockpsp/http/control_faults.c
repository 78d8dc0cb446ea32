/* /_mock/faults, /_mock/faults/next and /_mock/dialect */
#include "control_call.h"

#include <inttypes.h>

static struct json *describe_armed(const struct control_call *call)
{
    const struct armed_faults *armed = live_faults_armed(call->control->core->live);
    struct json *json = json_object();
    json_set(json, "armed", armed_faults_to_json(armed, call->account));
    json_set_int(json, "struck", (int64_t)armed_faults_struck(armed, call->account));
    return json;
}

void control_get_faults(struct control_call *call)
{
    const struct live_faults *live = call->control->core->live;
    const struct schedule *schedule = live_faults_get(live, call->account);
    struct json *json = json_object();
    struct json *struck = json_array();
    for (size_t i = 0; schedule != NULL && i < schedule->count; i++)
        json_push(struck, json_int((int64_t)live_faults_struck(live, call->account, i)));
    json_set(json, "faults", schedule == NULL ? json_null() : schedule_to_json(schedule));
    json_set(json, "struck", struck);
    json_set(json, "next", describe_armed(call));
    reply_object(call->reply, 200, json);
}

static enum err check_alone(const struct schedule *schedule, struct err_text *why)
{
    enum err err = ERR_OK;
    for (size_t i = 0; i < schedule->count && err == ERR_OK; i++)
        err = action_list_check_alone(&schedule->rules[i].acts, why);
    return err;
}

void control_put_faults(struct control_call *call)
{
    struct schedule schedule;
    struct err_text why;
    const struct json *list =
        json_is_object(call->body) ? json_get(call->body, "faults") : call->body;
    if (list == NULL) {
        control_refuse(call, 400,
                       "Send a JSON list of faults: [{\"on\":\"POST *\",\"at\":"
                       "\"after_commit\",\"act\":{\"kind\":\"drop\"}}]");
        return;
    }
    if (schedule_from_json(list, &schedule, &why) != ERR_OK) {
        control_refuse(call, 400, why.text);
        return;
    }
    if (schedule_check(&schedule, &why) != ERR_OK || check_alone(&schedule, &why) != ERR_OK) {
        schedule_release(&schedule);
        control_refuse(call, 400, why.text);
        return;
    }
    live_faults_put(call->control->core->live, call->account, schedule);
    control_get_faults(call);
}

/* --- faults that strike once ------------------------------------------------------------------ */

static enum err read_one(const struct json *json, struct schedule *schedule, struct err_text *why)
{
    struct fault_rule rule;
    enum err err = fault_rule_from_json(json, &rule, why);
    *schedule = (struct schedule){0};
    if (err == ERR_OK)
        schedule_add(schedule, rule);
    return err;
}

static enum err check_next(const struct schedule *schedule, size_t armed, struct err_text *why)
{
    if (schedule->count == 0)
        return err_say(why, ERR_INVALID, "An empty list arms nothing.");
    if (check_alone(schedule, why) != ERR_OK)
        return ERR_INVALID;
    if (armed + schedule->count > SCHEDULE_MOST_RULES)
        return err_say(why, ERR_INVALID,
                       "%zu faults are armed already, and %d is the most: DELETE /_mock/faults "
                       "disarms them.",
                       armed, SCHEDULE_MOST_RULES);
    for (size_t i = 0; i < schedule->count; i++)
        if (schedule->rules[i].times > 1)
            return err_say(why, ERR_INVALID,
                           "An armed fault strikes once, so leave `times` out; a list of %" PRIu64
                           " equal ones strikes as often.",
                           schedule->rules[i].times);
    return ERR_OK;
}

/* One fault, a list of them, or {"faults": the list}. */
static enum err read_next(const struct control_call *call, struct schedule *schedule,
                          struct err_text *why)
{
    const struct json *list = json_get(call->body, "faults");
    size_t armed = armed_faults_count(live_faults_armed(call->control->core->live), call->account);
    enum err err = json_is_object(call->body) && list == NULL
                       ? read_one(call->body, schedule, why)
                       : schedule_from_json(list == NULL ? call->body : list, schedule, why);
    if (err != ERR_OK)
        return err;
    err = check_next(schedule, armed, why);
    if (err != ERR_OK)
        schedule_release(schedule);
    return err;
}

void control_post_next(struct control_call *call)
{
    struct schedule schedule;
    struct err_text why;
    if (call->body == NULL) {
        control_refuse(call, 400,
                       "Send a fault, or a list of them, in JSON: {\"on\":\"POST *\",\"at\":"
                       "\"after_commit\",\"act\":{\"kind\":\"drop\"}}");
        return;
    }
    if (read_next(call, &schedule, &why) != ERR_OK) {
        control_refuse(call, 400, why.text);
        return;
    }
    armed_faults_add(live_faults_armed(call->control->core->live), call->account, schedule);
    control_get_faults(call);
}

void control_delete_faults(struct control_call *call)
{
    live_faults_delete(call->control->core->live, call->account);
    control_get_faults(call);
}

void control_get_dialect(struct control_call *call)
{
    struct json *json = json_object();
    struct json *known = json_array();
    for (int i = 0; dialect_number(i) != NULL; i++)
        json_push(known, json_string(dialect_number(i)->name.text));
    json_set(json, "dialect", dialect_to_json(&call->control->core->dialect));
    json_set(json, "known", known);
    reply_object(call->reply, 200, json);
}

/* A name in a form or in JSON, or a whole table. */
void control_put_dialect(struct control_call *call)
{
    struct dialect dialect;
    struct err_text why;
    const char *name = params_get(&call->params, "name");
    struct json *named = name == NULL ? NULL : json_string(name);
    enum err err = dialect_from_json(named == NULL ? call->body : named, &dialect, &why);
    json_free(named);
    if (err != ERR_OK) {
        control_refuse(call, 400, why.text);
        return;
    }
    call->control->core->dialect = dialect;
    control_get_dialect(call);
}
