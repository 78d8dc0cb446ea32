#include "action_option.h"

#include "action.h"
#include "bandwidth.h"
#include "check.h"
#include "duration.h"
#include "mem.h"

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define AT(member) offsetof(struct action, member)

#define WHOM_DOES "which processes; left out: family, all of the client that sent the request"

#define MOST_HEADERS      100
#define MOST_HEADER_BYTES 16384 /* there is room for them in the server, see http/server.c */

/* --- the table ------------------------------------------------------------------------------- */

static const struct action_option DELAY[] = {{"ms", OPTION_DURATION, AT(ms), "", "how long"}, {0}};
static const struct action_option REFUSE[] = {
    {"ms", OPTION_DURATION, AT(ms), "1000", "how long nothing listens"}, {0}};
static const struct action_option ADVANCE[] = {{"ms", OPTION_DURATION, AT(ms), "", "how far"}, {0}};
static const struct action_option STALE[] = {
    {"ms", OPTION_DURATION, AT(ms), "", "how long, on the provider's clock"}, {0}};
static const struct action_option DUPLICATE[] = {
    {"after", OPTION_DURATION, AT(ms), "0", "the second comes so long after the first"},
    {"answer", OPTION_WHICH, AT(second), "\"first\"", "whose answer the client gets"},
    {0}};
static const struct action_option LATE[] = {
    {"ms", OPTION_DURATION, AT(ms), "0", "how long after the client has gone"}, {0}};
static const struct action_option RESPOND[] = {
    {"status", OPTION_STATUS, AT(status), "", "of the answer"},
    {"body", OPTION_TEXT, AT(text), NULL, "left out: an error body that fits the status"},
    {"headers", OPTION_HEADERS, AT(headers), NULL, "more headers"},
    {"code", OPTION_TEXT, AT(code), NULL, "the error code in that body: lock_timeout for a 429"},
    {"store", OPTION_FLAG, AT(store), "false", "the key remembers this answer"},
    {"retry_after", OPTION_SECONDS, AT(retry_after_s), NULL, "a Retry-After header"},
    {0}};
static const struct action_option TRUNCATE[] = {
    {"bytes", OPTION_BYTES, AT(bytes), "10", "how many of the body leave"}, {0}};
static const struct action_option DRIBBLE[] = {
    {"bytes", OPTION_PIECE, AT(bytes), "1", "how many at a time"},
    {"every", OPTION_DURATION, AT(ms), "100", "the time between two pieces"},
    {0}};
static const struct action_option BANDWIDTH[] = {
    {"rate", OPTION_BANDWIDTH, AT(bytes), "", "bytes a second"}, {0}};
static const struct action_option CUT_HEADER[] = {
    {"bytes", OPTION_BYTES, AT(bytes), "10",
     "how many of the headers leave behind the status line"},
    {0}};
static const struct action_option BROKEN_CHUNK[] = {
    {"bytes", OPTION_PIECE, AT(bytes), "10", "what the size line says; the whole body comes"}, {0}};
static const struct action_option PROXY_ERROR[] = {
    {"status", OPTION_PROXY_STATUS, AT(status), "502", "of the page"}, {0}};
static const struct action_option GARBAGE[] = {
    {"body", OPTION_TEXT, AT(text), NULL, "left out: bytes that look like TLS"}, {0}};
static const struct action_option DECLINE[] = {
    {"code", OPTION_TEXT, AT(text), "\"generic_decline\"", "the decline_code"}, {0}};
static const struct action_option EARLY[] = {
    {"most", OPTION_DURATION, AT(ms), "2000", "it waits so long at most"}, {0}};
static const struct action_option REORDER[] = {
    {"most", OPTION_DURATION, AT(ms), "5000",
     "held so long at most, on the provider's clock: there may be no later one"},
    {0}};
static const struct action_option PROCESSING[] = {
    {"ms", OPTION_DURATION, AT(ms), "60000", "how long, on the provider's clock"}, {0}};
static const struct action_option CRASH_PSP[] = {
    {"down", OPTION_DURATION, AT(ms), "0", "how long it is down"}, {0}};
static const struct action_option CRASH_CLIENT[] = {
    {"signal", OPTION_SIGNAL, AT(signal), "\"KILL\"", "one that it could catch, to let it try"},
    {"after", OPTION_DURATION, AT(ms), "0", "so long after that moment: a race"},
    {"grace", OPTION_PERIOD, AT(grace_ms), "2000", "so long it may take; then it is killed"},
    {"whom", OPTION_WHOM, AT(whom), NULL, WHOM_DOES},
    {0}};
