#include "action.h"

#include "check.h"
#include "duration.h"
#include "mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 1000000

static const struct {
    const char *name;
    unsigned where;
    const char *does;
} ACTIONS[] = {
#define ACTION_ROW(constant, name, where, does) {name, where, does},
    ACTION_LIST(ACTION_ROW)
#undef ACTION_ROW
};

/* The signals that a scenario may send; a client that could catch one is a client worth trying. */
static const struct {
    const char *name;
    int number;
} SIGNALS[] = {{"KILL", SIGKILL}, {"TERM", SIGTERM}, {"INT", SIGINT},
               {"HUP", SIGHUP},   {"ABRT", SIGABRT}, {"SEGV", SIGSEGV}};

#define SIGNAL_COUNT (sizeof SIGNALS / sizeof SIGNALS[0])

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

bool action_allowed(enum action_kind kind, enum failpoint failpoint)
{
    CHECK((unsigned)kind < ACTION_COUNT);
    return (ACTIONS[kind].where & FAILPOINT_BIT(failpoint)) != 0;
}

static enum err parse_kind(const char *name, enum action_kind *kind, struct err_text *why)
{
    for (int i = 0; name != NULL && i < ACTION_COUNT; i++) {
        if (strcmp(ACTIONS[i].name, name) == 0) {
            *kind = (enum action_kind)i;
            return ERR_OK;
        }
    }
    struct buf known = {0};
    for (int i = 0; i < ACTION_COUNT; i++)
        buf_addf(&known, "%s%s", i == 0 ? "" : ", ", ACTIONS[i].name);
    enum err err = err_say(why, ERR_INVALID, "'%s' is no action: one of %s",
                           name == NULL ? "(none)" : name, buf_string(&known));
    buf_release(&known);
    return err;
}

static enum err parse_ms(const struct json *value, int64_t *ms, struct err_text *why)
{
    const char *text = json_as_string(value);
    if (text != NULL)
        return duration_parse(text, ms, why);
    if (!json_as_int(value, ms) || *ms < 0)
        return err_say(why, ERR_INVALID, "a duration is text such as \"250ms\" or \"2s\"");
    return ERR_OK;
}

static enum err parse_signal(const struct json *value, int *number, struct err_text *why)
{
    const char *name = json_as_string(value);
    if (name != NULL && strncmp(name, "SIG", 3) == 0)
        name += 3;
    for (size_t i = 0; name != NULL && i < SIGNAL_COUNT; i++) {
        if (strcmp(SIGNALS[i].name, name) == 0) {
            *number = SIGNALS[i].number;
            return ERR_OK;
        }
    }
    return err_say(why, ERR_INVALID, "signal is one of KILL, TERM, INT, HUP, ABRT, SEGV");
}

static const char *signal_name(int number)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        if (SIGNALS[i].number == number)
            return SIGNALS[i].name;
    return "KILL";
}

/* A token of RFC 9110, 5.6.2, and text without control characters: what the HTTP library would
 * leave out without a word is refused here. */
static enum err check_header(const char *name, const char *value, struct err_text *why)
{
    static const char *const token = "!#$%&'*+-.^_`|~0123456789"
                                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (*name == '\0' || name[strspn(name, token)] != '\0')
        return err_say(why, ERR_INVALID, "'%s' is no name of a header", name);
    if (*value == '\0')
        return err_say(why, ERR_INVALID, "header '%s' needs text", name);
    for (; *value != '\0'; value++)
        if (iscntrl((unsigned char)*value))
            return err_say(why, ERR_INVALID, "header '%s' holds a control character", name);
    return ERR_OK;
}

static enum err add_header(const struct json *header, struct json *headers, struct err_text *why)
{
    int64_t number;
    const char *text = json_as_string(header);
    char *value = json_as_int(header, &number) ? mem_printf("%" PRId64, number)
                                               : mem_strdup(text == NULL ? "" : text);
    enum err err = check_header(json_name(header), value, why);
    if (err == ERR_OK)
        json_set_string(headers, json_name(header), value);
    free(value);
    return err;
}

