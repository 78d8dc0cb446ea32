/* The listening socket. */
#ifndef LISTEN_H
#define LISTEN_H

#include "err.h"

/* Binds HOST (a numeric IPv4 or IPv6 address) and PORT (0: any free one) and listens. The port may
 * be held, bound but not listening, by another socket of the same user (SO_REUSEPORT): that is how
 * the harness keeps it while a provider is down. On success *FD is the caller's to close and *BOUND
 * the port. WHY names the address and the remedy. */
enum err listen_open(const char *host, int port, int *fd, int *bound,
                     struct err_text *why) MUST_CHECK;

/* Listens again on FD, a TCP socket of listen_open that was shut for reading: on the same port,
 * which nobody could take in between. */
enum err listen_again(int fd, struct err_text *why) MUST_CHECK;

/* Binds a Unix socket at PATH and listens. A socket that nobody listens on any more is replaced;
 * any other file there is left alone and is an error. Remove the path when done. */
enum err listen_open_unix(const char *path, int *fd, struct err_text *why) MUST_CHECK;

#endif
