#include "clock.h"

#include <time.h>

#define LATEST_MS INT64_C(253402300799000) /* 9999-12-31T23:59:59Z */

static int64_t machine_now_ms(void *self)
{
    (void)self;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct clock_source clock_machine(void)
{
    return (struct clock_source){.now_ms = machine_now_ms};
}

void clock_init_real(struct clock *clock, struct clock_source source)
{
    *clock = (struct clock){.source = source};
}

void clock_init_manual(struct clock *clock, int64_t start_ms)
{
    *clock = (struct clock){.manual = true, .offset_ms = start_ms};
}

int64_t clock_now_ms(const struct clock *clock)
{
    if (clock->manual)
        return clock->offset_ms;
    return clock->source.now_ms(clock->source.self) + clock->offset_ms;
}

static int64_t source_now_ms(void *self)
{
    return clock_now_ms(self);
}

struct clock_source clock_as_source(struct clock *clock)
{
    return (struct clock_source){.now_ms = source_now_ms, .self = clock};
}

int64_t clock_now_s(const struct clock *clock)
{
    return clock_now_ms(clock) / 1000;
}

enum err clock_advance(struct clock *clock, int64_t ms)
{
    if (ms < 0 || ms > LATEST_MS - clock_now_ms(clock))
        return ERR_INVALID;
    clock->offset_ms += ms;
    return ERR_OK;
}

int64_t clock_monotonic_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
