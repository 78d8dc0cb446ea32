/* How an action may change a request's way through its life: shared by pipeline.c, which walks, and
 * strike.c, which acts. */
#ifndef WALK_H
#define WALK_H

#include "exchange.h"

#include <stdint.h>

/* Goes on where X waits; with the next action of the same fault first, if there is one. */
void walk_on(struct exchange *x);

/* The same, in MS milliseconds. */
void walk_on_later(struct exchange *x, int64_t ms);

/* Nothing more is done for X: it ends as x->ending says. HOW is for the journal. Unless its effect
 * has been committed nothing happened: the key and the lock are free again. */
void walk_end(struct exchange *x, enum ending ending, const char *how);

/* X has got its reply from a fault: its own way ends, and that answer begins to leave. */
void walk_answer(struct exchange *x);

#endif
