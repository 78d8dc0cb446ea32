#include "draws.h"

#include <stddef.h>

/* Another stream than the ids of the provider, which come from the same seed. */
#define STREAM UINT64_C(0x6661756c7473)

struct draws draws_from_now(uint64_t seed, struct clock_source clock)
{
    struct draws draws = {.seed = seed, .clock = clock};
    if (clock.now_ms != NULL)
        draws.start_ms = clock.now_ms(clock.self);
    return draws;
}

int64_t draws_elapsed_ms(const struct draws *draws)
{
    if (draws->clock.now_ms == NULL)
        return 0;
    int64_t elapsed = draws->clock.now_ms(draws->clock.self) - draws->start_ms;
    return elapsed < 0 ? 0 : elapsed; /* somebody has set the machine's clock back */
}

/* FNV-1a */
static uint64_t hash(const char *text)
{
    uint64_t value = UINT64_C(14695981039346656037);
    for (; text != NULL && *text != '\0'; text++)
        value = (value ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return value;
}

struct rng draws_rng(const struct draws *draws, const struct draw *draw)
{
    struct rng rng;
    uint64_t seed = rng_mix(draws->seed, STREAM);
    seed = rng_mix(seed, draw->rule);
    seed = rng_mix(seed, hash(draw->order));
    seed = rng_mix(seed, draw->nth);
    rng_init(&rng, rng_mix(seed, draw->what));
    return rng;
}

struct action draws_settle(const struct draws *draws, const struct draw *draw, int64_t from_ms,
                           const struct action *action)
{
    struct action settled = *action;
    if (action->spread == NULL)
        return settled;
    struct rng rng = draws_rng(draws, draw);
    int64_t elapsed = draws_elapsed_ms(draws) - from_ms;
    settled.ms = spread_draw(action->spread, &rng, elapsed < 0 ? 0 : elapsed);
    settled.spread = NULL;
    return settled;
}
