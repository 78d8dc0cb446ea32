/* /_mock/limits */
#include "control_call.h"
#include "rate.h"

void control_get_limits(struct control_call *call)
{
    reply_object(call->reply, 200, limits_to_json(&call->control->core->limits));
}

/* False after refusing. */
static bool read_limits(struct control_call *call, struct limits *limits)
{
    struct err_text why;
    bool any = false;
    for (size_t i = 0; LIMITS_NAMES[i] != NULL; i++) {
        const char *text = control_input(call, LIMITS_NAMES[i]);
        any = any || text != NULL;
        if (text != NULL && limits_set(limits, LIMITS_NAMES[i], text, &why) != ERR_OK) {
            control_refuse(call, 400, why.text);
            return false;
        }
    }
    if (!any)
        control_refuse(call, 400, "Say which: rate, locks, list_lag or read_lag, all as text.");
    return any;
}

/* All of them or none. A new rate begins with full buckets. */
void control_put_limits(struct control_call *call)
{
    struct core *core = call->control->core;
    struct limits limits = core->limits;
    if (!read_limits(call, &limits))
        return;
    if (limits.rate != core->limits.rate || limits.rate_ms != core->limits.rate_ms)
        rate_forget(core);
    core->limits = limits;
    control_get_limits(call);
}
