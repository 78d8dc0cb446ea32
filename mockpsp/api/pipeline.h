/* The life of a request, from the last byte read to the last byte handed over. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "exchange.h"

/* Starts X on its way. x->decided is called once, now or in a later turn of the loop. */
void pipeline_start(struct exchange *x);

/* The transport has seen the client close its side while X was waiting. */
void pipeline_client_gone(struct exchange *x);

/* The transport has done what x->ending asked for, or the connection has died on the way. WHOLE:
 * the last byte of the answer was handed over. Notes the outcome and frees X. */
void pipeline_finish(struct exchange *x, bool whole);

#endif
