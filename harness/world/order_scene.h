/* What the processes of an order, and the functions of its client file, are given. */
#ifndef ORDER_SCENE_H
#define ORDER_SCENE_H

#include "client_scene.h"
#include "err.h"
#include "order.h"

#include <stdbool.h>

struct order_scene;
struct world;

/* ORDER NULL: of what serves all of them. The state directory is made: one for each order, or one
 * for all where the client is one process for all. ERR_IO with a sentence about the client. */
enum err order_scene_new(struct world *world, const struct order *order, struct order_scene **scene,
                         struct err_text *why) MUST_CHECK;
void order_scene_free(struct order_scene *scene); /* NULL is fine */

/* Valid as long as SCENE. */
const struct client_scene *order_scene_client(const struct order_scene *scene);

/* The world's clock is in its environment, see client_clock.h. */
bool order_scene_has_clock(const struct order_scene *scene);

#endif