static const struct action_option PAUSE_CLIENT[] = {
    {"ms", OPTION_DURATION, AT(ms), "", "how long it is stopped"},
    {"whom", OPTION_WHOM, AT(whom), NULL, WHOM_DOES},
    {0}};
static const struct action_option STOP_CLIENT[] = {
    {"grace", OPTION_DURATION, AT(ms), "10000", "so long it may take; then it is killed"},
    {"signal", OPTION_SIGNAL, AT(signal), "\"TERM\"", "what it is told by"},
    {"whom", OPTION_WHOM, AT(whom), NULL, WHOM_DOES},
    {0}};

static const struct action_option *const OPTIONS[ACTION_COUNT] = {
    [ACTION_DELAY] = DELAY,
    [ACTION_REFUSE] = REFUSE,
    [ACTION_ADVANCE] = ADVANCE,
    [ACTION_DUPLICATE] = DUPLICATE,
    [ACTION_STALE] = STALE,
    [ACTION_BANDWIDTH] = BANDWIDTH,
    [ACTION_CUT_HEADER] = CUT_HEADER,
    [ACTION_BROKEN_CHUNK] = BROKEN_CHUNK,
    [ACTION_PROXY_ERROR] = PROXY_ERROR,
    [ACTION_LATE] = LATE,
    [ACTION_RESPOND] = RESPOND,
    [ACTION_TRUNCATE] = TRUNCATE,
    [ACTION_DRIBBLE] = DRIBBLE,
    [ACTION_GARBAGE] = GARBAGE,
    [ACTION_DECLINE] = DECLINE,
    [ACTION_EARLY] = EARLY,
    [ACTION_REORDER] = REORDER,
    [ACTION_PROCESSING] = PROCESSING,
    [ACTION_CRASH_PSP] = CRASH_PSP,
    [ACTION_CRASH_CLIENT] = CRASH_CLIENT,
    [ACTION_PAUSE_CLIENT] = PAUSE_CLIENT,
    [ACTION_STOP_CLIENT] = STOP_CLIENT,
};

const struct action_option *action_option(int kind, int number)
{
    CHECK(kind >= 0 && kind < ACTION_COUNT);
    const struct action_option *option = OPTIONS[kind];
    for (; option != NULL && option->name != NULL && number > 0; number--)
        option++;
    return option == NULL || option->name == NULL ? NULL : option;
}

/* --- the types ------------------------------------------------------------------------------- */

static const struct {
    const char *lua;
    const char *right;
} TYPES[] = {
#define OPTION_ROW(constant, lua, right) {lua, right},
    OPTION_TYPE_LIST(OPTION_ROW)
#undef OPTION_ROW
};

/* The signals that a scenario may send; a client that could catch one is a client worth trying. */
static const struct {
    const char *name;
    int number;
} SIGNALS[] = {{"KILL", SIGKILL}, {"TERM", SIGTERM}, {"INT", SIGINT},
               {"HUP", SIGHUP},   {"ABRT", SIGABRT}, {"SEGV", SIGSEGV}};

#define SIGNAL_COUNT (sizeof SIGNALS / sizeof SIGNALS[0])

/* The whole numbers, by type. */
static const struct {
    int64_t lowest;
    int64_t highest;
} BOUNDS[OPTION_TYPE_COUNT] = {
    [OPTION_SECONDS] = {1, 86400},      [OPTION_BYTES] = {0, 1000000},
    [OPTION_PIECE] = {1, 1000000}, /* a piece of nothing would never come to an end */
    [OPTION_PROXY_STATUS] = {502, 504}, [OPTION_STATUS] = {200, 599},
};

const char *option_type_lua(enum option_type type)
{
    CHECK((unsigned)type < OPTION_TYPE_COUNT);
    return TYPES[type].lua;
}

const char *option_type_right(enum option_type type)
{
    CHECK((unsigned)type < OPTION_TYPE_COUNT);
    return TYPES[type].right;
}

/* --- reading --------------------------------------------------------------------------------- */

static enum err refuse(const struct action_option *option, struct err_text *why)
{
    return err_say(why, ERR_INVALID, "%s is %s", option->name, option_type_right(option->type));
}

