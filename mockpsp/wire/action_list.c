#include "action_list.h"

#include "mem.h"

#include <stdlib.h>

static enum err refuse_count(struct err_text *why)
{
    return err_say(why, ERR_INVALID, "act is an action, or a list of 1 to %d actions",
                   ACTIONS_MOST);
}

static enum err add(struct action_list *list, const struct json *json, struct err_text *why)
{
    struct action action;
    if (list->count == ACTIONS_MOST)
        return refuse_count(why);
    enum err err = action_from_json(json, &action, why);
    if (err != ERR_OK)
        return err;
    if (list->count > 0)
        list->items[list->count - 1].more = true;
    list->items = mem_resize(list->items, list->count + 1, sizeof action);
    list->items[list->count++] = action;
    return ERR_OK;
}

/* A list may stand in a list, and means what is in it: a script's own function returns one. */
static enum err read(const struct json *json, struct action_list *list, struct err_text *why)
{
    enum err err = ERR_OK;
    if (!json_is_array(json))
        return add(list, json, why);
    if (json_count(json) == 0)
        return refuse_count(why);
    for (const struct json *one = json_first(json); one != NULL && err == ERR_OK;
         one = json_next(one))
        err = read(one, list, why);
    return err;
}

enum err action_list_from_json(const struct json *json, struct action_list *list,
                               struct err_text *why)
{
    *list = (struct action_list){0};
    enum err err = read(json, list, why);
    if (err != ERR_OK)
        action_list_release(list);
    return err;
}

struct json *action_list_to_json(const struct action_list *list)
{
    struct json *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        struct json *one = action_to_json(&list->items[i]);
        json_remove(one, "more"); /* the order says it */
        if (list->count == 1) {
            json_free(array);
            return one;
        }
        json_push(array, one);
    }
    return array;
}

static enum err check_place(const struct action *action, enum failpoint at, struct err_text *why)
{
    if (action->store && at == FAILPOINT_RECEIVED)
        return err_say(why, ERR_INVALID,
                       "store makes no sense at received: the key is not claimed yet");
    if (action->kind == ACTION_DUPLICATE && at == FAILPOINT_WEBHOOK &&
        (action->ms > 0 || action->spread != NULL || action->second))
        return err_say(why, ERR_INVALID,
                       "duplicate has no options at webhook: both come at the same moment");
    if (action_allowed(action->kind, at))
        return ERR_OK;
    struct buf where = {0};
    action_where(action->kind, &where);
    enum err err = err_say(why, ERR_INVALID, "%s makes no sense at %s: it does at %s",
                           action_name(action->kind), failpoint_name(at), buf_string(&where));
    buf_release(&where);
    return err;
}

/* Whether NEXT may come anywhere behind FIRST. */
static bool may_follow(enum action_role first, enum action_role next)
{
    if (first == ROLE_SHAPE || first == ROLE_PACE)
        return next == ROLE_LOSS || (next != first && (next == ROLE_SHAPE || next == ROLE_PACE));
    return first == ROLE_STEP;
}

static enum err check_order(const struct action *first, const struct action *next,
                            struct err_text *why)
{
    if (may_follow(action_role(first->kind), action_role(next->kind)))
        return ERR_OK;
    return err_say(why, ERR_INVALID, "%s cannot follow on %s: %s", action_name(next->kind),
                   action_name(first->kind), action_does(first->kind));
}

enum err action_list_check(const struct action_list *list, enum failpoint at, struct err_text *why)
{
    for (size_t i = 0; i < list->count; i++) {
        enum err err = check_place(&list->items[i], at, why);
        for (size_t j = 0; j < i && err == ERR_OK; j++)
            err = check_order(&list->items[j], &list->items[i], why);
        if (err != ERR_OK)
            return err;
    }
    return ERR_OK;
}

enum err action_list_check_alone(const struct action_list *list, struct err_text *why)
{
    for (size_t i = 0; i < list->count; i++) {
        enum action_kind kind = list->items[i].kind;
        if (kind == ACTION_CRASH_CLIENT || kind == ACTION_PAUSE_CLIENT ||
            kind == ACTION_STOP_CLIENT)
            return err_say(why, ERR_INVALID,
                           "%s: only psp-harness can do that to a client (nothing here knows its "
                           "process)",
                           action_name(kind));
    }
    return ERR_OK;
}

bool action_list_has(const struct action_list *list, enum action_kind kind)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == kind)
            return true;
    return false;
}

void action_list_describe(const struct action_list *list, struct buf *out)
{
    for (size_t i = 0; i < list->count; i++) {
        buf_add_string(out, i == 0 ? "" : ", then ");
        action_describe(&list->items[i], out);
    }
}

void action_list_release(struct action_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        action_release(&list->items[i]);
    free(list->items);
    *list = (struct action_list){0};
}
