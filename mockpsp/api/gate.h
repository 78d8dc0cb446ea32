/* The key gate as a step of the request path: what keys/ decides, turned into replies. */
#ifndef GATE_H
#define GATE_H

#include "exchange.h"

/* The key that the request carries, in the dialect's way, without quotes; "" when it is none, NULL
 * when there is none or the method does not take one. To be freed. */
char *gate_key(const struct exchange *x);

/* The name of a header that would carry a key in another dialect, where this one finds none; NULL
 * when there is none. Static. */
const char *gate_ignored(const struct exchange *x);

/* Looks the key up. A known one is replied to (replay, mismatch, in flight); a new one is claimed,
 * once the operation has found the parameters good: a request refused before execution leaves no
 * trace. Without a key only the parameters are checked. In a dialect where twins wait, x->waits_for
 * is set instead, and the step is to be taken again. */
void gate_open(struct exchange *x);

/* Remembers the reply under the key, in the transaction that makes the effect; or lets the key go,
 * when the dialect does not remember such a reply. */
enum err gate_finish(struct exchange *x) MUST_CHECK;

/* Nothing happened: the key is free again. Without a claim, does nothing. */
void gate_release(struct exchange *x);

#endif