static enum err read_duration(const struct action_option *option, const struct json *value,
                              struct action *action, struct err_text *why)
{
    int64_t *ms = (int64_t *)((char *)action + option->offset);
    const char *text = json_as_string(value);
    spread_free(action->spread); /* JSON may say it twice */
    action->spread = NULL;
    if (json_is_object(value) && json_get(value, "spread") != NULL)
        return spread_from_json(value, &action->spread, why);
    if (text != NULL)
        return duration_parse(text, ms, why);
    if (!json_as_int(value, ms) || *ms < 0)
        return refuse(option, why);
    return *ms <= DURATION_MOST_MS
               ? ERR_OK
               : err_say(why, ERR_INVALID, "%s is longer than 100 years", option->name);
}

static enum err read_bandwidth(const struct action_option *option, const struct json *value,
                               int64_t *bytes, struct err_text *why)
{
    const char *text = json_as_string(value);
    if (text != NULL)
        return bandwidth_parse(text, bytes, why);
    return json_as_int(value, bytes) && *bytes >= 1 && *bytes <= BANDWIDTH_MOST
               ? ERR_OK
               : refuse(option, why);
}

static enum err read_which(const struct action_option *option, const struct json *value,
                           bool *second, struct err_text *why)
{
    const char *which = json_as_string(value);
    *second = which != NULL && strcmp(which, "second") == 0;
    return *second || (which != NULL && strcmp(which, "first") == 0) ? ERR_OK : refuse(option, why);
}

static enum err read_signal(const struct action_option *option, const struct json *value,
                            int64_t *number, struct err_text *why)
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
    return refuse(option, why);
}

static enum err read_period(const struct action_option *option, const struct json *value,
                            int64_t *ms, struct err_text *why)
{
    const char *text = json_as_string(value);
    if (text != NULL)
        return duration_parse(text, ms, why);
    return json_as_int(value, ms) && *ms >= 0 && *ms <= DURATION_MOST_MS ? ERR_OK
                                                                         : refuse(option, why);
}

/* "worker_2": a name of ROLE's, with a number from 1. */
static bool is_numbered(const char *name, const char *role)
{
    size_t length = strlen(role);
    return strncmp(name, role, length) == 0 && name[length] >= '1' && name[length] <= '9' &&
           strspn(name + length, "0123456789") == strlen(name + length);
}

static enum err read_whom(const struct action_option *option, const struct json *value, char **whom,
                          struct err_text *why)
{
    static const char *const words[] = {"family", "leader", "group", "process", "service", "batch"};
    const char *name = json_as_string(value);
    bool right = name != NULL && (is_numbered(name, "worker_") || is_numbered(name, "process_"));
    for (size_t i = 0; name != NULL && i < sizeof words / sizeof words[0]; i++)
        right = right || strcmp(words[i], name) == 0;
    if (!right)
        return refuse(option, why);
    mem_set_string(whom, name);
    return ERR_OK;
}

/* What the HTTP library sends with each answer, whatever we say. */
static bool is_written_anyway(const char *name, const char *value)
{
    return strcasecmp(name, "Content-Length") == 0 ||
           (strcasecmp(name, "Transfer-Encoding") == 0 && strcasecmp(value, "chunked") != 0);
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
    if (is_written_anyway(name, value))
        return err_say(why, ERR_INVALID,
                       "header '%s' is that of the body that is sent: truncate or broken_chunk "
                       "for one that lies",
                       name);
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

static enum err read_headers(const struct action_option *option, const struct json *value,
                             struct json **headers, struct err_text *why)
{
    if (!json_is_object(value))
        return refuse(option, why);
    struct json *copy = json_object();
    enum err err = ERR_OK;
    size_t bytes = 0, count = 0;
    for (const struct json *header = json_first(value); header != NULL && err == ERR_OK;
         header = json_next(header)) {
        const char *text = json_as_string(header);
        bytes += strlen(json_name(header)) + (text == NULL ? 0 : strlen(text));
        if (++count > MOST_HEADERS || bytes > MOST_HEADER_BYTES)
            err = err_say(why, ERR_INVALID, "headers are %d at the most, of %d bytes together",
                          MOST_HEADERS, MOST_HEADER_BYTES);
        else
            err = add_header(header, copy, why);
    }
    if (err != ERR_OK) {
        json_free(copy);
        return err;
    }
    json_free(*headers);
    *headers = copy;
    return ERR_OK;
}

static enum err read_number(const struct action_option *option, const struct json *value,
                            int64_t *number, struct err_text *why)
{
    if (!json_as_int(value, number) || *number < BOUNDS[option->type].lowest ||
        *number > BOUNDS[option->type].highest)
        return refuse(option, why);
    return ERR_OK;
}

enum err action_option_read(const struct action_option *option, const struct json *value,
                            struct action *action, struct err_text *why)
{
    void *member = (char *)action + option->offset;
    switch (option->type) {
    case OPTION_DURATION:
        return read_duration(option, value, action, why);
    case OPTION_BANDWIDTH:
        return read_bandwidth(option, value, member, why);
    case OPTION_SECONDS:
    case OPTION_BYTES:
    case OPTION_PIECE:
    case OPTION_PROXY_STATUS:
    case OPTION_STATUS:
        return read_number(option, value, member, why);
    case OPTION_TEXT:
        if (json_as_string(value) == NULL)
            return refuse(option, why);
        mem_set_string(member, json_as_string(value));
        return ERR_OK;
    case OPTION_HEADERS:
        return read_headers(option, value, member, why);
    case OPTION_FLAG:
        if (!json_is_bool(value))
            return refuse(option, why);
        *(bool *)member = json_as_bool(value);
        return ERR_OK;
    case OPTION_WHICH:
        return read_which(option, value, member, why);
    case OPTION_SIGNAL:
        return read_signal(option, value, member, why);
    case OPTION_PERIOD:
        return read_period(option, value, member, why);
    case OPTION_WHOM:
        return read_whom(option, value, member, why);
    case OPTION_TYPE_COUNT:
        break;
    }
    CHECK_UNREACHABLE();
}

/* --- writing --------------------------------------------------------------------------------- */

static const char *signal_name(int64_t number)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        if (SIGNALS[i].number == number)
            return SIGNALS[i].name;
    return "KILL";
}

