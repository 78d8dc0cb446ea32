/* /_mock/faults and /_mock/dialect */
#include "control_call.h"

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
    reply_object(call->reply, 200, json);
}

static bool needs_harness(const struct schedule *schedule)
{
    for (size_t i = 0; i < schedule->count; i++)
        if (action_list_has(&schedule->rules[i].acts, ACTION_CRASH_CLIENT))
            return true;
    return false;
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
    if (needs_harness(&schedule)) {
        schedule_release(&schedule);
        control_refuse(call, 400,
                       "crash_client needs psp-harness: a provider does not know its clients.");
        return;
    }
    live_faults_put(call->control->core->live, call->account, schedule);
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
