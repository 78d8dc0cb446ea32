/* What a client did for its orders, asked of the client file's effects(order) once everything else
 * is over: a webhook that comes twice may come the second time when its order is settled already.
 */
#ifndef EFFECTS_H
#define EFFECTS_H

#include <stdbool.h>

struct world;

/* Whether there is anything to wait for: the client has effects(order), or has spoken of effects.
 */
bool effects_matter(const struct world *world);

/* Asks the provider, again and again, until no webhook is on its way. */
void effects_await_webhooks(struct world *world);
bool effects_webhooks_are_sent(const struct world *world);

/* Asks for every order that was run. What is not done yet, of an order that the client calls paid,
 * is asked for again while patience lasts. The history has it when effects_are_in holds. Does
 * nothing when the client file has no effects(order). */
void effects_ask(struct world *world);
bool effects_are_in(const struct world *world);

void effects_release(struct world *world);

#endif
