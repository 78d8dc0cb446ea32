/* The ways into the provider: its port, a Unix socket beside it, a port for the control plane
 * alone. */
#ifndef DOORS_H
#define DOORS_H

#include "provider.h"
#include "server.h"

#define DOORS_MOST 3

/* A zeroed struct doors has none. */
struct doors {
    struct server *servers[DOORS_MOST];
    int count;
    int port;
    int control_port;
    char *cert; /* PEM text */
    char *key;
    const char *socket; /* to be removed at the end, or NULL */
};

/* Opens every door that OPTIONS ask for. On failure those that are open are to be closed all the
 * same; WHY names the one that is not. */
enum err doors_open(struct doors *doors, struct core *core, struct control *control,
                    const struct provider_options *options, struct err_text *why) MUST_CHECK;

/* Handles every request that has come in, as far as it goes without waiting. */
void doors_drain(struct doors *doors);

/* For MS from now (real time) nobody listens where the API is served. Open connections go on. */
void doors_refuse(struct doors *doors, int64_t ms);

/* From here on somebody does, at every door. */
void doors_listen(struct doors *doors);

/* Ends every exchange and closes every connection at once. */
void doors_close(struct doors *doors);

#endif
