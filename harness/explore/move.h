/* Moves: what exploration may do at a moment of a request, the most dangerous first.
 *
 * Each is an action at a failpoint that a client can tell from the others, with the requests that
 * it makes sense for. What no client can survive is none of them: a definite lie over an effect, or
 * a key that expires while its request is on the way. */
#ifndef MOVE_H
#define MOVE_H

#include "buf.h"
#include "failpoint.h"
#include "move_list.h"
#include "trace.h"

#include <stdbool.h>

/* Which requests: those that move money, all that write, all that read, every one; from the second
 * try on; those that an issuer could decline; webhooks. */
enum move_for { FOR_PAYS, FOR_WRITE, FOR_READ, FOR_ANY, FOR_RETRY, FOR_ISSUER, FOR_HOOK };

#define MOVE_ENUM(name, at, whom, simplicity, act, what) MOVE_##name,
enum move {
    SYSTEMATIC_MOVE_LIST(MOVE_ENUM) MOVE_SYSTEMATIC,
    MOVE_BEFORE_RANDOM = MOVE_SYSTEMATIC - 1,
    RANDOM_MOVE_LIST(MOVE_ENUM) MOVE_COUNT
};
#undef MOVE_ENUM

const char *move_name(enum move move);
bool move_parse(const char *name, enum move *move); /* NAME may be NULL */
enum failpoint move_at(enum move move);
const char *move_act(enum move move);  /* as a scenario writes it */
const char *move_what(enum move move); /* for a person */
/* How the job queue has to behave for it, a field of `queue` as a scenario writes it; NULL: as
 * ever.
 */
const char *move_queue(enum move move);
int move_simplicity(enum move move);

/* Appends one line per move, for `psp-harness list`. */
void moves_list(struct buf *out);

/* Those before MOVE_SYSTEMATIC are tried one by one. */

/* What there is beside a client that is called for each order. */
struct surroundings {
    bool listens;     /* the provider has an endpoint to tell */
    bool one_process; /* no second worker can be given the same order: it is a batch */
};

/* Whether MOVE can strike at PROBE. */
bool move_fits(enum move move, const struct probe *probe, struct surroundings around);

#endif
