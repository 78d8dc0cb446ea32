/* /_mock/health and /_mock/clock */
#include "control_call.h"
#include "duration.h"

#include <time.h>

void control_get_health(struct control_call *call)
{
    struct json *json = json_object();
    json_set_string(json, "status", "ok");
    json_set_string(json, "version", MOCKPSP_VERSION);
    json_set_int(json, "uptime_ms", (clock_monotonic_us() - call->control->started_us) / 1000);
    json_set_int(json, "attempts", (int64_t)call->control->core->last_attempt);
    reply_object(call->reply, 200, json);
}

void control_get_clock(struct control_call *call)
{
    const struct clock *clock = call->control->core->clock;
    char text[32];
    struct tm utc;
    struct json *json = json_object();
    time_t seconds = (time_t)clock_now_s(clock);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    json_set_string(json, "mode", clock->manual ? "manual" : "real");
    json_set_int(json, "now_ms", clock_now_ms(clock));
    json_set_string(json, "now", text);
    reply_object(call->reply, 200, json);
}

void control_post_clock(struct control_call *call)
{
    struct err_text why;
    int64_t ms = 0;
    const char *text = control_input(call, "advance");
    if (text == NULL) {
        control_refuse(call, 400, "Say how far: advance=25h");
        return;
    }
    if (duration_parse(text, &ms, &why) != ERR_OK) {
        control_refuse(call, 400, why.text);
        return;
    }
    enum err err = call->control->advance(call->control->context, ms);
    if (err == ERR_INVALID)
        control_refuse(call, 400, "The clock does not go past the year 9999.");
    else if (err != ERR_OK)
        control_broken(call);
    else
        control_get_clock(call);
}