struct json *action_option_write(const struct action_option *option, const struct action *action)
{
    const void *member = (const char *)action + option->offset;
    switch (option->type) {
    case OPTION_TEXT:
    case OPTION_WHOM:
        return *(char *const *)member == NULL ? NULL : json_string(*(char *const *)member);
    case OPTION_HEADERS:
        return json_copy(*(struct json *const *)member);
    case OPTION_FLAG:
        return json_bool(*(const bool *)member);
    case OPTION_WHICH:
        return json_string(*(const bool *)member ? "second" : "first");
    case OPTION_SIGNAL:
        return json_string(signal_name(*(const int64_t *)member));
    case OPTION_SECONDS:
        if (*(const int64_t *)member == 0)
            return NULL;
        break;
    case OPTION_DURATION:
        if (action->spread != NULL)
            return spread_to_json(action->spread);
        break;
    case OPTION_PERIOD:
    case OPTION_BYTES:
    case OPTION_PIECE:
    case OPTION_BANDWIDTH:
    case OPTION_PROXY_STATUS:
    case OPTION_STATUS:
    case OPTION_TYPE_COUNT:
        break;
    }
    return json_int(*(const int64_t *)member);
}

void action_option_describe(const struct action_option *option, const struct action *action,
                            struct buf *out)
{
    const void *member = (const char *)action + option->offset;
    switch (option->type) {
    case OPTION_FLAG:
    case OPTION_HEADERS:
        buf_add_string(out, option->name);
        return;
    case OPTION_TEXT:
        buf_add_string(out, *(char *const *)member);
        return;
    case OPTION_DURATION:
        if (action->spread != NULL)
            spread_describe(action->spread, out);
        else
            buf_add_string(out, duration_format(*(const int64_t *)member).text);
        return;
    case OPTION_PERIOD:
        buf_addf(out, "%s=%s", option->name, duration_format(*(const int64_t *)member).text);
        return;
    case OPTION_WHOM:
        buf_addf(out, "%s=%s", option->name, *(char *const *)member);
        return;
    case OPTION_BANDWIDTH:
        buf_add_string(out, bandwidth_format(*(const int64_t *)member).text);
        return;
    case OPTION_WHICH:
        buf_addf(out, "%s=%s", option->name, *(const bool *)member ? "second" : "first");
        return;
    case OPTION_SIGNAL:
        buf_addf(out, "SIG%s", signal_name(*(const int64_t *)member));
        return;
    case OPTION_SECONDS:
        buf_addf(out, "%s=%" PRId64 "s", option->name, *(const int64_t *)member);
        return;
    case OPTION_BYTES:
    case OPTION_PIECE:
        buf_addf(out, "%" PRId64 " bytes", *(const int64_t *)member);
        return;
    case OPTION_PROXY_STATUS:
    case OPTION_STATUS:
    case OPTION_TYPE_COUNT:
        break;
    }
    buf_addf(out, "%" PRId64, *(const int64_t *)member);
}
