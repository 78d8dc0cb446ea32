#include "clock.h"

#include <criterion/criterion.h>

/* A machine whose time is whatever the test says. */
static int64_t machine_ms;

static int64_t read_machine(void *self)
{
    return *(int64_t *)self;
}

static struct clock_source test_machine(int64_t ms)
{
    machine_ms = ms;
    return (struct clock_source){.now_ms = read_machine, .self = &machine_ms};
}

Test(clock, a_manual_one_stands_still_until_it_is_moved)
{
    struct clock clock;
    clock_init_manual(&clock, 1767225600000);
    cr_assert_eq(clock_now_ms(&clock), 1767225600000);
    cr_assert_eq(clock_advance(&clock, 90000999), ERR_OK);
    cr_assert_eq(clock_now_ms(&clock), 1767315600999);
    cr_assert_eq(clock_now_s(&clock), 1767315600);
    cr_assert_eq(clock_advance(&clock, 0), ERR_OK);
    cr_assert_eq(clock_now_ms(&clock), 1767315600999);
}

Test(clock, a_real_one_follows_the_machine_and_can_be_pushed_forward)
{
    struct clock clock;
    clock_init_real(&clock, test_machine(1000));
    cr_assert_eq(clock_now_ms(&clock), 1000);
    cr_assert_eq(clock_advance(&clock, 86400000), ERR_OK);
    machine_ms = 1500;
    cr_assert_eq(clock_now_ms(&clock), 86401500);
    cr_assert_eq(clock_advance(&clock, 500), ERR_OK);
    cr_assert_eq(clock_now_ms(&clock), 86402000);
}

Test(clock, never_goes_back)
{
    struct clock clock;
    clock_init_manual(&clock, 5000);
    cr_assert_eq(clock_advance(&clock, -1), ERR_INVALID);
    cr_assert_eq(clock_now_ms(&clock), 5000);
}

Test(clock, ends_with_the_year_9999)
{
    struct clock clock;
    clock_init_manual(&clock, 0);
    cr_assert_eq(clock_advance(&clock, INT64_MAX), ERR_INVALID);
    cr_assert_eq(clock_advance(&clock, INT64_C(253402300799000) + 1), ERR_INVALID);
    cr_assert_eq(clock_now_ms(&clock), 0);
    cr_assert_eq(clock_advance(&clock, INT64_C(253402300799000)), ERR_OK);
    cr_assert_eq(clock_advance(&clock, 1), ERR_INVALID);
    cr_assert_eq(clock_now_s(&clock), INT64_C(253402300799));
}

Test(clock, the_machine_and_the_monotonic_one_are_alive)
{
    struct clock clock;
    clock_init_real(&clock, clock_machine());
    cr_assert_gt(clock_now_ms(&clock), INT64_C(1700000000000), "milliseconds since 1970");
    int64_t before = clock_monotonic_us();
    cr_assert_geq(clock_monotonic_us(), before);
}
