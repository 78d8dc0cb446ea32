/* The headers of an answer (STRIPE_FACTS §1, "Headers on a first response"). */
#ifndef ANSWER_H
#define ANSWER_H

#include "exchange.h"

/* Adds them to the reply; what a fault has put there stays. Its body is written as its style has
 * it on the wire. */
void answer_add_headers(struct exchange *x);

#endif
