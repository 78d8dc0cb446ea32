/* Reading a request: what is asked, in the words that fault sources, the journal and the key gate
 * use. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "exchange.h"

/* The first step: numbers the attempt, reads the parameters (form or JSON), refuses what cannot or
 * must not be written down. */
void describe_read(struct exchange *x);

/* Fills x->attempt from what is understood so far. */
void describe_attempt(struct exchange *x);

#endif
