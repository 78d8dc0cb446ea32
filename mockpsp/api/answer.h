/* The headers of an answer (STRIPE_FACTS §1, "Headers on a first response"). */
#ifndef ANSWER_H
#define ANSWER_H

#include "exchange.h"

/* Adds them to the reply; what a fault has put there stays. */
void answer_add_headers(struct exchange *x);

#endif
