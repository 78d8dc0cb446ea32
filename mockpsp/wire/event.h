/* What happened, one entry at a time: the provider's journal and the harness's history. */
#ifndef EVENT_H
#define EVENT_H

#include "err.h"
#include "json.h"

#include <stdbool.h>
#include <stdint.h>

/* X(constant, name, who writes it and what data holds)
 *
 * ok, fail and info are Jepsen's: it happened, it did not, nobody can tell from the answer. */
#define EVENT_LIST(X)                                                                              \
    X(EVENT_UP, "up",                                                                              \
      "provider: it listens. port, recovered (in-flight keys released), dialect, key, key_ttl "    \
      "(ms)")                                                                                      \
    X(EVENT_INVOKE, "invoke", "provider: a request came. An attempt, see attempt.h")               \
    X(EVENT_EFFECT, "effect",                                                                      \
      "provider: money moved. object (charge, capture, refund, dispute…), id, amount…")            \
    X(EVENT_FAULT, "fault",                                                                        \
      "provider: a fault struck. at, act; at webhook also event (evt_…), event_type, endpoint "  \
      "(we_…), attempt")                                                                           \
    X(EVENT_OK, "ok", "provider: a 2xx was handed over. status, replayed, id")                     \
    X(EVENT_FAIL, "fail",                                                                          \
      "provider: a 4xx was handed over. status, replayed, code, decline_code, retry_after (s)")    \
    X(EVENT_INFO, "info", "provider: a 5xx, or no whole answer. status or how (closed, reset…)")   \
    X(EVENT_CLOCK, "clock", "provider: the clock was moved. advanced (ms), now (ms)")              \
    X(EVENT_DOWN, "down", "harness: the provider was killed. why")                                 \
    X(EVENT_START, "start", "harness: a client process was started. run, pid, process (its role)") \
    X(EVENT_OUTPUT, "output", "harness: a line the client wrote. stream, text")                    \
    X(EVENT_CRASH, "crash",                                                                        \
      "harness: a client process was killed by us, or told to end. signal, part of it, why")       \
    X(EVENT_PAUSE, "pause", "harness: a client process was stopped by us. run, ms, why")           \
    X(EVENT_RESUME, "resume", "harness: it goes on. run")                                          \
    X(EVENT_EXIT, "exit", "harness: a client process ended. status or signal")                     \
    X(EVENT_CLAIM, "claim", "harness: what the client says of an order. outcome, payment")         \
    X(EVENT_DONE, "done",                                                                          \
      "harness: what the client did for a paid order, by its own word. effect, event (evt_…), "  \
      "undone, times, timeless")                                                                   \
    X(EVENT_JOB, "job",                                                                            \
      "harness: what the job queue does. what (lock_expired, out_of_tries), deliveries so far")    \
    X(EVENT_HEAL, "heal", "harness: faults end here")

#define EVENT_ENUM(constant, name, what) constant,
enum event_kind { EVENT_LIST(EVENT_ENUM) EVENT_COUNT };
#undef EVENT_ENUM

struct event {
    enum event_kind kind;
    uint64_t seq;      /* place in the journal or history, from 1; 0 before it has one */
    int64_t at_ms;     /* the provider's clock (Unix time) */
    uint64_t request;  /* number of the attempt it belongs to, 0 when none */
    char *order;       /* whose order, or NULL */
    struct json *data; /* an object, never NULL once made by event_new */
};

const char *event_name(enum event_kind kind);
bool event_parse_kind(const char *name, enum event_kind *kind);

/* A new event with empty data. */
struct event event_new(enum event_kind kind, uint64_t request, int64_t at_ms);
struct event event_copy(const struct event *event);
void event_release(struct event *event);

/* Of the data; NULL or MISSING when absent. */
const char *event_string(const struct event *event, const char *name);
int64_t event_int(const struct event *event, const char *name, int64_t missing);
bool event_bool(const struct event *event, const char *name);

/* {"seq":1,"kind":"invoke","at":1767225600000,"request":1,"order":"…","data":{…}} and back;
 * ERR_INVALID leaves EVENT zeroed. */
struct json *event_to_json(const struct event *event);
enum err event_from_json(const struct json *json, struct event *event) MUST_CHECK;

#endif