static enum err parse_headers(const struct json *value, struct json **headers, struct err_text *why)
{
    if (!json_is_object(value))
        return err_say(why, ERR_INVALID, "headers is a table such as {[\"Retry-After\"] = \"2\"}");
    struct json *copy = json_object();
    enum err err = ERR_OK;
    for (const struct json *header = json_first(value); header != NULL && err == ERR_OK;
         header = json_next(header))
        err = add_header(header, copy, why);
    if (err != ERR_OK) {
        json_free(copy);
        return err;
    }
    json_free(*headers);
    *headers = copy;
    return ERR_OK;
}

static enum err parse_status(const struct json *value, int *status, struct err_text *why)
{
    int64_t number;
    if (!json_as_int(value, &number) || number < 200 || number > 599)
        return err_say(why, ERR_INVALID, "status is a number from 200 to 599");
    *status = (int)number;
    return ERR_OK;
}

static enum err parse_text(const struct json *value, char **text, struct err_text *why)
{
    if (json_as_string(value) == NULL)
        return err_say(why, ERR_INVALID, "'%s' needs text", json_name(value));
    mem_set_string(text, json_as_string(value));
    return ERR_OK;
}

/* A piece of nothing would never come to an end; a body of nothing is a truncated one. */
static enum err parse_bytes(const struct json *value, bool piece, int64_t *bytes,
                            struct err_text *why)
{
    int64_t lowest = piece ? 1 : 0;
    if (!json_as_int(value, bytes) || *bytes < lowest || *bytes > MOST_BYTES)
        return err_say(why, ERR_INVALID, "bytes is a number from %" PRId64 " to %d", lowest,
                       MOST_BYTES);
    return ERR_OK;
}

/* One member of the table, by the kind that it belongs to. */
static enum err parse_option(const struct json *option, struct action *action, struct err_text *why)
{
    const char *name = json_name(option);
    enum action_kind kind = action->kind;
    if ((kind == ACTION_DELAY || kind == ACTION_LATE) && strcmp(name, "ms") == 0)
        return parse_ms(option, &action->ms, why);
    if (kind == ACTION_DRIBBLE && strcmp(name, "every") == 0)
        return parse_ms(option, &action->ms, why);
    if ((kind == ACTION_TRUNCATE || kind == ACTION_DRIBBLE) && strcmp(name, "bytes") == 0)
        return parse_bytes(option, kind == ACTION_DRIBBLE, &action->bytes, why);
    if (kind == ACTION_GARBAGE && strcmp(name, "body") == 0)
        return parse_text(option, &action->body, why);
    if (kind == ACTION_CRASH_PSP && strcmp(name, "down") == 0)
        return parse_ms(option, &action->ms, why);
    if (kind == ACTION_CRASH_CLIENT && strcmp(name, "after") == 0)
        return parse_ms(option, &action->ms, why);
    if (kind == ACTION_CRASH_CLIENT && strcmp(name, "signal") == 0)
        return parse_signal(option, &action->signal, why);
    if (kind == ACTION_DECLINE && strcmp(name, "code") == 0)
        return parse_text(option, &action->code, why);
    if (kind == ACTION_RESPOND && strcmp(name, "status") == 0)
        return parse_status(option, &action->status, why);
    if (kind == ACTION_RESPOND && strcmp(name, "body") == 0)
        return parse_text(option, &action->body, why);
    if (kind == ACTION_RESPOND && strcmp(name, "headers") == 0)
        return parse_headers(option, &action->headers, why);
    if (kind == ACTION_RESPOND && strcmp(name, "store") == 0 && json_is_bool(option)) {
        action->store = json_as_bool(option);
        return ERR_OK;
    }
    return err_say(why, ERR_INVALID, "%s has no option '%s'", action_name(kind), name);
}

