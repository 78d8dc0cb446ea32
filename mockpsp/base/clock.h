/* The provider's clock: 24 h of key lifetime pass in no time when somebody moves it.
 *
 * A real clock follows the machine's (back, too, should somebody set that one back) and can be
 * pushed forward; a manual one stands still until it is moved. Both count milliseconds since 1970
 * (Unix time), and neither can be moved back. */
#ifndef CLOCK_H
#define CLOCK_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

/* Where the machine's time comes from; tests put their own here. Milliseconds since 1970. */
struct clock_source {
    int64_t (*now_ms)(void *self);
    void *self;
};

struct clock {
    struct clock_source source; /* unused while manual */
    bool manual;
    int64_t offset_ms; /* manual: the time itself; real: what was added to the machine's */
};

/* The machine's wall clock as a source. */
struct clock_source clock_machine(void);

void clock_init_real(struct clock *clock, struct clock_source source);
void clock_init_manual(struct clock *clock, int64_t start_ms);

int64_t clock_now_ms(const struct clock *clock);
int64_t clock_now_s(const struct clock *clock);

/* CLOCK as a source for others; valid as long as CLOCK. */
struct clock_source clock_as_source(struct clock *clock);

/* Moves the clock by MS. Going back, or past the year 9999, is ERR_INVALID and changes nothing. */
enum err clock_advance(struct clock *clock, int64_t ms) MUST_CHECK;

/* Microseconds that never jump, for measuring. Not the provider's time. */
int64_t clock_monotonic_us(void);

#endif
