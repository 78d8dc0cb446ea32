/* A free port for a client's service. */
#ifndef APP_PORT_H
#define APP_PORT_H

#include "err.h"

struct app_port {
    int port;
    int lock; /* a descriptor that keeps other harnesses of this machine from the same port */
};

/* One where nobody listens, out of the range from which the kernel takes ports by itself: whoever
 * connects somewhere meanwhile does not get it. ERR_IO with a sentence in WHY. */
enum err app_port_take(struct app_port *port, struct err_text *why) MUST_CHECK;

void app_port_release(struct app_port *port); /* a zeroed one is fine */

#endif
