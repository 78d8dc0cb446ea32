/* Who is at the other end of a connection. */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <sys/socket.h>

/* Whether ADDRESS is on this machine: loopback (v4, v6, v4 in v6), a Unix socket, or (NULL) one
 * that has no address. */
bool peer_is_local(const struct sockaddr *address);

/* Its port; 0 when ADDRESS (which may be NULL) has none. */
int peer_port(const struct sockaddr *address);

#endif
