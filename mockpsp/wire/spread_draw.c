/* The arithmetic of spreads: from even numbers to durations. */
#include "check.h"
#include "spread.h"

#include <math.h>

#define PI  3.14159265358979323846
#define Z99 2.3263478740408408 /* the 99th percentile of the standard normal distribution */

/* In (0, 1]: its logarithm is finite. */
static double above_zero(struct rng *rng)
{
    return 1.0 - rng_unit(rng);
}

/* Box and Muller 1958; the second number of the pair is not used, so that every draw takes the same
 * two from the generator. */
static double standard_normal(struct rng *rng)
{
    double radius = sqrt(-2.0 * log(above_zero(rng)));
    return radius * cos(2.0 * PI * rng_unit(rng));
}

/* exp(log(median) + z * sigma), with sigma from the 99th percentile. */
static double lognormal(double median, double p99, struct rng *rng)
{
    double sigma = log(p99 / median) / Z99;
    return median * exp(standard_normal(rng) * sigma);
}

/* The quantile function scale / u^(1/shape); at 1/2 it is the median, at 1/100 p99. */
static double pareto(const double *values, struct rng *rng)
{
    double scale = values[2], shape = values[3];
    if (scale < 0) {
        shape = log(50.0) / log(values[1] / values[0]);
        scale = values[0] / pow(2.0, 1.0 / shape);
    }
    return scale / pow(above_zero(rng), 1.0 / shape);
}

static double ramp(const double *values, double elapsed)
{
    double share = elapsed >= values[2] ? 1.0 : elapsed / values[2];
    return values[0] + (values[1] - values[0]) * share;
}

static double square(const double *values, double elapsed)
{
    double period = values[2];
    double lasts = values[3] < 0 ? period / 2 : values[3];
    return fmod(elapsed, period) < period - lasts ? values[0] : values[1];
}

static double sine(const double *values, double elapsed)
{
    double share = (1.0 - cos(2.0 * PI * fmod(elapsed, values[2]) / values[2])) / 2.0;
    return values[0] + (values[1] - values[0]) * share;
}

static double draw(const struct spread *spread, struct rng *rng, double elapsed)
{
    const double *values = spread->values;
    switch (spread->kind) {
    case SPREAD_UNIFORM:
        return values[0] + (values[1] - values[0]) * rng_unit(rng);
    case SPREAD_NORMAL:
        return values[0] + values[1] * standard_normal(rng);
    case SPREAD_LOGNORMAL:
        return lognormal(values[0], values[1], rng);
    case SPREAD_PARETO:
        return pareto(values, rng);
    case SPREAD_SAMPLES:
        return (double)spread->samples[rng_below(rng, spread->sample_count)];
    case SPREAD_RAMP:
        return ramp(values, elapsed);
    case SPREAD_SQUARE:
        return square(values, elapsed);
    case SPREAD_SINE:
        return sine(values, elapsed);
    case SPREAD_COUNT:
        break;
    }
    CHECK_UNREACHABLE();
}

int64_t spread_draw(const struct spread *spread, struct rng *rng, int64_t elapsed_ms)
{
    CHECK(elapsed_ms >= 0);
    double ms = round(draw(spread, rng, (double)elapsed_ms));
    if (!(ms > 0))
        return 0;
    return ms > (double)SPREAD_MOST_MS ? SPREAD_MOST_MS : (int64_t)ms;
}
