/* The story of an order: what happened to it, in its order, for a person to read. */
#ifndef STORY_H
#define STORY_H

#include "buf.h"
#include "result.h"

/* Adds the timeline of ORDER (NULL: of the whole run) to OUT, each line behind four spaces: time
 * since the start by the provider's clock, requests (->), answers (<-), charges ($), faults and
 * kills (**). The lines where a finding points are marked with its invariant. */
void story_tell(const struct result *result, const char *order, struct buf *out);

/* The same with nothing in it that differs although the same happened: no times, no output of the
 * client, keys by their letters alone. */
void story_tell_again(const struct result *result, const char *order, struct buf *out);

#endif
