/* What the files of this folder share: the parts of a world, and who does what with them.
 *
 *   world.c      the life of a run: what happens after what
 *   order_run.c  the client processes of an order
 *   call.c   the requests at the provider, and the questions about them
 *   crash.c      killing a client or the provider at exactly one moment
 *   judge.c      from the history to the verdict */
#ifndef WORLD_INTERNAL_H
#define WORLD_INTERNAL_H

#include "attribution.h"
#include "box.h"
#include "claim.h"
#include "loop.h"
#include "proc.h"
#include "psp.h"
#include "world.h"

#include <stdio.h>

/* Why a world ended before its scenario did. */
enum world_over {
    WORLD_GOES_ON,
    WORLD_TIMED_OUT,
    WORLD_HAS_NO_CLIENT, /* the program cannot be run */
    WORLD_BROKE,         /* our own fault: no socket, or the provider died by itself */
    WORLD_INTERRUPTED,
};

struct order_run {
    struct world *world;
    const struct order *order;
    struct proc *proc;    /* NULL while no client runs */
    uint64_t queued;      /* place in the queue, 0 when it does not wait to be started */
    int runs;             /* started so far */
    enum outcome outcome; /* what its last run came to */
    int killed_by;        /* the signal that a crash sent to this run, 0 when none */
    struct claim said;    /* the last claim that this run printed */
    size_t lines;         /* how many it printed */
    char *last_words;     /* its last line on stderr, or NULL */
    FILE *log;
};

/* A request, from its arrival until the provider has done with it. Kept for the whole run. */
struct call {
    struct attempt attempt; /* with the harness's idea of its order */
    bool open;              /* the provider may still ask about it */
    bool answered;          /* its ok, fail or info has been seen */
    unsigned crashed;       /* bits of failpoints where the harness itself struck */
    char *held;             /* "hang at after_commit": what was done to it last, or NULL */
};

struct crash; /* a client that is being killed, see crash.c */

struct world {
    const struct world_options *options;
    struct scenario *scenario;
    struct result *result; /* orders and history are in it */
    struct loop *loop;
    struct box box;
    FILE *history_file;
    struct attribution *attribution;
    struct psp *psp;
    char *urls[2]; /* "http://127.0.0.1:41873" and its port */
    char *api_key;
    char *webhook_secret;

    struct order_run *runs; /* one per order */
    uint64_t queue_end;     /* the last place given out */
    struct call **calls;
    size_t call_count;
    struct crash *crashes;

    struct {
        bool waits; /* to be killed once request NUMBER has been answered */
        uint64_t number;
        int64_t down_ms;
    } psp_crash;

    bool healed;
    int64_t clock_ahead_ms; /* the provider's clock minus the machine's */
    enum world_over over;
    char *over_why; /* a sentence */
};

/* --- world.c --- */

int64_t world_now_ms(const struct world *world);

/* Takes EVENT over; returns it as it is in the history. */
const struct event *world_record(struct world *world, struct event event);

/* Ends the world; the first reason counts. */
void world_end(struct world *world, enum world_over over, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Something that makes the run inconclusive, said once however often it happens. */
void world_note(struct world *world, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- order_run.c --- */

bool order_run_is_settled(const struct order_run *run);

/* Wants one more run of its client, after everybody who waits already. */
void order_run_queue(struct order_run *run);

/* Starts the next in the queue, unless a client runs or is being killed. */
void order_runs_next(struct world *world);

/* A client runs, or waits to. */
bool order_runs_busy(const struct world *world);

/* The one whose client runs, when it is exactly one; else NULL. */
struct order_run *order_runs_alone(const struct world *world);

struct order_run *order_run_find(const struct world *world, const char *order);

/* Kills and forgets every client without another word. */
void order_runs_release(struct world *world);

/* --- call.c --- */

struct psp_handlers call_handlers(struct world *world);
struct call *call_find(const struct world *world, uint64_t number);
size_t calls_open(const struct world *world);
void calls_release(struct world *world);

/* --- crash.c --- */

/* The action struck: kills, and answers the provider in its time. */
void crash_client(struct world *world, struct call *call, enum failpoint at,
                  const struct action *action);
void crash_psp(struct world *world, struct call *call, enum failpoint at,
               const struct action *action);

/* Something that a crash may be waiting for has happened to an exchange. */
void crash_progress(struct world *world);

/* The provider is gone. */
void crash_psp_died(struct world *world, bool killed);

/* A client is being killed right now. */
bool crash_holds_clients(const struct world *world);
bool crash_pending(const struct world *world);
void crash_release(struct world *world);

/* --- judge.c --- */

/* Fills the result's reasons and findings from everything else in it. */
void judge(struct world *world);

#endif
