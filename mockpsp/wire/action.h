/* What a fault does: data. Applying an action is the work of whoever owns the thing it breaks. */
#ifndef ACTION_H
#define ACTION_H

#include "action_kind.h"
#include "action_option.h"
#include "buf.h"
#include "err.h"
#include "failpoint.h"
#include "json.h"
#include "spread.h"

#include <stdbool.h>
#include <stdint.h>

/* A zeroed action passes. */
struct action {
    enum action_kind kind;
    bool more;  /* not the last of its list: when it is done, the source is asked again */
    int64_t ms; /* delay, refuse, late, advance, duplicate, stale, dribble (between two pieces),
                   processing, crash_psp (down), crash_client, pause_client, stop_client (grace),
                   early and reorder (at most) */
    struct spread *spread; /* what ms is drawn from, when it strikes; or NULL */
    int64_t bytes;         /* truncate, cut_header: how many leave; dribble: how many at a time;
                              bandwidth: per second; broken_chunk: what the size line says */
    int64_t status;        /* respond: 200..599; proxy_error */
    char *text;            /* respond: the body, NULL means an error body that fits the status;
                              garbage: NULL means bytes of our own; decline: the decline_code */
    char *code;            /* respond: the error code in a body of ours, NULL: one that fits */
    struct json *headers;  /* respond: object of strings, or NULL */
    bool store;            /* respond: the key remembers this answer */
    int64_t retry_after_s; /* respond: the Retry-After header, 0: none */
    bool second;           /* duplicate: the client gets the second answer */
    int64_t signal;        /* crash_client, stop_client */
    int64_t grace_ms;      /* crash_client: before it is killed for good */
    char *whom;            /* crash_client, stop_client, pause_client: NULL means its family */
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
