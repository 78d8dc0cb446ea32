/* What a run was like after its last fault, as a hash: two schedules that differ in their last
 * choice alone, and whose runs go on alike, have put the client into the same state, as far as
 * anybody outside of it can see. */
#ifndef CONTINUATION_H
#define CONTINUATION_H

#include "crypto.h"
#include "trace.h"

#include <stdbool.h>
#include <stddef.h>

/* CANONICAL is the canonical history (canonical.h) of a run whose last choice was made at TRACE's
 * item REACHED (TRACE's count: at none). What is hashed: how much had been charged and how far the
 * clock had been moved at the last fault; everything that came after it, but for the answer to the
 * request that it struck and the provider's own coming and going; the moments that were left where
 * something could have struck. */
struct crypto_digest continuation_of(const char *canonical, const struct trace *trace,
                                     size_t reached);

/* Whether LINE of a canonical history is the provider's coming and going, or a pause: when that was
 * heard of, between what a client did, is nobody's doing. */
bool continuation_skips(const char *line);

#endif
