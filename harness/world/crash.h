/* Killing a client or the provider at exactly one moment, or telling a client to end. */
#ifndef CRASH_H
#define CRASH_H

#include "action.h"
#include "call.h"
#include "failpoint.h"

#include <stdbool.h>
#include <stdint.h>

struct client_process;
struct world;

/* Of the provider. */
struct psp_crash {
    bool pending;    /* it is being killed, or will be when the answers that it still owes (see
                        call.h) have left */
    uint64_t number; /* the request at which it was decided */
    int64_t down_ms; /* the longest that anybody asked for */
};

/* The action struck: kills, and answers the provider in its time. */
void crash_client(struct world *world, struct call *call, enum failpoint at,
                  const struct action *action);
void stop_client(struct world *world, struct call *call, enum failpoint at,
                 const struct action *action);
void crash_psp(struct world *world, struct call *call, enum failpoint at,
               const struct action *action);

/* Something that a crash may be waiting for has happened to an exchange. */
void crash_progress(struct world *world);

/* The provider is gone. */
void crash_psp_died(struct world *world, bool killed);

/* A client is being killed right now, or has been told to end. */
bool crash_holds_clients(const struct world *world);

/* It has stopped CLIENT, and is about to kill it. */
bool crash_stops(const struct world *world, const struct client_process *client);

/* The provider waits for a crash before it goes on with CALL. */
bool crash_holds_call(const struct world *world, const struct call *call);

/* A crash, of a client or of the provider, has not run its course. */
bool crash_pending(const struct world *world);
void crash_release(struct world *world);

#endif
