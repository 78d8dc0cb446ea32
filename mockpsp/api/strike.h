/* What each action does to an exchange. */
#ifndef STRIKE_H
#define STRIKE_H

#include "action.h"
#include "exchange.h"

/* ACTION is allowed at the failpoint X->at, where X waits. X goes on, now or in a later turn of the
 * loop; it may have been handed over when this returns. */
void strike(struct exchange *x, const struct action *action);

#endif
