/* Whose connection is it? Read from /proc. */
#ifndef SOCKET_OWNER_H
#define SOCKET_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

/* Somebody below ROOT holds the end of a TCP connection of this machine that has LOCAL_PORT there
 * and goes to REMOTE_PORT. */
bool socket_owner_is_below(pid_t root, int local_port, int remote_port);

#endif
