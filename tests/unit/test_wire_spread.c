/* Spreads: durations that are drawn. The seeds are fixed, so every number here is exact. */
#include "mem.h"
#include "quoted.h"
#include "spread.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 100000

static struct spread *read_spread(const char *text)
{
    struct spread *spread;
    struct err_text why = {0};
    struct json *json = quoted(text);
    cr_assert_eq(spread_from_json(json, &spread, &why), ERR_OK, "%s: %s", text, why.text);
    json_free(json);
    return spread;
}

static int by_size(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* DRAWS of the spread in TEXT, in order of size; the caller frees them. */
static int64_t *drawn(const char *text)
{
    struct spread *spread = read_spread(text);
    int64_t *draws = mem_alloc(DRAWS * sizeof *draws);
    for (int i = 0; i < DRAWS; i++) {
        struct rng rng;
        rng_init(&rng, rng_mix(7, (uint64_t)i));
        draws[i] = spread_draw(spread, &rng, 0);
    }
    spread_free(spread);
    qsort(draws, DRAWS, sizeof *draws, by_size);
    return draws;
}

static double mean(const int64_t *draws)
{
    double sum = 0;
    for (int i = 0; i < DRAWS; i++)
        sum += (double)draws[i];
    return sum / DRAWS;
}

static double deviation(const int64_t *draws)
{
    double middle = mean(draws), sum = 0;
    for (int i = 0; i < DRAWS; i++)
        sum += ((double)draws[i] - middle) * ((double)draws[i] - middle);
    return sqrt(sum / DRAWS);
}

static void expect_near(double value, double wanted, double tolerance, const char *what)
{
    cr_expect(fabs(value - wanted) <= tolerance, "%s: %g, not %g", what, value, wanted);
}

static double quantile(const int64_t *draws, double share)
{
    return (double)draws[(int)(share * DRAWS)];
}

Test(spread, uniform_is_even_between_its_ends)
{
    int64_t *draws = drawn("{'spread':'uniform','low':'1s','high':'3s'}");
    cr_expect_geq(draws[0], 1000);
    cr_expect_leq(draws[DRAWS - 1], 3000);
    expect_near(mean(draws), 2000, 10, "mean");
    for (int tenth = 1; tenth < 10; tenth++)
        expect_near(quantile(draws, tenth / 10.0), 1000 + 200 * tenth, 20, "a tenth");
    free(draws);
}

Test(spread, normal_has_its_mean_and_deviation)
{
    int64_t *draws = drawn("{'spread':'normal','mean':'1s','deviation':'100ms'}");
    expect_near(mean(draws), 1000, 2, "mean");
    expect_near(deviation(draws), 100, 2, "deviation");
    expect_near(quantile(draws, 0.99), 1000 + 2.326 * 100, 6, "p99");
    expect_near(quantile(draws, 0.01), 1000 - 2.326 * 100, 6, "p1");
    free(draws);
}

Test(spread, what_would_be_below_zero_is_zero)
{
    int64_t *draws = drawn("{'spread':'normal','mean':'0','deviation':'1s'}");
    cr_expect_eq(draws[0], 0);
    cr_expect_eq(draws[DRAWS * 49 / 100], 0);
    expect_near(quantile(draws, 0.841), 1000, 20, "one deviation above");
    free(draws);
}

Test(spread, lognormal_has_its_median_and_p99)
{
    int64_t *draws = drawn("{'spread':'lognormal','median':'80ms','p99':'2s'}");
    expect_near(quantile(draws, 0.5), 80, 2, "median");
    expect_near(quantile(draws, 0.99), 2000, 120, "p99");
    cr_expect_geq(draws[0], 0);
    free(draws);
}

Test(spread, pareto_has_its_median_and_p99)
{
    int64_t *draws = drawn("{'spread':'pareto','median':'80ms','p99':'2s'}");
    expect_near(quantile(draws, 0.5), 80, 2, "median");
    expect_near(quantile(draws, 0.99), 2000, 120, "p99");
    free(draws);
}

Test(spread, pareto_by_scale_and_shape)
{
    int64_t *draws = drawn("{'spread':'pareto','scale':'100ms','shape':2}");
    cr_expect_eq(draws[0], 100);
    expect_near(quantile(draws, 0.5), 100 * sqrt(2), 2, "median");
    expect_near(quantile(draws, 0.99), 1000, 50, "p99");
    free(draws);
}

Test(spread, no_draw_is_longer_than_an_hour)
{
    int64_t *draws = drawn("{'spread':'pareto','scale':'1s','shape':0.1}");
    cr_expect_eq(draws[DRAWS - 1], SPREAD_MOST_MS);
    cr_expect_geq(draws[0], 1000);
    free(draws);
}

Test(spread, samples_are_as_likely_as_they_are_often)
{
    int64_t *draws = drawn("{'spread':'samples','of':['5ms','5ms','900ms']}");
    int slow = 0;
    for (int i = 0; i < DRAWS; i++) {
        cr_assert(draws[i] == 5 || draws[i] == 900);
        slow += draws[i] == 900;
    }
    expect_near(slow, DRAWS / 3.0, 500, "one of three");
    free(draws);
}

/* At ELAPSED ms; profiles do not depend on chance. */
static int64_t at(const char *text, int64_t elapsed)
{
    struct spread *spread = read_spread(text);
    struct rng rng;
    rng_init(&rng, (uint64_t)elapsed);
    int64_t ms = spread_draw(spread, &rng, elapsed);
    spread_free(spread);
    return ms;
}

Test(spread, a_ramp_goes_straight_and_then_stays)
{
    static const char *const up = "{'spread':'ramp','from':'0','to':'2s','over':'30s'}";
    static const char *const down = "{'spread':'ramp','from':'2s','to':'0','over':'30s'}";
    cr_expect_eq(at(up, 0), 0);
    cr_expect_eq(at(up, 15000), 1000);
    cr_expect_eq(at(up, 29985), 1999);
    cr_expect_eq(at(up, 30000), 2000);
    cr_expect_eq(at(up, 90000000), 2000);
    cr_expect_eq(at(down, 7500), 1500);
    cr_expect_eq(at(down, 30001), 0);
}

Test(spread, a_square_is_low_and_then_high)
{
    static const char *const half = "{'spread':'square','low':10,'high':'1s','period':'10s'}";
    static const char *const spike =
        "{'spread':'square','low':10,'high':'1s','period':'10s','lasts':'1s'}";
    cr_expect_eq(at(half, 0), 10);
    cr_expect_eq(at(half, 4999), 10);
    cr_expect_eq(at(half, 5000), 1000);
    cr_expect_eq(at(half, 9999), 1000);
    cr_expect_eq(at(half, 10000), 10);
    cr_expect_eq(at(spike, 8999), 10);
    cr_expect_eq(at(spike, 9000), 1000);
    cr_expect_eq(at(spike, 20001), 10);
}

Test(spread, a_sine_goes_up_and_down)
{
    static const char *const wave = "{'spread':'sine','low':'100ms','high':'1s','period':'8s'}";
    cr_expect_eq(at(wave, 0), 100);
    cr_expect_eq(at(wave, 2000), 550);
    cr_expect_eq(at(wave, 4000), 1000);
    cr_expect_eq(at(wave, 6000), 550);
    cr_expect_eq(at(wave, 8000), 100);
    cr_expect_eq(at(wave, 12000), 1000);
}

static const char *const WHOLE[] = {
    "{'spread':'uniform','low':10,'high':2000}",
    "{'spread':'normal','mean':0,'deviation':5}",
    "{'spread':'lognormal','median':80,'p99':2000}",
    "{'spread':'pareto','median':80,'p99':2000}",
    "{'spread':'pareto','scale':80,'shape':1.5}",
    "{'spread':'samples','of':[5,5,900]}",
    "{'spread':'ramp','from':0,'to':2000,'over':30000}",
    "{'spread':'square','low':0,'high':2000,'period':30000}",
    "{'spread':'square','low':0,'high':2000,'period':30000,'lasts':100}",
    "{'spread':'sine','low':0,'high':2000,'period':3600000}",
};

Test(spread, the_same_seed_draws_the_same)
{
    for (size_t i = 0; i < sizeof WHOLE / sizeof WHOLE[0]; i++) {
        struct spread *spread = read_spread(WHOLE[i]), *copy = spread_copy(spread);
        struct rng one, other;
        rng_init(&one, 5);
        rng_init(&other, 5);
        for (int n = 0; n < 1000; n++)
            cr_assert_eq(spread_draw(spread, &one, n), spread_draw(copy, &other, n), "%s",
                         WHOLE[i]);
        spread_free(spread);
        spread_free(copy);
    }
    cr_expect_null(spread_copy(NULL));
    spread_free(NULL);
}

Test(spread, what_is_read_can_be_written)
{
    for (size_t i = 0; i < sizeof WHOLE / sizeof WHOLE[0]; i++) {
        struct spread *spread = read_spread(WHOLE[i]);
        expect_quoted(spread_to_json(spread), WHOLE[i]);
        spread_free(spread);
    }
}

/* Left: the table. Right: what the sentence must contain. */
static const char *const WRONG[][2] = {
    {"{}", "'(none)' is no spread of durations: one of uniform, normal, lognormal, pareto"},
    {"{'spread':7}", "is no spread"},
    {"{'spread':'lognormall'}", "'lognormall' is no spread of durations (did you mean lognormal?)"},
    {"{'spread':'uniform','low':'1s'}", "uniform needs high: the most"},
    {"{'spread':'uniform','hihg':'1s'}", "no option 'hihg' (did you mean high?): it has low, high"},
    {"{'spread':'uniform','low':'2s','high':'1s'}", "high (1s) has to be above low (2s)"},
    {"{'spread':'uniform','low':'2s','high':'2s'}", "high (2s) has to be above low (2s)"},
    {"{'spread':'uniform','low':'2','high':'3s'}", "low of uniform: '2' needs a unit"},
    {"{'spread':'uniform','low':-1,'high':'3s'}", "low of uniform is text such as \"250ms\""},
    {"{'spread':'uniform','low':1.5,'high':'3s'}", "low of uniform is text"},
    {"{'spread':'uniform','low':true,'high':'3s'}", "low of uniform is text"},
    {"{'spread':'uniform','low':'1s','high':'61m'}", "high of uniform is at most 1h"},
    {"{'spread':'normal','mean':'1s','deviation':0}", "deviation has to be above 0"},
    {"{'spread':'lognormal','median':'0','p99':'1s'}", "median has to be above 0"},
    {"{'spread':'lognormal','median':'2s','p99':'1s'}", "p99 (1s) has to be above median (2s)"},
    {"{'spread':'pareto'}", "pareto takes median and p99, or scale and shape"},
    {"{'spread':'pareto','median':'1s','shape':2}", "median and p99, or scale and shape"},
    {"{'spread':'pareto','median':'1s','p99':'2s','shape':2}", "median and p99, or"},
    {"{'spread':'pareto','median':'2s','p99':'1s'}", "p99 (1s) has to be above median (2s)"},
    {"{'spread':'pareto','scale':'0','shape':2}", "scale has to be above 0"},
    {"{'spread':'pareto','scale':'1s','shape':0}", "shape of pareto is a number above 0"},
    {"{'spread':'pareto','scale':'1s','shape':'2'}", "shape of pareto is a number above 0"},
    {"{'spread':'samples'}", "samples needs of: a list of durations"},
    {"{'spread':'samples','of':[]}", "a list of 1 to 10000 durations"},
    {"{'spread':'samples','of':'5ms'}", "a list of 1 to 10000 durations"},
    {"{'spread':'samples','of':['5ms','5']}", "one of samples: '5' needs a unit"},
    {"{'spread':'ramp','from':0,'to':'1s','over':0}", "over has to be above 0"},
    {"{'spread':'square','low':0,'high':'1s','period':0}", "period has to be above 0"},
    {"{'spread':'square','low':'1s','high':0,'period':'1s'}", "high (0ms) has to be above low"},
    {"{'spread':'square','low':0,'high':'1s','period':'1s','lasts':'1s'}", "lasts has to be"},
    {"{'spread':'sine','low':0,'high':'1s','period':0}", "period has to be above 0"},
    {"{'spread':'sine','low':'1s','high':0,'period':'1s'}", "high (0ms) has to be above low"},
};

/* JSON may say a thing twice, and cJSON hands out both. */
Test(spread, of_two_lists_the_later_counts)
{
    struct spread *spread;
    struct json *json = quoted("{'spread':'samples','of':['1ms','2ms','3ms'],'of':['4ms']}");
    cr_assert_eq(spread_from_json(json, &spread, NULL), ERR_OK);
    cr_expect_eq(spread->sample_count, 1);
    cr_expect_eq(spread->samples[0], 4);
    spread_free(spread);
    json_free(json);
}

Test(spread, nonsense_is_refused_and_the_word_named)
{
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct spread *spread;
        struct err_text why = {0};
        struct json *json = quoted(WRONG[i][0]);
        cr_expect_eq(spread_from_json(json, &spread, &why), ERR_INVALID, "%s", WRONG[i][0]);
        cr_expect(strstr(why.text, WRONG[i][1]) != NULL, "%s: %s", WRONG[i][0], why.text);
        cr_expect_null(spread);
        json_free(json);
    }
}

Test(spread, says_what_it_is_for_a_person)
{
    static const char *const said[][2] = {
        {"{'spread':'uniform','low':10,'high':2000}", "uniform low 10ms high 2s"},
        {"{'spread':'pareto','scale':80,'shape':1.5}", "pareto scale 80ms shape 1.5"},
        {"{'spread':'samples','of':[5,5,900]}", "samples of 3"},
    };
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        struct spread *spread = read_spread(said[i][0]);
        struct buf text = {0};
        spread_describe(spread, &text);
        cr_expect_str_eq(buf_string(&text), said[i][1]);
        buf_release(&text);
        spread_free(spread);
    }
}
