/* The options of the actions: data, from which they are read, written, described and documented. */
#ifndef ACTION_OPTION_H
#define ACTION_OPTION_H

#include "buf.h"
#include "err.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct action;

/* X(constant, in Lua, what is right) */
#define OPTION_TYPE_LIST(X)                                                                        \
    X(OPTION_DURATION, "string|Spread",                                                            \
      "text such as \"250ms\" or \"2s\", or what it is drawn from")                                \
    X(OPTION_SECONDS, "integer", "a whole number of seconds from 1 to 86400")                      \
    X(OPTION_BYTES, "integer", "a whole number from 0 to 1000000")                                 \
    X(OPTION_PIECE, "integer", "a whole number from 1 to 1000000")                                 \
    X(OPTION_BANDWIDTH, "string", "text such as \"500B/s\" or \"8kB/s\"")                          \
    X(OPTION_PROXY_STATUS, "integer", "502, 503 or 504")                                           \
    X(OPTION_STATUS, "integer", "a whole number from 200 to 599")                                  \
    X(OPTION_TEXT, "string", "text")                                                               \
    X(OPTION_HEADERS, "table<string, string>", "a table such as {[\"Retry-After\"] = \"2\"}")      \
    X(OPTION_FLAG, "boolean", "true or false")                                                     \
    X(OPTION_WHICH, "string", "\"first\" or \"second\"")                                           \
    X(OPTION_SIGNAL, "string", "one of KILL, TERM, INT, HUP, ABRT, SEGV")                          \
    X(OPTION_PERIOD, "string", "text such as \"250ms\" or \"2s\"")                                 \
    X(OPTION_WHOM, "string",                                                                       \
      "family, leader, group or process; or service, batch, worker_2, process_2, …")

#define OPTION_ENUM(constant, lua, right) constant,
enum option_type { OPTION_TYPE_LIST(OPTION_ENUM) OPTION_TYPE_COUNT };
#undef OPTION_ENUM

struct action_option {
    const char *name;
    enum option_type type;
    size_t offset;        /* of its member in struct action */
    const char *standard; /* as JSON, when it is left out; NULL: nothing, "": it has to be given */
    const char *does;
};

/* Option NUMBER of an action of that kind (an enum action_kind), from 0, in the order in which Lua
 * takes them: delay("2s") gives the first. NULL past the end. */
const struct action_option *action_option(int kind, int number);

const char *option_type_lua(enum option_type type);   /* as a type of a Lua language server */
const char *option_type_right(enum option_type type); /* "text such as …" */

/* Between VALUE and the option's member of ACTION. ERR_INVALID says what would be right. */
enum err action_option_read(const struct action_option *option, const struct json *value,
                            struct action *action, struct err_text *why) MUST_CHECK;

/* New JSON, or NULL when nothing was given. */
struct json *action_option_write(const struct action_option *option, const struct action *action);

/* For a person: "2s", "503", "store", "signal=TERM". */
void action_option_describe(const struct action_option *option, const struct action *action,
                            struct buf *out);

#endif
