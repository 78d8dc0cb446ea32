#include "schedule.h"

#include "fault_field.h"
#include "mem.h"
#include "nearest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum err parse_event(const char *on, struct fault_rule *rule, struct err_text *why)
{
    if (*on == '\0' || on[strspn(on, "abcdefghijklmnopqrstuvwxyz_.*")] != '\0')
        return err_say(why, ERR_INVALID,
                       "on = \"%s\": at webhook write the type of an event, as in "
                       "\"charge.succeeded\" or \"payment_intent.*\"",
                       on);
    mem_set_string(&rule->event, on);
    return ERR_OK;
}

static enum err parse_on(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    const char *on = json_as_string(member);
    if (on == NULL)
        return err_say(why, ERR_INVALID, "on is text: on = \"POST *\"");
    if (rule->at == FAILPOINT_WEBHOOK)
        return parse_event(on, rule, why);
    const char *space = strchr(on, ' ');
    if (space == NULL || space == on || (space[1] != '/' && space[1] != '*') ||
        strchr(space + 1, ' ') != NULL)
        return err_say(why, ERR_INVALID,
                       "on = \"%s\": write a method and a path, as in \"POST /v1/charges\" "
                       "(a star stands for any method, or for any text in a path)",
                       on);
    free(rule->method);
    free(rule->path);
    rule->method = mem_strndup(on, (size_t)(space - on));
    rule->path = mem_strdup(space + 1);
    return ERR_OK;
}

static enum err add_attempt(const struct json *value, struct fault_rule *rule, struct err_text *why)
{
    int64_t number;
    if (!json_as_int(value, &number) || number < 1 || number > SCHEDULE_MOST_ATTEMPTS)
        return err_say(why, ERR_INVALID,
                       "attempt is a number from 1 to %d, or a list of them: attempt = {1, 2}",
                       SCHEDULE_MOST_ATTEMPTS);
    rule->attempts |= UINT64_C(1) << (number - 1);
    return ERR_OK;
}

static enum err parse_attempt(const struct json *value, struct fault_rule *rule,
                              struct err_text *why)
{
    if (!json_is_array(value) || json_count(value) == 0)
        return add_attempt(value, rule, why);
    for (const struct json *one = json_first(value); one != NULL; one = json_next(one)) {
        enum err err = add_attempt(one, rule, why);
        if (err != ERR_OK)
            return err;
    }
    return ERR_OK;
}

