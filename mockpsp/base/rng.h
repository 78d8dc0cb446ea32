/* Randomness that a seed decides: the same seed gives the same numbers on every machine.
 *
 * SplitMix64 (Steele, Lea, Flood 2014): one word of state, good enough for ids and chances, not for
 * secrets. */
#ifndef RNG_H
#define RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint64_t state;
};

void rng_init(struct rng *rng, uint64_t seed);
uint64_t rng_next(struct rng *rng);

/* Evenly spread over 0 .. BOUND-1; BOUND is at least 1. */
uint64_t rng_below(struct rng *rng, uint64_t bound);

/* In [0, 1). */
double rng_unit(struct rng *rng);

/* One well-mixed word from two: the n-th value of a seed without the ones before it. */
uint64_t rng_mix(uint64_t seed, uint64_t n);

/* Fills TEXT with LENGTH letters and digits and a NUL; TEXT has LENGTH + 1 bytes. */
void rng_alnum(struct rng *rng, char *text, size_t length);

#endif
