/* Asking a client file's functions about an order, and what comes of it. */
#ifndef ASKING_H
#define ASKING_H

#include "client_task.h"
#include "order.h"

struct asking;
struct world;

/* Told once, in a turn of its own; the callback frees the asking. */
typedef void asking_over(void *context, const struct client_answer *answer);

/* NULL: the world is over, for it could not be asked. A function that is broken ends the world as
 * well; OVER is told all the same. */
struct asking *asking_start(struct world *world, const struct order *order,
                            enum client_function function, asking_over *over, void *context);
void asking_free(struct asking *asking); /* NULL is fine; nothing is told then */

#endif
