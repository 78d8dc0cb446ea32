#include "fault_field.h"

#include "duration.h"
#include "mem.h"
#include "nearest.h"

#include <string.h>

static enum err read_on(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    target_list_release(&rule->on);
    return target_list_from_json(member, rule->at, &rule->on, why);
}

/* false would say nothing: leave it out. */
static enum err read_pays(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    if (!json_is_bool(member) || !json_as_bool(member))
        return err_say(why, ERR_INVALID, "pays is true, or left out");
    rule->pays = true;
    return ERR_OK;
}

static enum err read_order(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    if (json_as_string(member) == NULL)
        return err_say(why, ERR_INVALID, "order is text: the id of an order");
    mem_set_string(&rule->order, json_as_string(member));
    return ERR_OK;
}

static enum err set_warmth(struct fault_rule *rule, enum warmth warmth, struct err_text *why)
{
    if (rule->warmth != WARMTH_ANY)
        return err_say(why, ERR_INVALID, "warm and cold: give one of them");
    rule->warmth = warmth;
    return ERR_OK;
}

static enum err read_warm(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    if (!json_is_bool(member))
        return err_say(why, ERR_INVALID, "warm is true or false");
    return set_warmth(rule, json_as_bool(member) ? WARMTH_WARM : WARMTH_COLD, why);
}

static enum err read_cold(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    if (!json_is_bool(member) || !json_as_bool(member))
        return err_say(why, ERR_INVALID, "cold is true, or left out");
    return set_warmth(rule, WARMTH_COLD, why);
}

/* --- time ------------------------------------------------------------------------------------ */

static enum err read_time(const struct json *member, int64_t *ms, struct err_text *why)
{
    const char *text = json_as_string(member);
    struct err_text inner = {0};
    if (text != NULL && duration_parse(text, ms, &inner) != ERR_OK)
        return err_say(why, ERR_INVALID, "%s: %s", json_name(member), inner.text);
    if (text == NULL && (!json_as_int(member, ms) || *ms < 0 || *ms > DURATION_MOST_MS))
        return err_say(why, ERR_INVALID,
                       "%s is text such as \"10s\": so long after the provider's start",
                       json_name(member));
    return ERR_OK;
}

static enum err read_from(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    return read_time(member, &rule->from_ms, why);
}

static enum err read_to(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    enum err err = read_time(member, &rule->to_ms, why);
    if (err == ERR_OK && rule->to_ms == 0)
        err = err_say(why, ERR_INVALID, "to = 0 is over before it begins: leave it out for ever");
    return err;
}

/* --- counts ---------------------------------------------------------------------------------- */

static enum err add_attempt(const struct json *value, struct fault_rule *rule, struct err_text *why)
{
    int64_t number;
    if (!json_as_int(value, &number) || number < 1 || number > FAULT_MOST_ATTEMPTS)
        return err_say(why, ERR_INVALID,
                       "attempt is a number from 1 to %d, or a list of them: attempt = {1, 2}",
                       FAULT_MOST_ATTEMPTS);
    rule->attempts |= UINT64_C(1) << (number - 1);
    return ERR_OK;
}

static enum err read_attempt(const struct json *member, struct fault_rule *rule,
                             struct err_text *why)
{
    if (!json_is_array(member) || json_count(member) == 0)
        return add_attempt(member, rule, why);
    for (const struct json *one = json_first(member); one != NULL; one = json_next(one)) {
        enum err err = add_attempt(one, rule, why);
        if (err != ERR_OK)
            return err;
    }
    return ERR_OK;
}

static enum err read_count(const struct json *member, uint64_t *count, struct err_text *why)
{
    int64_t number;
    if (!json_as_int(member, &number) || number < 1)
        return err_say(why, ERR_INVALID, "%s is a number from 1", json_name(member));
    *count = (uint64_t)number;
    return ERR_OK;
}

static enum err read_nth(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    return read_count(member, &rule->nth, why);
}

static enum err read_times(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    return read_count(member, &rule->times, why);
}

static enum err read_burst_member(const struct json *member, struct fault_rule *rule,
                                  struct err_text *why)
{
    static const char *const names[] = {"strikes", "of", NULL};
    const char *name = json_name(member);
    if (strcmp(name, "strikes") == 0)
        return read_count(member, &rule->burst.strikes, why);
    if (strcmp(name, "of") == 0)
        return read_count(member, &rule->burst.of, why);
    return err_say(why, ERR_INVALID, "burst has no '%s'%s: burst = {strikes = 3, of = 10}", name,
                   nearest_hint(name, names).text);
}

