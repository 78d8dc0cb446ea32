/* What the words of a client file (http, sh, sqlite) work with: one world, and one of its orders.
 */
#ifndef CLIENT_SCENE_H
#define CLIENT_SCENE_H

#include "client.h"
#include "loop.h"

struct transfers;

/* All of it is borrowed. */
struct client_scene {
    struct loop *loop;
    struct transfers *transfers;
    struct client_values values; /* of the order; its state is where relative files are */
    char *const *environment;    /* of sh */
    const char *directory;       /* of sh, or NULL */
};

#endif
