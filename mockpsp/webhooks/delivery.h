/* Deliveries: one event on its way to one endpoint, written in the transaction of what happened, so
 * that no kill can come between a payment and the word of it.
 *
 *   pending --2xx--> delivered
 *      |  ^              |
 *      |  '---- again ---+
 *      '-- three days --> given_up --- again --> pending
 */
#ifndef DELIVERY_H
#define DELIVERY_H

#include "err.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

#define DELIVERY_STATE_LIST(X)                                                                     \
    X(DELIVERY_PENDING, "pending")                                                                 \
    X(DELIVERY_DELIVERED, "delivered")                                                             \
    X(DELIVERY_GIVEN_UP, "given_up")

#define DELIVERY_ENUM(constant, name) constant,
enum delivery_state { DELIVERY_STATE_LIST(DELIVERY_ENUM) DELIVERY_STATE_COUNT };
#undef DELIVERY_ENUM

const char *delivery_state_name(enum delivery_state state);

/* Whether the table above has that arrow; pending to pending is a failed attempt. */
bool delivery_may_move(enum delivery_state from, enum delivery_state to);

/* A delivery for every enabled endpoint of ACCOUNT that wants events of TYPE, due at once. In the
 * caller's transaction. */
enum err delivery_plan(struct store *store, const char *account, const char *event,
                       const char *type, int64_t now_ms) MUST_CHECK;

/* How many endpoints have not acknowledged EVENT yet, without those given up. */
enum err delivery_pending(struct store *store, const char *event, int64_t *count) MUST_CHECK;

#endif
