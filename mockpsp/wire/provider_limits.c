#include "provider_limits.h"

#include "duration.h"
#include "mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RATE_LARGEST INT64_C(1000000)

static enum err rate_invalid(const char *text, struct err_text *why)
{
    return err_say(why, ERR_INVALID, "a rate is 10/s, 100/m, 7/1500ms or off, not '%.50s'", text);
}

/* "s" and "1500ms" both: a unit alone is one of it. */
static enum err set_rate(struct limits *limits, const char *text, struct err_text *why)
{
    char *end;
    int64_t ms = 0;
    if (strcmp(text, "off") == 0) {
        limits->rate = 0;
        limits->rate_ms = 0;
        return ERR_OK;
    }
    errno = 0;
    int64_t rate = strtoll(text, &end, 10);
    if (!isdigit((unsigned char)*text) || errno != 0 || *end != '/' || rate < 1 ||
        rate > RATE_LARGEST)
        return rate_invalid(text, why);
    char *time = isdigit((unsigned char)end[1]) ? mem_strdup(end + 1) : mem_printf("1%s", end + 1);
    enum err err = duration_parse(time, &ms, NULL);
    free(time);
    if (err != ERR_OK || ms == 0)
        return rate_invalid(text, why);
    limits->rate = rate;
    limits->rate_ms = ms;
    return ERR_OK;
}

static enum err set_locks(struct limits *limits, const char *text, struct err_text *why)
{
    if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0)
        return err_say(why, ERR_INVALID, "locks are on or off, not '%.50s'", text);
    limits->unlocked = strcmp(text, "off") == 0;
    return ERR_OK;
}

static enum err set_list_lag(struct limits *limits, const char *text, struct err_text *why)
{
    return duration_parse(text, &limits->list_lag_ms, why);
}

static enum err set_read_lag(struct limits *limits, const char *text, struct err_text *why)
{
    return duration_parse(text, &limits->read_lag_ms, why);
}

const char *const LIMITS_NAMES[] = {"rate", "locks", "list_lag", "read_lag", NULL};

static enum err (*const SET[])(struct limits *limits, const char *text, struct err_text *why) = {
    set_rate, set_locks, set_list_lag, set_read_lag};

enum err limits_set(struct limits *limits, const char *name, const char *text, struct err_text *why)
{
    for (size_t i = 0; LIMITS_NAMES[i] != NULL; i++)
        if (strcmp(LIMITS_NAMES[i], name) == 0)
            return SET[i](limits, text, why);
    return err_say(why, ERR_INVALID, "there is no limit '%.50s'", name);
}

struct json *limits_to_json(const struct limits *limits)
{
    struct json *json = json_object();
    char *rate = limits->rate == 0 ? mem_strdup("off")
                                   : mem_printf("%lld/%s", (long long)limits->rate,
                                                duration_format(limits->rate_ms).text);
    json_set_string(json, "rate", rate);
    json_set_string(json, "locks", limits->unlocked ? "off" : "on");
    json_set_string(json, "list_lag", duration_format(limits->list_lag_ms).text);
    json_set_string(json, "read_lag", duration_format(limits->read_lag_ms).text);
    free(rate);
    return json;
}
