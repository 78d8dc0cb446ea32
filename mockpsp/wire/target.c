#include "target.h"

#include "mem.h"
#include "nearest.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const METHODS[] = {"GET",    "POST", "PUT",     "PATCH",
                                      "DELETE", "HEAD", "OPTIONS", NULL};

/* --- reading --------------------------------------------------------------------------------- */

static enum err check_method(const char *method, struct err_text *why)
{
    const char *meant = NULL;
    if (strcmp(method, "*") == 0)
        return ERR_OK;
    for (size_t i = 0; METHODS[i] != NULL; i++) {
        if (strcmp(METHODS[i], method) == 0)
            return ERR_OK;
        if (strcasecmp(METHODS[i], method) == 0)
            meant = METHODS[i];
    }
    if (meant != NULL)
        return err_say(why, ERR_INVALID, "on: '%s' is no method (did you mean %s?)", method, meant);
    return err_say(why, ERR_INVALID, "on: '%s' is no method%s: GET, POST, PUT, DELETE…, or a star",
                   method, nearest_hint(method, METHODS).text);
}

/* A name in braces is a whole segment: what else it could mean nobody can guess. */
static enum err check_path(const char *path, struct err_text *why)
{
    for (const char *at = path; *at != '\0'; at++) {
        const char *end = *at == '{' ? strpbrk(at + 1, "{}/*") : NULL;
        bool whole = end != NULL && *end == '}' && end > at + 1 && at > path && at[-1] == '/' &&
                     (end[1] == '/' || end[1] == '\0');
        if ((*at == '{' && !whole) || *at == '}')
            return err_say(why, ERR_INVALID,
                           "on: in '%s' a name in braces stands for one whole segment: "
                           "\"POST /v1/charges/{id}/capture\"",
                           path);
        if (whole)
            at = end;
    }
    return ERR_OK;
}

static void push(struct target_list *list, struct target target)
{
    list->items = mem_resize(list->items, list->count + 1, sizeof target);
    list->items[list->count++] = target;
}

static enum err add_event(struct target_list *list, const char *on, struct err_text *why)
{
    if (*on == '\0' || on[strspn(on, "abcdefghijklmnopqrstuvwxyz_.*")] != '\0')
        return err_say(why, ERR_INVALID,
                       "on = \"%s\": at webhook write the type of an event, as in "
                       "\"charge.succeeded\" or \"payment_intent.*\"",
                       on);
    push(list, (struct target){.event = mem_strdup(on)});
    return ERR_OK;
}

static enum err add(struct target_list *list, const struct json *json, enum failpoint at,
                    struct err_text *why)
{
    const char *on = json_as_string(json);
    if (on == NULL)
        return err_say(why, ERR_INVALID, "on is text, or a list of texts: on = \"POST *\"");
    if (at == FAILPOINT_WEBHOOK)
        return add_event(list, on, why);
    const char *space = strchr(on, ' ');
    if (space == NULL || space == on || (space[1] != '/' && space[1] != '*') ||
        strchr(space + 1, ' ') != NULL)
        return err_say(why, ERR_INVALID,
                       "on = \"%s\": write a method and a path, as in \"POST /v1/charges\" "
                       "(a star stands for any method, or for any text in a path)",
                       on);
    struct target target = {mem_strndup(on, (size_t)(space - on)), mem_strdup(space + 1), NULL};
    push(list, target);
    enum err err = check_method(target.method, why);
    return err == ERR_OK ? check_path(target.path, why) : err;
}

static enum err add_all(struct target_list *list, const struct json *array, enum failpoint at,
                        struct err_text *why)
{
    enum err err = ERR_OK;
    if (json_count(array) == 0 || json_count(array) > TARGETS_MOST)
        return err_say(why, ERR_INVALID, "on is text, or a list of 1 to %d texts", TARGETS_MOST);
    for (const struct json *one = json_first(array); one != NULL && err == ERR_OK;
         one = json_next(one))
        err = add(list, one, at, why);
    return err;
}

enum err target_list_from_json(const struct json *json, enum failpoint at, struct target_list *list,
                               struct err_text *why)
{
    *list = (struct target_list){0};
    enum err err = json_is_array(json) ? add_all(list, json, at, why) : add(list, json, at, why);
    if (err != ERR_OK)
        target_list_release(list);
    return err;
}