static enum err read_burst(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    enum err err = ERR_OK;
    if (!json_is_object(member))
        return err_say(why, ERR_INVALID,
                       "burst is a table: burst = {strikes = 3, of = 10} for the first 3 of "
                       "every 10");
    for (const struct json *one = json_first(member); one != NULL && err == ERR_OK;
         one = json_next(one))
        err = read_burst_member(one, rule, why);
    if (err == ERR_OK && (rule->burst.strikes == 0 || rule->burst.of == 0))
        err = err_say(why, ERR_INVALID, "burst needs both: burst = {strikes = 3, of = 10}");
    return err;
}

static enum err read_per(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    const char *names[PER_COUNT + 1] = {0};
    const char *name = json_as_string(member);
    for (int i = 0; i < PER_COUNT; i++) {
        names[i] = per_name((enum per)i);
        if (name != NULL && strcmp(names[i], name) == 0) {
            rule->per = (enum per)i;
            return ERR_OK;
        }
    }
    return err_say(why, ERR_INVALID, "per = %s%s: one of run, order, key, connection",
                   name == NULL ? "?" : name, name == NULL ? "" : nearest_hint(name, names).text);
}

static enum err read_chance(const struct json *member, struct fault_rule *rule,
                            struct err_text *why)
{
    if (!json_as_double(member, &rule->chance) || !(rule->chance > 0 && rule->chance <= 1))
        return err_say(why, ERR_INVALID,
                       "chance is a number above 0, up to 1: 0.25 for one of four");
    return ERR_OK;
}

static enum err read_optional(const struct json *member, struct fault_rule *rule,
                              struct err_text *why)
{
    if (!json_is_bool(member) || !json_as_bool(member))
        return err_say(why, ERR_INVALID, "optional is true, or left out");
    rule->optional = true;
    return ERR_OK;
}

/* --- where and what -------------------------------------------------------------------------- */

static enum err read_at(const struct json *member, struct fault_rule *rule, struct err_text *why)
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
    enum err err = name == NULL
                       ? err_say(why, ERR_INVALID, "at is the name of one failpoint, of %s",
                                 buf_string(&known))
                       : err_say(why, ERR_INVALID, "'%s' is no failpoint%s: one of %s", name,
                                 nearest_hint(name, names).text, buf_string(&known));
    buf_release(&known);
    return err;
}

static enum err read_act(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    const struct json *first = member;
    while (json_is_array(first) && json_count(first) > 0)
        first = json_first(first);
    action_list_release(&rule->acts);
    rule->line = (int)json_get_int(first, "line", 0);
    return action_list_from_json(member, &rule->acts, why);
}

/* --- the table ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum err (*read)(const struct json *member, struct fault_rule *rule, struct err_text *why);
} FIELDS[] = {
#define FIELD_ROW(name, type, what) {#name, read_##name},
    FAULT_FIELD_LIST(FIELD_ROW)
#undef FIELD_ROW
};

#define FIELD_COUNT (sizeof FIELDS / sizeof FIELDS[0])

static enum err refuse_field(const char *name, struct err_text *why)
{
    const char *names[FIELD_COUNT + 1] = {0};
    struct buf known = {0};
    if (strcmp(name, "kind") == 0)
        return err_say(why, ERR_INVALID,
                       "this is an action; a fault says where it strikes as well: "
                       "{ at = \"after_commit\", act = drop() }");
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        names[i] = FIELDS[i].name;
        buf_addf(&known, "%s%s", i == 0 ? "" : ", ", FIELDS[i].name);
    }
    enum err err = err_say(why, ERR_INVALID, "a fault has no field '%s'%s: %s", name,
                           nearest_hint(name, names).text, buf_string(&known));
    buf_release(&known);
    return err;
}

enum err fault_field_read(const struct json *member, struct fault_rule *rule, struct err_text *why)
{
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (strcmp(FIELDS[i].name, json_name(member)) == 0)
            return FIELDS[i].read(member, rule, why);
    return refuse_field(json_name(member), why);
}
