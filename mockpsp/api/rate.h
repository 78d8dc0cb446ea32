/* The rate limiter: a bucket of tokens per account, filled by the provider's clock. It stands
 * before the key gate: what it refuses was never looked at. */
#ifndef RATE_H
#define RATE_H

#include "exchange.h"

/* Takes a token for X, or replies 429 with Retry-After. */
void rate_check(struct exchange *x);

/* Forgets every bucket: all are full again. */
void rate_forget(struct core *core);

#endif
