/* Stopping a client for a while: a long collection of garbage, a virtual machine that is moved. */
#ifndef PAUSE_H
#define PAUSE_H

#include "action.h"
#include "call.h"
#include "failpoint.h"

#include <stdbool.h>

struct client_process;
struct world;

/* The action struck: stops the client, lets the request go on once it is seen stopped, and lets the
 * client go on in its time. */
void pause_client(struct world *world, struct call *call, enum failpoint at,
                  const struct action *action);

/* CLIENT (NULL: any) is stopped, or is being stopped. */
bool pause_stops(const struct world *world, const struct client_process *client);

/* Forgets every pause; whoever is stopped stays so, to be killed. */
void pause_release(struct world *world);

#endif
