#include "rng.h"

#include "check.h"

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

void rng_init(struct rng *rng, uint64_t seed)
{
    rng->state = seed;
}

uint64_t rng_next(struct rng *rng)
{
    rng->state += GOLDEN;
    return mix(rng->state);
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    CHECK(bound > 0);
    /* Numbers in the last, incomplete stretch would favour small results: draw again. */
    uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t value;
    do {
        value = rng_next(rng);
    } while (value >= limit);
    return value % bound;
}

double rng_unit(struct rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1.0p-53;
}

uint64_t rng_mix(uint64_t seed, uint64_t n)
{
    return mix(mix(seed + GOLDEN) + n * GOLDEN);
}

void rng_alnum(struct rng *rng, char *text, size_t length)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    for (size_t i = 0; i < length; i++)
        text[i] = digits[rng_below(rng, sizeof digits - 1)];
    text[length] = '\0';
}
