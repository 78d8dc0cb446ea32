#include "object_id.h"

#include "check.h"

#include <string.h>

#define RANDOM_LENGTH 24

struct object_id object_id_make(struct rng *rng, const char *prefix)
{
    struct object_id id;
    size_t length = strlen(prefix);
    CHECK(length <= 8);
    memcpy(id.text, prefix, length);
    rng_alnum(rng, id.text + length, RANDOM_LENGTH);
    return id;
}
