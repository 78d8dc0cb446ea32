/* HTTP in and out: sockets on one side, exchanges on the other. The wire faults are carried out
 * here, byte for byte; what a client sees on its socket is tested in tests/e2e. */
#ifndef SERVER_H
#define SERVER_H

#include "control.h"
#include "core.h"
#include "err.h"

#include <stdint.h>

#define SERVER_LARGEST_BODY ((size_t)1 << 20) /* bytes; more is 413 */

struct server;

/* One door: a listening socket, and what it lets in. */
struct server_options {
    int listen_fd;        /* taken over on success */
    const char *path;     /* of a Unix socket, borrowed; NULL: a port */
    bool serves_api;      /* /v1/ and the rest */
    bool serves_control;  /* /_mock/ */
    const char *tls_cert; /* PEM text, borrowed; NULL: no TLS */
    const char *tls_key;
};

/* Serves with CORE's loop. CONTROL answers /_mock/. */
enum err server_start(struct server **server, struct core *core, struct control *control,
                      const struct server_options *options, struct err_text *why) MUST_CHECK;

/* Handles every request that the sockets hold by now, as far as it goes without waiting. */
void server_drain(struct server *server);

/* For MS from now (real time) nothing listens there: whoever connects is refused. Connections that
 * are open go on. The address stays ours. A door for the control plane alone stays open. */
void server_refuse(struct server *server, int64_t ms);

/* Ends that at once. */
void server_listen(struct server *server);

/* Ends every exchange and closes every connection at once. NULL is fine. */
void server_stop(struct server *server);

#endif
