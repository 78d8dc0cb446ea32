/* Whose order is this request for? A client need not tell: amounts are unique within a run, and
 * every id that the provider gave out belongs to an order. */
#ifndef ATTRIBUTION_H
#define ATTRIBUTION_H

#include "attempt.h"
#include "event.h"
#include "order.h"

struct attribution;

struct attribution *attribution_new(const struct orders *orders); /* borrowed */
void attribution_free(struct attribution *attribution);           /* NULL is fine */

/* Remembers the ids of payments, charges, refunds and operations that EVENT, which has its order,
 * names. */
void attribution_learn(struct attribution *attribution, const struct event *event);

/* The order of ATTEMPT, by the first of these that tells: the order's id in its metadata,
 * reference, operation_id or path; the id of a known object or operation in its path or parameters;
 * its amount and currency; RUNNING, the order whose client runs alone at the moment (or NULL). NULL
 * when nothing tells. */
const char *attribution_order(const struct attribution *attribution, const struct attempt *attempt,
                              const char *running);

/* The order of an effect whose request is not known: by its own order, ids, or amount. */
const char *attribution_of_effect(const struct attribution *attribution,
                                  const struct event *effect);

#endif
