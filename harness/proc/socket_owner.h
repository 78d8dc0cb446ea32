/* Whose connection is it? Read from /proc. */
#ifndef SOCKET_OWNER_H
#define SOCKET_OWNER_H

#include <sys/types.h>

/* Who below ROOT holds the end of a TCP connection of this machine that has LOCAL_PORT there and
 * goes to REMOTE_PORT; 0: nobody. */
pid_t socket_owner_below(pid_t root, int local_port, int remote_port);

#endif
