#include "rng.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <ctype.h>
#include <signal.h>
#include <string.h>

/* The first numbers of SplitMix64 for seed 1234567, as published with the algorithm: seeds must
 * mean the same on every machine and in every later version. */
Test(rng, is_splitmix64)
{
    static const uint64_t published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    struct rng rng;
    rng_init(&rng, 1234567);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(rng_next(&rng), published[i]);
}

Test(rng, below_stays_below_and_reaches_everything)
{
    struct rng rng;
    rng_init(&rng, 1);
    int seen[7] = {0};
    for (int i = 0; i < 7000; i++) {
        uint64_t value = rng_below(&rng, 7);
        cr_assert_lt(value, 7);
        seen[value]++;
    }
    for (int i = 0; i < 7; i++)
        cr_assert(seen[i] > 800 && seen[i] < 1200, "%d came %d times of 7000", i, seen[i]);
    cr_assert_eq(rng_below(&rng, 1), 0);
    cr_assert_lt(rng_below(&rng, UINT64_MAX), UINT64_MAX);
}

Test(rng, below_nothing_is_a_bug, .signal = SIGABRT)
{
    cr_redirect_stderr();
    struct rng rng;
    rng_init(&rng, 1);
    rng_below(&rng, 0);
}

Test(rng, unit_lies_in_0_to_1)
{
    struct rng rng;
    rng_init(&rng, 2);
    double sum = 0;
    for (int i = 0; i < 10000; i++) {
        double value = rng_unit(&rng);
        cr_assert(value >= 0 && value < 1);
        sum += value;
    }
    cr_assert(sum > 4800 && sum < 5200, "mean of 10000 is off: %f", sum / 10000);
}

Test(rng, mix_is_a_function_of_both_words)
{
    cr_assert_eq(rng_mix(7, 3), rng_mix(7, 3));
    cr_assert_neq(rng_mix(7, 3), rng_mix(7, 4));
    cr_assert_neq(rng_mix(7, 3), rng_mix(8, 3));
    cr_assert_neq(rng_mix(7, 3), rng_mix(3, 7));
}

Test(rng, alnum_fills_exactly_and_repeats_with_the_seed)
{
    struct rng rng;
    char first[26], second[26], guard[4] = "xyz";
    rng_init(&rng, 9);
    rng_alnum(&rng, first, 25);
    rng_init(&rng, 9);
    rng_alnum(&rng, second, 25);
    cr_assert_str_eq(first, second);
    cr_assert_eq(strlen(first), 25);
    for (int i = 0; i < 25; i++)
        cr_assert(isalnum((unsigned char)first[i]));
    rng_alnum(&rng, guard, 0);
    cr_assert_eq(memcmp(guard, "\0yz", 4), 0);
}