static enum err parse_at(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    const char *name = json_as_string(member);
    if (name != NULL && failpoint_parse(name, &rule->at))
        return ERR_OK;
    const char *names[FAILPOINT_COUNT + 1] = {0};
    struct buf known = {0};
    for (int i = 0; i < FAILPOINT_COUNT; i++) {
        names[i] = failpoint_name((enum failpoint)i);
        buf_addf(&known, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    enum err err = err_say(why, ERR_INVALID, "'%s' is no failpoint%s: one of %s",
                           name == NULL ? "(none)" : name,
                           name == NULL ? "" : nearest_hint(name, names).text, buf_string(&known));
    buf_release(&known);
    return err;
}

static enum err parse_count(const struct json *member, uint64_t *count, struct err_text *why)
{
    int64_t number;
    if (!json_as_int(member, &number) || number < 1)
        return err_say(why, ERR_INVALID, "%s is a number from 1", json_name(member));
    *count = (uint64_t)number;
    return ERR_OK;
}

static enum err parse_nth(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    return parse_count(member, &rule->nth, why);
}

static enum err parse_times(const struct json *member, struct fault_rule *rule,
                            struct err_text *why)
{
    return parse_count(member, &rule->times, why);
}

static enum err parse_order(const struct json *member, struct fault_rule *rule,
                            struct err_text *why)
{
    if (json_as_string(member) == NULL)
        return err_say(why, ERR_INVALID, "order is text: the id of an order");
    mem_set_string(&rule->order, json_as_string(member));
    return ERR_OK;
}

static enum err parse_warm(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    if (!json_is_bool(member))
        return err_say(why, ERR_INVALID, "warm is true or false");
    rule->warmth = json_as_bool(member) ? WARMTH_WARM : WARMTH_COLD;
    return ERR_OK;
}

/* false would say nothing: leave it out. */
static enum err parse_pays(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    if (!json_is_bool(member) || !json_as_bool(member))
        return err_say(why, ERR_INVALID, "pays is true, or left out");
    rule->pays = true;
    return ERR_OK;
}

static enum err parse_act(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    const struct json *first = json_is_array(member) ? json_first(member) : member;
    action_list_release(&rule->acts);
    rule->line = (int)json_get_int(first, "line", 0);
    return action_list_from_json(member, &rule->acts, why);
}

static const struct {
    const char *name;
    enum err (*parse)(const struct json *member, struct fault_rule *rule, struct err_text *why);
} FIELDS[] = {
#define FIELD_ROW(name, type, what) {#name, parse_##name},
    FAULT_FIELD_LIST(FIELD_ROW)
#undef FIELD_ROW
};

#define FIELD_COUNT (sizeof FIELDS / sizeof FIELDS[0])

static enum err refuse_field(const char *name, struct err_text *why)
{
    const char *names[FIELD_COUNT + 1] = {0};
    struct buf known = {0};
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        names[i] = FIELDS[i].name;
        buf_addf(&known, "%s%s", i == 0 ? "" : ", ", FIELDS[i].name);
    }
    enum err err = err_say(why, ERR_INVALID, "a fault has no field '%s'%s: %s", name,
                           nearest_hint(name, names).text, buf_string(&known));
    buf_release(&known);
    return err;
}

static enum err parse_member(const struct json *member, struct fault_rule *rule,
                             struct err_text *why)
{
    const char *name = json_name(member);
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (strcmp(FIELDS[i].name, name) == 0)
            return FIELDS[i].parse(member, rule, why);
    return refuse_field(name, why);
}

/* Faults that could never strike. */
static enum err check_method(const struct fault_rule *rule, struct err_text *why)
{
    bool reads = strcmp(rule->method, "GET") == 0;
    bool writes = !reads && strcmp(rule->method, "*") != 0;
    if (reads && (rule->at == FAILPOINT_BEFORE_COMMIT || rule->at == FAILPOINT_AFTER_COMMIT))
        return err_say(why, ERR_INVALID, "a GET never comes to %s: it commits nothing",
                       failpoint_name(rule->at));
    if (writes && rule->at == FAILPOINT_RECEIVED && action_list_has(&rule->acts, ACTION_STALE))
        return err_say(why, ERR_INVALID,
                       "stale at received is for reads (on = \"GET *\"): for a %s it is at "
                       "after_commit",
                       rule->method);
    return ERR_OK;
}

static enum err check_rule(const struct json *json, const struct fault_rule *rule,
                           struct err_text *why)
{
    if (json_get(json, "at") == NULL)
        return err_say(why, ERR_INVALID, "at is missing: which failpoint?");
    if (json_get(json, "act") == NULL)
        return err_say(why, ERR_INVALID, "act is missing: what shall happen there?");
    if (rule->at == FAILPOINT_WEBHOOK && (rule->pays || rule->warmth != WARMTH_ANY))
        return err_say(why, ERR_INVALID, "%s makes no sense at webhook: it speaks of a request",
                       rule->pays ? "pays" : "warm");
    enum err err = check_method(rule, why);
    return err == ERR_OK ? action_list_check(&rule->acts, rule->at, why) : err;
}

enum err fault_rule_from_json(const struct json *json, struct fault_rule *rule,
                              struct err_text *why)
{
    *rule = (struct fault_rule){0};
    if (!json_is_object(json))
        return err_say(why, ERR_INVALID,
                       "a fault is a table: { on = …, attempt = 1, at = …, act = … }");
    rule->method = mem_strdup("*");
    rule->path = mem_strdup("*");
    const char *at = json_get_string(json, "at"); /* says what `on` may be, wherever it stands */
    bool at_webhook = at != NULL && strcmp(at, failpoint_name(FAILPOINT_WEBHOOK)) == 0;
    rule->at = at_webhook ? FAILPOINT_WEBHOOK : FAILPOINT_RECEIVED;
    enum err err = ERR_OK;
    for (const struct json *member = json_first(json); member != NULL && err == ERR_OK;
         member = json_next(member))
        err = parse_member(member, rule, why);
    if (err == ERR_OK)
        err = check_rule(json, rule, why);
    if (err != ERR_OK) {
        int line = rule->line; /* worth keeping: the caller points there */
        fault_rule_release(rule);
        rule->line = line;
    }
    return err;
}

struct json *fault_rule_to_json(const struct fault_rule *rule)
{
    struct json *json = json_object();
    bool at_webhook = rule->at == FAILPOINT_WEBHOOK;
    char *on = at_webhook ? mem_strdup(rule->event) : mem_printf("%s %s", rule->method, rule->path);
    json_set_string(json, "on", on == NULL ? "*" : on);
    free(on);
    if (rule->attempts != 0) {
        struct json *attempts = json_array();
        for (int i = 0; i < SCHEDULE_MOST_ATTEMPTS; i++)
            if (rule->attempts >> i & 1)
                json_push(attempts, json_int(i + 1));
        json_set(json, "attempt", attempts);
    }
    if (rule->nth != 0)
        json_set_int(json, "nth", (int64_t)rule->nth);
    if (rule->pays)
        json_set_bool(json, "pays", true);
    if (rule->times != 0)
        json_set_int(json, "times", (int64_t)rule->times);
    if (rule->warmth != WARMTH_ANY)
        json_set_bool(json, "warm", rule->warmth == WARMTH_WARM);
    json_maybe_string(json, "order", rule->order);
    json_set_string(json, "at", failpoint_name(rule->at));
    json_set(json, "act", action_list_to_json(&rule->acts));
    return json;
}

void fault_rule_describe(const struct fault_rule *rule, struct buf *out)
{
    action_list_describe(&rule->acts, out);
    buf_addf(out, " at %s on ", failpoint_name(rule->at));
    if (rule->at == FAILPOINT_WEBHOOK)
        buf_add_string(out, rule->event == NULL ? "any event" : rule->event);
    else if (rule->pays && strcmp(rule->method, "*") == 0 && strcmp(rule->path, "*") == 0)
        buf_add_string(out, "the request that pays");
    else
        buf_addf(out, "%s %s%s", rule->method, rule->path, rule->pays ? " that pays" : "");
    const char *comma = ", attempt ";
    for (int i = 0; i < SCHEDULE_MOST_ATTEMPTS; i++) {
        if (rule->attempts >> i & 1) {
            buf_addf(out, "%s%d", comma, i + 1);
            comma = " and ";
        }
    }
    if (rule->nth != 0)
        buf_addf(out, ", number %" PRIu64 " of the run", rule->nth);
    if (rule->times != 0)
        buf_addf(out, ", %" PRIu64 " times", rule->times);
    if (rule->warmth != WARMTH_ANY)
        buf_addf(out, ", on a %s connection", rule->warmth == WARMTH_WARM ? "warm" : "cold");
    if (rule->order != NULL)
        buf_addf(out, ", order %s", rule->order);
}

void fault_rule_release(struct fault_rule *rule)
{
    free(rule->method);
    free(rule->path);
    free(rule->event);
    free(rule->order);
    action_list_release(&rule->acts);
    *rule = (struct fault_rule){0};
}

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
