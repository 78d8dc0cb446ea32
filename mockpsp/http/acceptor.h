/* Takes connections from a listening socket, and can stop for a while: then a client is refused as
 * if nobody were there, and the port is still ours. libmicrohttpd, which could accept by itself,
 * cannot stop and begin again. */
#ifndef ACCEPTOR_H
#define ACCEPTOR_H

#include "loop.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* Takes over the connection FD (non-blocking), which comes FROM there. */
typedef void acceptor_take(void *context, int fd, const struct sockaddr *from, socklen_t length);

struct acceptor {
    struct loop *loop;
    const char *path; /* of a Unix socket; NULL: a port */
    acceptor_take *take;
    void *context;
    unsigned most; /* connections at a time; more wait in the kernel */

    /* Its own. */
    int fd; /* -1: a Unix socket that refuses */
    bool refuses;
    bool short_of_descriptors; /* it has been said */
    unsigned open;
    int64_t refuses_until_us; /* clock_monotonic_us */
    struct loop_watch *watch; /* NULL: it takes nobody now */
    struct loop_timer *timer; /* until it tries again, or NULL */
};

/* Starts to take connections from FD, which listens (see listen.h) and is taken over. The first
 * five fields are set by the caller, the rest is zeroed. */
void acceptor_start(struct acceptor *acceptor, int fd);

/* Closes the listening socket. Connections that were taken stay. */
void acceptor_stop(struct acceptor *acceptor);

/* Takes what waits in the kernel by now, up to some 64. Whether there may be more. */
bool acceptor_take_waiting(struct acceptor *acceptor);

/* A connection that was taken is open; has ended. */
void acceptor_joined(struct acceptor *acceptor);
void acceptor_left(struct acceptor *acceptor);

/* For MS from now nothing listens: whoever connects is refused by the kernel. Who was there before
 * is taken first. Refusals that overlap last as long as the one that ends last. */
void acceptor_refuse(struct acceptor *acceptor, int64_t ms);

/* Ends a refusal at once, if there is one. */
void acceptor_listen(struct acceptor *acceptor);

#endif
