#include "action.h"

#include "check.h"
#include "mem.h"
#include "nearest.h"

#include <stdlib.h>
#include <string.h>

#define MOST_OPTIONS 16 /* of one action, to look for the one that was meant */

static const struct {
    const char *name;
    enum action_role role;
    unsigned where;
    const char *does;
} ACTIONS[] = {
#define ACTION_ROW(name, constant, role, where, does) {#name, role, where, does},
    ACTION_LIST(ACTION_ROW)
#undef ACTION_ROW
};

const char *action_name(enum action_kind kind)
{
    CHECK((unsigned)kind < ACTION_COUNT);
    return ACTIONS[kind].name;
}

const char *action_does(enum action_kind kind)
{
    CHECK((unsigned)kind < ACTION_COUNT);
    return ACTIONS[kind].does;
}

enum action_role action_role(enum action_kind kind)
{
    CHECK((unsigned)kind < ACTION_COUNT);
    return ACTIONS[kind].role;
}

bool action_allowed(enum action_kind kind, enum failpoint failpoint)
{
    CHECK((unsigned)kind < ACTION_COUNT);
    return (ACTIONS[kind].where & FAILPOINT_BIT(failpoint)) != 0;
}

void action_where(enum action_kind kind, struct buf *out)
{
    const char *comma = "";
    for (int at = 0; at < FAILPOINT_COUNT; at++) {
        if (!action_allowed(kind, (enum failpoint)at))
            continue;
        buf_addf(out, "%s%s", comma, failpoint_name((enum failpoint)at));
        comma = ", ";
    }
}

/* --- reading --------------------------------------------------------------------------------- */

static enum err parse_kind(const char *name, enum action_kind *kind, struct err_text *why)
{
    for (int i = 0; i < ACTION_COUNT; i++) {
        if (strcmp(ACTIONS[i].name, name) == 0) {
            *kind = (enum action_kind)i;
            return ERR_OK;
        }
    }
    const char *names[ACTION_COUNT + 1] = {0};
    struct buf known = {0};
    for (int i = 0; i < ACTION_COUNT; i++) {
        names[i] = ACTIONS[i].name;
        buf_addf(&known, "%s%s", i == 0 ? "" : ", ", ACTIONS[i].name);
    }
    enum err err = err_say(why, ERR_INVALID, "'%s' is no action%s: one of %s", name,
                           nearest_hint(name, names).text, buf_string(&known));
    buf_release(&known);
    return err;
}

static enum err unknown_option(enum action_kind kind, const char *name, struct err_text *why)
{
    const char *names[MOST_OPTIONS + 1] = {0};
    struct buf known = {0};
    for (int i = 0; action_option(kind, i) != NULL && i < MOST_OPTIONS; i++) {
        names[i] = action_option(kind, i)->name;
        buf_addf(&known, "%s%s", i == 0 ? ": it has " : ", ", names[i]);
    }
    enum err err = err_say(why, ERR_INVALID, "%s has no option '%s'%s%s", action_name(kind), name,
                           nearest_hint(name, names).text, buf_string(&known));
    buf_release(&known);
    return err;
}

static enum err read_option(const struct json *json, struct action *action, struct err_text *why)
{
    const char *name = json_name(json);
    if (strcmp(name, "kind") == 0 || strcmp(name, "line") == 0)
        return ERR_OK;
    if (strcmp(name, "more") == 0 && json_is_bool(json)) { /* between the harness and a provider */
        action->more = json_as_bool(json);
        return ERR_OK;
    }
    for (int i = 0; action_option(action->kind, i) != NULL; i++)
        if (strcmp(action_option(action->kind, i)->name, name) == 0)
            return action_option_read(action_option(action->kind, i), json, action, why);
    return unknown_option(action->kind, name, why);
}

/* What holds where nothing is said. */
static void set_standards(struct action *action)
{
    for (int i = 0; action_option(action->kind, i) != NULL; i++) {
        const struct action_option *option = action_option(action->kind, i);
        struct json *standard = NULL;
        if (option->standard == NULL || *option->standard == '\0')
            continue;
        enum err err = json_parse(option->standard, strlen(option->standard), &standard, NULL);
        if (err == ERR_OK)
            err = action_option_read(option, standard, action, NULL);
        CHECK(err == ERR_OK);
        json_free(standard);
    }
}

static enum err read_options(const struct json *json, struct action *action, struct err_text *why)
{
    for (const struct json *member = json_first(json); member != NULL; member = json_next(member)) {
        enum err err = read_option(member, action, why);
        if (err != ERR_OK)
            return err;
    }
    for (int i = 0; action_option(action->kind, i) != NULL; i++) {
        const struct action_option *option = action_option(action->kind, i);
        if (option->standard != NULL && *option->standard == '\0' &&
            json_get(json, option->name) == NULL)
            return err_say(why, ERR_INVALID, "%s needs %s: %s", action_name(action->kind),
                           option->name, option_type_right(option->type));
    }
    if (action->code != NULL && action->text != NULL)
        return err_say(why, ERR_INVALID,
                       "code goes into a body of ours, and this respond has its own body");
    return ERR_OK;
}

enum err action_from_json(const struct json *json, struct action *action, struct err_text *why)
{
    *action = (struct action){0};
    const char *kind = json_get_string(json, "kind"); /* NULL where JSON is no object */
    if (kind == NULL)
        return err_say(why, ERR_INVALID,
                       "an action is a call such as drop() or delay(\"2s\"), in JSON "
                       "{\"kind\": \"drop\"}");
    enum err err = parse_kind(kind, &action->kind, why);
    if (err != ERR_OK)
        return err;
    set_standards(action);
    err = read_options(json, action, why);
    if (err != ERR_OK)
        action_release(action);
    return err;
}

/* --- writing --------------------------------------------------------------------------------- */

/* The option as JSON, or NULL when it says nothing that is not so anyway. */
static struct json *written(const struct action_option *option, const struct action *action)
{
    struct json *json = action_option_write(option, action);
    char *text = json == NULL ? NULL : json_print(json);
    bool standard = text != NULL && option->standard != NULL && strcmp(text, option->standard) == 0;
    free(text);
    if (!standard)
        return json;
    json_free(json);
    return NULL;
}

struct json *action_to_json(const struct action *action)
{
    struct json *json = json_object();
    json_set_string(json, "kind", action_name(action->kind));
    for (int i = 0; action_option(action->kind, i) != NULL; i++) {
        const struct action_option *option = action_option(action->kind, i);
        struct json *value = written(option, action);
        if (value != NULL)
            json_set(json, option->name, value);
    }
    if (action->more)
        json_set_bool(json, "more", true);
    return json;
}

void action_describe(const struct action *action, struct buf *out)
{
    buf_add_string(out, action_name(action->kind));
    for (int i = 0; action_option(action->kind, i) != NULL; i++) {
        const struct action_option *option = action_option(action->kind, i);
        struct json *value = written(option, action);
        if (value == NULL)
            continue;
        json_free(value);
        buf_add_char(out, ' ');
        action_option_describe(option, action, out);
    }
}

struct action action_copy(const struct action *action)
{
    struct action copy = *action;
    copy.text = mem_strdup(action->text);
    copy.code = mem_strdup(action->code);
    copy.whom = mem_strdup(action->whom);
    copy.headers = json_copy(action->headers);
    copy.spread = spread_copy(action->spread);
    return copy;
}

void action_release(struct action *action)
{
    free(action->text);
    free(action->code);
    free(action->whom);
    json_free(action->headers);
    spread_free(action->spread);
    *action = (struct action){0};
}
