/* A request that a proxy delivers twice. */
#ifndef DUPLICATE_H
#define DUPLICATE_H

#include "exchange.h"

/* The same bytes come once more, MS milliseconds from now, as an exchange of their own that no
 * fault strikes; its attempt's copy_of is the number of X's. Nobody hears one of the two answers:
 * the second, or with SECOND_ANSWERS the first, which is X's. */
void duplicate_deliver(struct exchange *x, int64_t ms, bool second_answers);

/* Frees those that nobody hears: what is left when every connection is closed. */
void duplicate_forget(struct core *core);

#endif
