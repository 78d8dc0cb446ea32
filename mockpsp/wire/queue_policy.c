#include "queue_policy.h"

#include "duration.h"
#include "nearest.h"

#include <stdbool.h>
#include <string.h>

#define MOST_FACTOR 100.0

#define FIELD_NAME(name, type, what) #name,
static const char *const FIELDS[] = {QUEUE_FIELD_LIST(FIELD_NAME) NULL};
static const char *const BACKOFF_FIELDS[] = {BACKOFF_FIELD_LIST(FIELD_NAME) NULL};
#undef FIELD_NAME

static enum err check_names(const struct json *json, const char *what, const char *const *names,
                            struct err_text *why)
{
    for (const struct json *one = json_first(json); one != NULL; one = json_next(one)) {
        bool known = false;
        for (size_t i = 0; names[i] != NULL; i++)
            known = known || strcmp(names[i], json_name(one)) == 0;
        if (!known)
            return err_say(why, ERR_INVALID, "%s has no field '%s'%s", what, json_name(one),
                           nearest_hint(json_name(one), names).text);
    }
    return ERR_OK;
}

/* JSON NULL is a field that was left out: MS stays as it is. */
static enum err read_duration(const struct json *json, const char *name, int64_t *ms,
                              struct err_text *why)
{
    struct err_text inner;
    const char *text = json_as_string(json);
    if (json == NULL)
        return ERR_OK;
    if (text == NULL)
        return err_say(why, ERR_INVALID, "%s is a duration: \"10s\"", name);
    return duration_parse(text, ms, &inner) == ERR_OK
               ? ERR_OK
               : err_say(why, ERR_INVALID, "%s: %s", name, inner.text);
}

static enum err read_pauses(const struct json *list, struct queue_policy *policy,
                            struct err_text *why)
{
    if (json_count(list) < 1 || json_count(list) > QUEUE_MOST_PAUSES)
        return err_say(why, ERR_INVALID, "backoff is a list of 1 to %d durations",
                       QUEUE_MOST_PAUSES);
    enum err err = ERR_OK;
    for (const struct json *one = json_first(list); one != NULL && err == ERR_OK;
         one = json_next(one))
        err = read_duration(one, "backoff", &policy->pauses_ms[policy->pause_count++], why);
    return err;
}

static enum err read_growing(const struct json *json, struct queue_policy *policy,
                             struct err_text *why)
{
    const struct json *factor = json_get(json, "factor");
    policy->pause_count = 1;
    policy->factor = 2;
    if (json_get(json, "first") == NULL)
        return err_say(why, ERR_INVALID,
                       "backoff is a duration, a list of them, or { first = \"1s\", factor = 2 }");
    enum err err = check_names(json, "backoff", BACKOFF_FIELDS, why);
    if (err == ERR_OK)
        err = read_duration(json_get(json, "first"), "backoff.first", &policy->pauses_ms[0], why);
    if (err == ERR_OK)
        err = read_duration(json_get(json, "most"), "backoff.most", &policy->most_ms, why);
    if (err == ERR_OK && factor != NULL &&
        (!json_as_double(factor, &policy->factor) || policy->factor < 1 ||
         policy->factor > MOST_FACTOR))
        return err_say(why, ERR_INVALID, "backoff.factor is a number from 1 to 100");
    return err;
}

static enum err read_backoff(const struct json *json, struct queue_policy *policy,
                             struct err_text *why)
{
    if (json == NULL)
        return ERR_OK;
    if (json_is_array(json))
        return read_pauses(json, policy, why);
    if (json_is_object(json))
        return read_growing(json, policy, why);
    policy->pause_count = 1;
    return read_duration(json, "backoff", &policy->pauses_ms[0], why);
}

static enum err read_tries(const struct json *json, struct queue_policy *policy,
                           struct err_text *why)
{
    int64_t tries = 0;
    if (json == NULL)
        return ERR_OK;
    if (!json_as_int(json, &tries) || tries < 1 || tries > QUEUE_MOST_TRIES)
        return err_say(why, ERR_INVALID, "tries is a whole number from 1 to %d", QUEUE_MOST_TRIES);
    policy->tries = (int)tries;
    return ERR_OK;
}

enum err queue_policy_from_json(const struct json *json, struct queue_policy *policy,
                                struct err_text *why)
{
    *policy = (struct queue_policy){0};
    const struct json *timeout = json_get(json, "visibility_timeout");
    if (!json_is_object(json) || json_first(json) == NULL)
        return err_say(why, ERR_INVALID,
                       "queue is a table: queue = { tries = 5, backoff = { \"1s\", \"10s\" } }");
    enum err err = check_names(json, "queue", FIELDS, why);
    if (err == ERR_OK)
        err = read_tries(json_get(json, "tries"), policy, why);
    if (err == ERR_OK)
        err = read_backoff(json_get(json, "backoff"), policy, why);
    if (err == ERR_OK)
        err = read_duration(timeout, "visibility_timeout", &policy->visibility_timeout_ms, why);
    if (err == ERR_OK && timeout != NULL && policy->visibility_timeout_ms == 0)
        err = err_say(why, ERR_INVALID, "visibility_timeout is longer than 0");
    if (err != ERR_OK)
        *policy = (struct queue_policy){0};
    return err;
}

struct queue_policy queue_policy_over(const struct queue_policy *first,
                                      const struct queue_policy *second)
{
    struct queue_policy policy = first->pause_count > 0 ? *first : *second;
    policy.tries = first->tries > 0 ? first->tries : second->tries;
    policy.visibility_timeout_ms = first->visibility_timeout_ms > 0 ? first->visibility_timeout_ms
                                                                    : second->visibility_timeout_ms;
    return policy;
}

int64_t queue_policy_pause_ms(const struct queue_policy *policy, int deliveries)
{
    if (policy->pause_count == 0 || deliveries < 1)
        return 0;
    int last = policy->pause_count - 1;
    int64_t most = policy->most_ms > 0 ? policy->most_ms : DURATION_MOST_MS;
    double pause = (double)policy->pauses_ms[deliveries - 1 < last ? deliveries - 1 : last];
    for (int i = policy->pause_count; i < deliveries && pause < (double)most; i++)
        pause *= policy->factor > 1 ? policy->factor : 1;
    return pause < (double)most ? (int64_t)pause : most;
}
