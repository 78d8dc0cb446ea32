/* What a fault does: data. Applying an action is the work of whoever owns the thing it breaks. */
#ifndef ACTION_H
#define ACTION_H

#include "action_option.h"
#include "buf.h"
#include "err.h"
#include "failpoint.h"
#include "json.h"
#include "spread.h"

#include <stdbool.h>
#include <stdint.h>

#define AT_ALL      ((1U << FAILPOINT_COUNT) - 1)
#define AT_UNSENT   (AT_ALL & ~FAILPOINT_BIT(FAILPOINT_RESPONDED))
#define AT_RECEIVED FAILPOINT_BIT(FAILPOINT_RECEIVED)
#define AT_ANSWER   FAILPOINT_BIT(FAILPOINT_RESPONDING)

/* What an action leaves to the next one of a list of actions. STEP: all of it, the request goes on.
 * SHAPE: the answer leaves in another shape, and PACE: at another pace; the other of both and how
 * its end is lost may follow. LOSS: the client gets no answer, or no more of it. END: nothing may
 * follow. */
enum action_role { ROLE_STEP, ROLE_SHAPE, ROLE_PACE, ROLE_LOSS, ROLE_END };

/* The one list of them: X(name, constant, role, failpoints where it makes sense, what it does).
 * The options are in action_option.c; what happens is in api/strike.c, a function strike_NAME. */
#define ACTION_LIST(X)                                                                             \
    X(pass, ACTION_PASS, ROLE_STEP, AT_ALL, "nothing: the request goes on")                        \
    X(delay, ACTION_DELAY, ROLE_STEP, AT_UNSENT,                                                   \
      "the request waits, then goes on, whether the client is still there or not")                 \
    X(respond, ACTION_RESPOND, ROLE_END, AT_UNSENT, "this answer instead of the provider's own")   \
    X(drop, ACTION_DROP, ROLE_LOSS, AT_UNSENT,                                                     \
      "the connection is closed (FIN), not a byte is answered")                                    \
    X(reset, ACTION_RESET, ROLE_LOSS, AT_UNSENT,                                                   \
      "the connection is reset (RST), not a byte is answered")                                     \
    X(hang, ACTION_HANG, ROLE_LOSS, AT_UNSENT, "no answer until the client gives up")              \
    X(refuse, ACTION_REFUSE, ROLE_LOSS, AT_UNSENT,                                                 \
      "the connection is closed, and for so long nothing listens: who connects is refused")        \
    X(late, ACTION_LATE, ROLE_END, AT_RECEIVED,                                                    \
      "no answer, and executed all the same once the client has gone")                             \
    X(truncate, ACTION_TRUNCATE, ROLE_SHAPE, AT_ANSWER,                                            \
      "the body breaks off after so many bytes (FIN)")                                             \
    X(dribble, ACTION_DRIBBLE, ROLE_PACE, AT_ANSWER,                                               \
      "the body comes in small pieces, one now and then")                                          \
    X(bandwidth, ACTION_BANDWIDTH, ROLE_PACE, AT_ANSWER,                                           \
      "the body leaves at so many bytes a second")                                                 \
    X(cut_header, ACTION_CUT_HEADER, ROLE_END, AT_ANSWER,                                          \
      "the answer ends in the middle of a header line (FIN)")                                      \
    X(broken_chunk, ACTION_BROKEN_CHUNK, ROLE_END, AT_ANSWER,                                      \
      "a chunked body whose first size line says less than comes, then the end (FIN)")             \
    X(broken_json, ACTION_BROKEN_JSON, ROLE_END, AT_ANSWER,                                        \
      "a whole answer whose JSON stops half way")                                                  \
    X(proxy_error, ACTION_PROXY_ERROR, ROLE_END, AT_UNSENT,                                        \
      "a proxy's HTML page, 502, 503 or 504, instead of the answer")                               \
    X(garbage, ACTION_GARBAGE, ROLE_END, AT_UNSENT,                                                \
      "bytes that are no HTTP, then the connection closes")                                        \
    X(advance, ACTION_ADVANCE, ROLE_STEP, AT_ALL, "the provider's clock jumps")                    \
    X(duplicate, ACTION_DUPLICATE, ROLE_STEP, AT_RECEIVED,                                         \
      "a proxy delivers the request twice, and passes on one answer")                              \
    X(decline, ACTION_DECLINE, ROLE_STEP, AT_RECEIVED, "the issuer declines the payment")          \
    X(crash_psp, ACTION_CRASH_PSP, ROLE_END, AT_ALL,                                               \
      "the provider is killed and starts again on its database")                                   \
    X(crash_client, ACTION_CRASH_CLIENT, ROLE_END, AT_ALL,                                         \
      "the client is killed at that very moment, with every process it started")

#define ACTION_ENUM(name, constant, role, where, does) constant,
enum action_kind { ACTION_LIST(ACTION_ENUM) ACTION_COUNT };
#undef ACTION_ENUM

/* A zeroed action passes. */
struct action {
    enum action_kind kind;
    bool more;  /* not the last of its list: when it is done, the source is asked again */
    int64_t ms; /* delay, refuse, late, advance, duplicate, dribble (between two pieces), crash_psp
                   (down), crash_client */
    struct spread *spread; /* what ms is drawn from, when it strikes; or NULL */
    int64_t bytes;         /* truncate, cut_header: how many leave; dribble: how many at a time;
                              bandwidth: per second; broken_chunk: what the size line says */
    int64_t status;        /* respond: 200..599; proxy_error */
    char *text;            /* respond: the body, NULL means an error body that fits the status;
                              garbage: NULL means bytes of our own; decline: the decline_code */
    struct json *headers;  /* respond: object of strings, or NULL */
    bool store;            /* respond: the key remembers this answer */
    int64_t retry_after_s; /* respond: the Retry-After header, 0: none */
    bool second;           /* duplicate: the client gets the second answer */
    int64_t signal;        /* crash_client */
};

const char *action_name(enum action_kind kind);

/* What it does, for `psp-harness list`. */
const char *action_does(enum action_kind kind);

enum action_role action_role(enum action_kind kind);

/* Whether KIND may be asked for at FAILPOINT. */
bool action_allowed(enum action_kind kind, enum failpoint failpoint);

/* Appends the failpoints where KIND may be asked for: "received, responding". */
void action_where(enum action_kind kind, struct buf *out);

/* Reads the table that a scenario's `drop()`, `delay("2s")`, … return: its kind, and its options by
 * name (action_option.h). A member "line" (where the script wrote it) is allowed and ignored.
 * ERR_INVALID leaves a zeroed ACTION and says which word is wrong, and the nearest right one. */
enum err action_from_json(const struct json *json, struct action *action,
                          struct err_text *why) MUST_CHECK;

/* The same table back, owned by the caller. Options that are as they are without being asked for
 * are left out. */
struct json *action_to_json(const struct action *action);

/* For a person: "drop", "delay 250ms", "respond 503 store", "crash_client signal=TERM". */
void action_describe(const struct action *action, struct buf *out);

struct action action_copy(const struct action *action);
void action_release(struct action *action);

#endif