static enum err parse_options(const struct json *json, struct action *action, struct err_text *why)
{
    for (const struct json *option = json_first(json); option != NULL; option = json_next(option)) {
        const char *name = json_name(option);
        if (strcmp(name, "kind") == 0 || strcmp(name, "line") == 0)
            continue;
        enum err err = parse_option(option, action, why);
        if (err != ERR_OK)
            return err;
    }
    if (action->kind == ACTION_RESPOND && action->status == 0)
        return err_say(why, ERR_INVALID, "respond needs a status: respond(503)");
    if (action->kind == ACTION_DELAY && json_get(json, "ms") == NULL)
        return err_say(why, ERR_INVALID, "delay needs a duration: delay(\"2s\")");
    return ERR_OK;
}

enum err action_from_json(const struct json *json, struct action *action, struct err_text *why)
{
    *action = (struct action){0};
    if (!json_is_object(json))
        return err_say(why, ERR_INVALID, "an action is a call such as drop() or delay(\"2s\")");
    enum err err = parse_kind(json_get_string(json, "kind"), &action->kind, why);
    if (err != ERR_OK)
        return err;
    if (action->kind == ACTION_CRASH_CLIENT)
        action->signal = SIGKILL;
    if (action->kind == ACTION_DECLINE)
        action->code = mem_strdup("generic_decline");
    if (action->kind == ACTION_TRUNCATE)
        action->bytes = 10;
    if (action->kind == ACTION_DRIBBLE) {
        action->bytes = 1;
        action->ms = 100;
    }
    err = parse_options(json, action, why);
    if (err != ERR_OK)
        action_release(action);
    return err;
}

struct json *action_to_json(const struct action *action)
{
    struct json *json = json_object();
    json_set_string(json, "kind", action_name(action->kind));
    if (action->kind == ACTION_DELAY || action->kind == ACTION_LATE)
        json_set_int(json, "ms", action->ms);
    if (action->kind == ACTION_CRASH_PSP)
        json_set_int(json, "down", action->ms);
    if (action->kind == ACTION_TRUNCATE || action->kind == ACTION_DRIBBLE)
        json_set_int(json, "bytes", action->bytes);
    if (action->kind == ACTION_DRIBBLE)
        json_set_int(json, "every", action->ms);
    if (action->kind == ACTION_GARBAGE)
        json_maybe_string(json, "body", action->body);
    if (action->kind == ACTION_CRASH_CLIENT) {
        json_set_string(json, "signal", signal_name(action->signal));
        if (action->ms > 0)
            json_set_int(json, "after", action->ms);
    }
    if (action->kind == ACTION_DECLINE)
        json_set_string(json, "code", action->code);
    if (action->kind == ACTION_RESPOND) {
        json_set_int(json, "status", action->status);
        json_maybe_string(json, "body", action->body);
        if (action->headers != NULL)
            json_set(json, "headers", json_copy(action->headers));
        if (action->store)
            json_set_bool(json, "store", true);
    }
    return json;
}

void action_describe(const struct action *action, struct buf *out)
{
    buf_add_string(out, action_name(action->kind));
    if (action->kind == ACTION_RESPOND)
        buf_addf(out, " %d%s", action->status, action->store ? ", stored" : "");
    if (action->kind == ACTION_DECLINE)
        buf_addf(out, " (%s)", action->code);
    if (action->kind == ACTION_TRUNCATE)
        buf_addf(out, " after %" PRId64 " bytes", action->bytes);
    if (action->kind == ACTION_DRIBBLE)
        buf_addf(out, " %" PRId64 " bytes every", action->bytes);
    if (action->kind == ACTION_CRASH_CLIENT && action->signal != SIGKILL)
        buf_addf(out, " SIG%s", signal_name(action->signal));
    if (action->kind == ACTION_DELAY || action->ms > 0)
        buf_addf(out, " %s", duration_format(action->ms).text);
}

struct action action_copy(const struct action *action)
{
    struct action copy = *action;
    copy.body = mem_strdup(action->body);
    copy.code = mem_strdup(action->code);
    copy.headers = json_copy(action->headers);
    return copy;
}

void action_release(struct action *action)
{
    free(action->body);
    free(action->code);
    json_free(action->headers);
    *action = (struct action){0};
}
