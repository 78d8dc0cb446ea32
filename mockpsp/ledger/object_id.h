/* Ids such as "ch_3qWx…": a prefix that tells the kind, and letters and digits from the seed. */
#ifndef OBJECT_ID_H
#define OBJECT_ID_H

#include "rng.h"

struct object_id {
    char text[40];
};

/* PREFIX with its underscore, at most 8 characters. The same state of RNG gives the same id. */
struct object_id object_id_make(struct rng *rng, const char *prefix);

#endif
