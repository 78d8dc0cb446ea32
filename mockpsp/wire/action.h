/* What a fault does: data. Applying an action is the work of whoever owns the thing it breaks. */
#ifndef ACTION_H
#define ACTION_H

#include "buf.h"
#include "err.h"
#include "failpoint.h"
#include "json.h"

#include <stdbool.h>
#include <stdint.h>

#define AT_ALL      ((1U << FAILPOINT_COUNT) - 1)
#define AT_UNSENT   (AT_ALL & ~FAILPOINT_BIT(FAILPOINT_RESPONDED))
#define AT_RECEIVED FAILPOINT_BIT(FAILPOINT_RECEIVED)
#define AT_ANSWER   FAILPOINT_BIT(FAILPOINT_RESPONDING)

/* X(constant, name, failpoints where it makes sense, what it does) */
#define ACTION_LIST(X)                                                                             \
    X(ACTION_PASS, "pass", AT_ALL, "nothing: the request goes on")                                 \
    X(ACTION_DELAY, "delay", AT_UNSENT, "the request waits, then goes on")                         \
    X(ACTION_RESPOND, "respond", AT_UNSENT, "this answer instead of the provider's own")           \
    X(ACTION_DROP, "drop", AT_UNSENT, "the connection is closed (FIN), not a byte is answered")    \
    X(ACTION_RESET, "reset", AT_UNSENT, "the connection is reset (RST), not a byte is answered")   \
    X(ACTION_HANG, "hang", AT_UNSENT, "no answer until the client gives up")                       \
    X(ACTION_LATE, "late", AT_RECEIVED, "no answer, and executed once the client has gone")        \
    X(ACTION_TRUNCATE, "truncate", AT_ANSWER, "the body breaks off after so many bytes (FIN)")     \
    X(ACTION_DRIBBLE, "dribble", AT_ANSWER, "the body comes in small pieces, one now and then")    \
    X(ACTION_GARBAGE, "garbage", AT_UNSENT, "bytes that are no HTTP, then the connection closes")  \
    X(ACTION_DECLINE, "decline", AT_RECEIVED, "the issuer declines the payment")                   \
    X(ACTION_CRASH_PSP, "crash_psp", AT_ALL, "the provider is killed and started again")           \
    X(ACTION_CRASH_CLIENT, "crash_client", AT_ALL, "the client is killed at that very moment")

#define ACTION_ENUM(constant, name, where, does) constant,
enum action_kind { ACTION_LIST(ACTION_ENUM) ACTION_COUNT };
#undef ACTION_ENUM

/* A zeroed action passes. */
struct action {
    enum action_kind kind;
    int64_t ms;    /* delay: how long; late: after the client has gone; dribble: between two pieces;
                      crash_psp: how long    down; crash_client: after */
    int64_t bytes; /* truncate: how many leave; dribble: how many at a time */
    int status;    /* respond: 200..599 */
    char *body;    /* respond: NULL means an error body that fits the status; garbage: NULL
                      means bytes of our own */
    struct json *headers; /* respond: object of strings, or NULL */
    bool store;           /* respond: the key remembers this answer */
    char *code;           /* decline: the decline_code */
    int signal;           /* crash_client */
};

const char *action_name(enum action_kind kind);

/* What it does, for --help and `psp-harness list`. */
const char *action_does(enum action_kind kind);

/* Whether KIND may be asked for at FAILPOINT. */
bool action_allowed(enum action_kind kind, enum failpoint failpoint);

/* Reads the table that a scenario's `drop()`, `delay("2s")`, … return:
 *   {"kind":"respond","status":503,"body":"…","headers":{"Retry-After":"2"},"store":false}
 *   {"kind":"delay","ms":250}   {"kind":"crash_psp","down":500}   {"kind":"decline","code":"…"}
 *   {"kind":"truncate","bytes":10}   {"kind":"dribble","bytes":1,"every":"100ms"}
 *   {"kind":"garbage","body":"…"}
 *   {"kind":"crash_client","signal":"KILL","after":20}
 * Durations are milliseconds, or text such as "250ms". A member "line" (where the script wrote it)
 * is allowed and ignored. ERR_INVALID leaves a zeroed ACTION and says which word is wrong. */
enum err action_from_json(const struct json *json, struct action *action,
                          struct err_text *why) MUST_CHECK;

/* The same table back, owned by the caller. */
struct json *action_to_json(const struct action *action);

/* For a person: "drop", "delay 250ms", "respond 503", "crash_client SIGKILL". */
void action_describe(const struct action *action, struct buf *out);

struct action action_copy(const struct action *action);
void action_release(struct action *action);

#endif
