/* A client's service: started, waited for until it is ready, and started again when it has died. */
#ifndef SERVICE_H
#define SERVICE_H

#include <stdbool.h>

struct service;
struct world;

/* Starts the service of WORLD's client, unless that ends the world. */
struct service *service_open(struct world *world);

bool service_is_ready(const struct service *service);

/* Starts it again, when it is gone and may be. */
void service_progress(struct service *service);

void service_close(struct service *service); /* NULL is fine; its process is the world's */

#endif
