/* A world from the inside, for the files of this folder that share it. world.c is the life of a
 * run: what happens after what; the other files say in their headers what they are about. */
#ifndef WORLD_INTERNAL_H
#define WORLD_INTERNAL_H

#include "app_port.h"
#include "attribution.h"
#include "box.h"
#include "client.h"
#include "crash.h"
#include "loop.h"
#include "psp.h"
#include "queue_policy.h"
#include "world.h"

#include <stdio.h>

/* Why a world ended before its scenario did. */
enum world_over {
    WORLD_GOES_ON,
    WORLD_TIMED_OUT,
    WORLD_HAS_NO_CLIENT,    /* the program cannot be run */
    WORLD_CLIENT_IS_BROKEN, /* a function of its file is */
    WORLD_BROKE,            /* our own fault: no socket, or the provider died by itself */
    WORLD_INTERRUPTED,
};

struct client_clock;
struct client_file;
struct client_process;
struct effects;
struct last_claim;
struct order_run;
struct service;
struct shape;
struct transfers;
struct workers;
struct call;
struct hook;
struct pause;

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

    const struct shape *shape; /* of CLIENT */
    struct client_file *client;
    struct client_process *processes;
    struct client_process *batch; /* of shape_batch.c */
    struct workers *workers;      /* see workers.h; NULL before they are started */
    struct service *service;      /* of shape_service.c */
    struct app_port app_port;     /* where it shall listen; .port 0: none is needed */
    char *app_port_text;
    struct transfers *transfers;    /* for its functions; NULL: there are none */
    struct last_claim *last_claims; /* see last_claims.h */
    struct effects *effects;        /* see effects.h */
    struct order_run *runs;         /* one per order */
    uint64_t queue_end;             /* the last place given out */
    struct call **calls;
    size_t call_count;
    struct queue_policy queue; /* see job_queue.h */
    struct hook *hooks;        /* see hook.h */
    struct crash *crashes;
    struct pause *pauses;

    struct psp_crash psp_crash;
    bool healed;
    size_t copies_due;      /* second deliveries of a request that have not arrived yet */
    int64_t clock_ahead_ms; /* the provider's clock minus the machine's */
    struct client_clock *client_clock; /* see client_clock.h */
    size_t moved; /* how long the history was when the scenario last moved the clock; 0: never */
    enum world_over over;
    char *over_why; /* a sentence */
};

int64_t world_now_ms(const struct world *world);

/* Takes EVENT over; returns it as it is in the history. */
const struct event *world_record(struct world *world, struct event event);

/* Ends the world; the first reason counts. */
void world_end(struct world *world, enum world_over over, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Something that makes the run inconclusive, said once however often it happens. */
void world_note(struct world *world, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a process of the client is given, but for its order and state directory. */
struct client_values world_client_values(const struct world *world);

/* Something that a client, or the next one, may be waiting for has happened. */
void world_progress(struct world *world);

/* Turns the loop until DONE holds. ERR_LIMIT when the world is over before, with why. */
enum err world_run_until(struct world *world, bool (*done)(const struct world *),
                         struct err_text *why) MUST_CHECK;

/* The command line has the last word; NULL when nobody asks for one. */
const struct dialect *world_dialect(const struct world *world);

/* world_setup.c: everything that has to be there before the scenario is played. Closed in either
 * case, after the verdict. */
enum err world_open(struct world *world, struct err_text *why) MUST_CHECK;
void world_close(struct world *world);

/* Fills the result's reasons and findings from everything else in it. */
void judge(struct world *world);

#endif
