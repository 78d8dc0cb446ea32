#include "fault_rule.h"

#include "check.h"
#include "duration.h"
#include "fault_field.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const char *of;
} PERS[] = {
#define PER_ROW(name, constant, of) {#name, of},
    PER_LIST(PER_ROW)
#undef PER_ROW
};

const char *per_name(enum per per)
{
    CHECK((unsigned)per < PER_COUNT);
    return PERS[per].name;
}

const char *per_of(enum per per)
{
    CHECK((unsigned)per < PER_COUNT);
    return PERS[per].of;
}

/* --- reading --------------------------------------------------------------------------------- */

/* That all is there, and that what was given has something to do. */
static enum err check_given(const struct json *json, const struct fault_rule *rule,
                            struct err_text *why)
{
    if (json_get(json, "at") == NULL)
        return err_say(why, ERR_INVALID, "at is missing: which failpoint?");
    if (json_get(json, "act") == NULL)
        return err_say(why, ERR_INVALID, "act is missing: what shall happen there?");
    if (json_get(json, "per") != NULL && rule->nth == 0 && rule->burst.of == 0)
        return err_say(why, ERR_INVALID,
                       "per says what nth and burst count by: give one of them, or leave it out");
    return ERR_OK;
}

enum err fault_rule_from_json(const struct json *json, struct fault_rule *rule,
                              struct err_text *why)
{
    *rule = (struct fault_rule){.chance = 1};
    if (!json_is_object(json))
        return err_say(why, ERR_INVALID,
                       "a fault is a table: { on = …, attempt = 1, at = …, act = … }");
    const char *at = json_get_string(json, "at"); /* says what `on` may be, wherever it stands */
    bool at_webhook = at != NULL && strcmp(at, failpoint_name(FAILPOINT_WEBHOOK)) == 0;
    rule->at = at_webhook ? FAILPOINT_WEBHOOK : FAILPOINT_RECEIVED;
    rule->on = target_list_any(rule->at);
    enum err err = ERR_OK;
    for (const struct json *member = json_first(json); member != NULL && err == ERR_OK;
         member = json_next(member))
        err = fault_field_read(member, rule, why);
    if (err == ERR_OK)
        err = check_given(json, rule, why);
    if (err == ERR_OK)
        err = action_list_check(&rule->acts, rule->at, why);
    if (err == ERR_OK)
        err = fault_rule_check(rule, why);
    if (err != ERR_OK) {
        int line = rule->line; /* worth keeping: the caller points there */
        fault_rule_release(rule);
        rule->line = line;
    }
    return err;
}

/* --- writing --------------------------------------------------------------------------------- */

static void write_counts(const struct fault_rule *rule, struct json *json)
{
    struct json *attempts = json_array();
    for (int i = 0; i < FAULT_MOST_ATTEMPTS; i++)
        if (rule->attempts >> i & 1)
            json_push(attempts, json_int(i + 1));
    if (rule->attempts != 0)
        json_set(json, "attempt", attempts);
    else
        json_free(attempts);
    if (rule->nth != 0)
        json_set_int(json, "nth", (int64_t)rule->nth);
    if (rule->burst.of != 0) {
        struct json *burst = json_object();
        json_set_int(burst, "strikes", (int64_t)rule->burst.strikes);
        json_set_int(burst, "of", (int64_t)rule->burst.of);
        json_set(json, "burst", burst);
    }
    if (rule->per != PER_RUN)
        json_set_string(json, "per", per_name(rule->per));
}

struct json *fault_rule_to_json(const struct fault_rule *rule)
{
    struct json *json = json_object();
    json_set(json, "on", target_list_to_json(&rule->on));
    if (rule->pays)
        json_set_bool(json, "pays", true);
    json_maybe_string(json, "order", rule->order);
    if (rule->warmth != WARMTH_ANY)
        json_set_bool(json, "warm", rule->warmth == WARMTH_WARM);
    if (rule->from_ms != 0)
        json_set_int(json, "from", rule->from_ms);
    if (rule->to_ms != 0)
        json_set_int(json, "to", rule->to_ms);
    write_counts(rule, json);
    if (rule->chance < 1)
        json_set(json, "chance", json_double(rule->chance));
    if (rule->times != 0)
        json_set_int(json, "times", (int64_t)rule->times);
    if (rule->optional)
        json_set_bool(json, "optional", true);
    json_set_string(json, "at", failpoint_name(rule->at));
    json_set(json, "act", action_list_to_json(&rule->acts));
    return json;
}

static void describe_counts(const struct fault_rule *rule, struct buf *out)
{
    const char *comma = ", attempt ";
    for (int i = 0; i < FAULT_MOST_ATTEMPTS; i++) {
        if (rule->attempts >> i & 1) {
            buf_addf(out, "%s%d", comma, i + 1);
            comma = " and ";
        }
    }
    if (rule->nth != 0)
        buf_addf(out, ", number %" PRIu64 " %s", rule->nth, per_of(rule->per));
    if (rule->burst.of != 0)
        buf_addf(out, ", %" PRIu64 " of every %" PRIu64 " %s", rule->burst.strikes, rule->burst.of,
                 per_of(rule->per));
    if (rule->chance < 1)
        buf_addf(out, ", chance %g", rule->chance);
    if (rule->times != 0)
        buf_addf(out, ", %" PRIu64 " times", rule->times);
}

static void describe_time(const struct fault_rule *rule, struct buf *out)
{
    if (rule->from_ms != 0)
        buf_addf(out, ", from %s", duration_format(rule->from_ms).text);
    if (rule->to_ms != 0)
        buf_addf(out, "%s to %s", rule->from_ms == 0 ? "," : "", duration_format(rule->to_ms).text);
}

void fault_rule_describe(const struct fault_rule *rule, struct buf *out)
{
    action_list_describe(&rule->acts, out);
    buf_addf(out, " at %s on ", failpoint_name(rule->at));
    if (rule->pays && target_list_is_any(&rule->on)) {
        buf_add_string(out, "the request that pays");
    } else {
        target_list_describe(&rule->on, out);
        buf_add_string(out, rule->pays ? " that pays" : "");
    }
    describe_time(rule, out);
    describe_counts(rule, out);
    if (rule->warmth != WARMTH_ANY)
        buf_addf(out, ", on a %s connection", rule->warmth == WARMTH_WARM ? "warm" : "cold");
    if (rule->order != NULL)
        buf_addf(out, ", order %s", rule->order);
}

void fault_rule_release(struct fault_rule *rule)
{
    target_list_release(&rule->on);
    free(rule->order);
    action_list_release(&rule->acts);
    *rule = (struct fault_rule){0};
}
