/* What a client did in a run, as commands for a shell. */
#ifndef BY_HAND_H
#define BY_HAND_H

#include "buf.h"

/* Appends a curl command for every request of CANONICAL, a canonical history, in their order; lines
 * that begin with # say what happened in between. Of $PSP_URL and $PSP_API_KEY. */
void by_hand_tell(const char *canonical, struct buf *out);

#endif