struct target_list target_list_any(enum failpoint at)
{
    struct target_list list = {0};
    if (at == FAILPOINT_WEBHOOK)
        push(&list, (struct target){.event = mem_strdup("*")});
    else
        push(&list, (struct target){mem_strdup("*"), mem_strdup("*"), NULL});
    return list;
}

/* --- matching -------------------------------------------------------------------------------- */

static size_t segment(const char *text)
{
    return strcspn(text, "/");
}

/* Whether the segment of PATH that begins AT is a parameter of ROUTE ("POST /v1/charges/{id}"), as
 * far as anybody knows: /v1/charges/search is none of /v1/charges/{id}. */
static bool is_parameter(const char *route, const char *path, const char *at)
{
    const char *in_route = route == NULL ? NULL : strchr(route, ' ');
    if (in_route == NULL)
        return true;
    for (in_route++; path < at; path++) {
        if (*path != '/')
            continue;
        in_route += segment(in_route);
        if (*in_route == '/')
            in_route++;
    }
    return *in_route == '{';
}

/* A star takes as little as it can, and more when the rest does not fit; the latest star is enough
 * to come back to. */
static bool fits(const char *pattern, const char *path, const char *route)
{
    const char *star = NULL, *resume = NULL;
    for (const char *at = path; *at != '\0' || *pattern != '\0';) {
        if (*pattern == '*') {
            star = pattern++;
            resume = at;
        } else if (*pattern == '{' && segment(at) > 0 && is_parameter(route, path, at)) {
            pattern += segment(pattern);
            at += segment(at);
        } else if (*pattern != '\0' && *pattern != '{' && *pattern == *at) {
            pattern++;
            at++;
        } else if (star != NULL && *resume != '\0') {
            pattern = star + 1;
            at = ++resume;
        } else {
            return false;
        }
    }
    return true;
}

static bool matches(const struct target *target, const struct attempt *attempt)
{
    if ((target->event == NULL) != (attempt->event == NULL))
        return false;
    if (target->event != NULL)
        return fits(target->event, attempt->event_type, NULL);
    if (strcmp(target->method, "*") != 0 && strcmp(target->method, attempt->method) != 0)
        return false;
    return fits(target->path, attempt->path, attempt->route);
}

bool target_list_matches(const struct target_list *list, const struct attempt *attempt)
{
    for (size_t i = 0; i < list->count; i++)
        if (matches(&list->items[i], attempt))
            return true;
    return false;
}

static bool is_any(const struct target *target)
{
    if (target->event != NULL)
        return strcmp(target->event, "*") == 0;
    return strcmp(target->method, "*") == 0 && strcmp(target->path, "*") == 0;
}

bool target_list_is_any(const struct target_list *list)
{
    return list->count == 1 && is_any(&list->items[0]);
}

bool target_list_only(const struct target_list *list, const char *method)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].event != NULL || strcmp(list->items[i].method, method) != 0)
            return false;
    return true;
}

bool target_list_may_be(const struct target_list *list, const char *method)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].event == NULL &&
            (strcmp(list->items[i].method, "*") == 0 || strcmp(list->items[i].method, method) == 0))
            return true;
    return false;
}

/* --- writing --------------------------------------------------------------------------------- */

static void add_text(const struct target *target, struct buf *out)
{
    if (target->event != NULL)
        buf_add_string(out, target->event);
    else
        buf_addf(out, "%s %s", target->method, target->path);
}

struct json *target_list_to_json(const struct target_list *list)
{
    struct json *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        struct buf on = {0};
        add_text(&list->items[i], &on);
        json_push(array, json_string(buf_string(&on)));
        buf_release(&on);
    }
    if (list->count != 1)
        return array;
    struct json *one = json_copy(json_first(array));
    json_free(array);
    return one;
}

void target_list_describe(const struct target_list *list, struct buf *out)
{
    if (target_list_is_any(list) && list->items[0].event != NULL) {
        buf_add_string(out, "any event");
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        buf_add_string(out, i == 0 ? "" : " or ");
        add_text(&list->items[i], out);
    }
}

void target_list_release(struct target_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].method);
        free(list->items[i].path);
        free(list->items[i].event);
    }
    free(list->items);
    *list = (struct target_list){0};
}
