#include "spread.h"

#include "check.h"
#include "duration.h"
#include "mem.h"
#include "nearest.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const char *what;
} SPREADS[] = {
#define SPREAD_ROW(name, constant, what) {#name, what},
    SPREAD_LIST(SPREAD_ROW)
#undef SPREAD_ROW
};

/* The names of the values in struct spread, in their order. */
static const struct spread_option OPTIONS[SPREAD_COUNT][SPREAD_MOST_OPTIONS] = {
    [SPREAD_UNIFORM] = {{"low", SPREAD_DURATION, "the least", NULL},
                        {"high", SPREAD_DURATION, "the most", NULL}},
    [SPREAD_NORMAL] = {{"mean", SPREAD_DURATION, "the middle", NULL},
                       {"deviation", SPREAD_DURATION, "the standard deviation", NULL}},
    [SPREAD_LOGNORMAL] = {{"median", SPREAD_DURATION, "half of all are longer", NULL},
                          {"p99", SPREAD_DURATION, "one in 100 is longer", NULL}},
    [SPREAD_PARETO] = {{"median", SPREAD_DURATION, "half of all are longer", "see scale"},
                       {"p99", SPREAD_DURATION, "one in 100 is longer", "see shape"},
                       {"scale", SPREAD_DURATION, "the least", "from median and p99"},
                       {"shape", SPREAD_NUMBER, "the tail is long for 1, short for 10",
                        "from median and p99"}},
    [SPREAD_SAMPLES] = {{"of", SPREAD_DURATIONS, "a list of durations", NULL}},
    [SPREAD_RAMP] = {{"from", SPREAD_DURATION, "at first", NULL},
                     {"to", SPREAD_DURATION, "in the end", NULL},
                     {"over", SPREAD_DURATION, "how long that takes", NULL}},
    [SPREAD_SQUARE] = {{"low", SPREAD_DURATION, "for the beginning of a period", NULL},
                       {"high", SPREAD_DURATION, "for the end of a period", NULL},
                       {"period", SPREAD_DURATION, "from one beginning to the next", NULL},
                       {"lasts", SPREAD_DURATION, "how long it is high", "half a period"}},
    [SPREAD_SINE] = {{"low", SPREAD_DURATION, "at first, and after each period", NULL},
                     {"high", SPREAD_DURATION, "after half a period", NULL},
                     {"period", SPREAD_DURATION, "from one low to the next", NULL}},
};

const char *spread_name(enum spread_kind kind)
{
    CHECK((unsigned)kind < SPREAD_COUNT);
    return SPREADS[kind].name;
}

const char *spread_what(enum spread_kind kind)
{
    CHECK((unsigned)kind < SPREAD_COUNT);
    return SPREADS[kind].what;
}

const struct spread_option *spread_option(enum spread_kind kind, int number)
{
    CHECK((unsigned)kind < SPREAD_COUNT && number >= 0);
    if (number >= SPREAD_MOST_OPTIONS || OPTIONS[kind][number].name == NULL)
        return NULL;
    return &OPTIONS[kind][number];
}

/* --- reading --------------------------------------------------------------------------------- */

static enum err read_kind(const struct json *json, struct spread *spread, struct err_text *why)
{
    const char *names[SPREAD_COUNT + 1] = {0};
    const char *name = json_get_string(json, "spread");
    struct buf known = {0};
    for (int i = 0; i < SPREAD_COUNT; i++) {
        names[i] = SPREADS[i].name;
        buf_addf(&known, "%s%s", i == 0 ? "" : ", ", names[i]);
        if (name != NULL && strcmp(name, names[i]) == 0) {
            spread->kind = (enum spread_kind)i;
            buf_release(&known);
            return ERR_OK;
        }
    }
    enum err err = err_say(why, ERR_INVALID, "'%s' is no spread of durations%s: one of %s",
                           name == NULL ? "(none)" : name,
                           name == NULL ? "" : nearest_hint(name, names).text, buf_string(&known));
    buf_release(&known);
    return err;
}

static enum err read_duration(const char *of, const char *option, const struct json *json,
                              int64_t *ms, struct err_text *why)
{
    const char *text = json_as_string(json);
    struct err_text inner = {0};
    if (text != NULL && duration_parse(text, ms, &inner) != ERR_OK)
        return err_say(why, ERR_INVALID, "%s of %s: %s", option, of, inner.text);
    if (text == NULL && (!json_as_int(json, ms) || *ms < 0))
        return err_say(why, ERR_INVALID, "%s of %s is text such as \"250ms\" or \"2s\"", option,
                       of);
    if (*ms > SPREAD_MOST_MS)
        return err_say(why, ERR_INVALID, "%s of %s is at most 1h, as is all that is drawn", option,
                       of);
    return ERR_OK;
}

static enum err read_samples(struct spread *spread, const struct json *json, struct err_text *why)
{
    const char *of = SPREADS[spread->kind].name;
    size_t count = json_is_array(json) ? json_count(json) : 0;
    if (count == 0 || count > SPREAD_MOST_SAMPLES)
        return err_say(why, ERR_INVALID,
                       "%s takes a list of 1 to %d durations: %s {\"5ms\", \"5ms\", \"900ms\"}", of,
                       SPREAD_MOST_SAMPLES, of);
    free(spread->samples); /* JSON may say it twice */
    spread->samples = mem_alloc(count * sizeof *spread->samples);
    spread->sample_count = 0;
    for (const struct json *one = json_first(json); one != NULL; one = json_next(one)) {
        enum err err = read_duration(of, "one", one, &spread->samples[spread->sample_count++], why);
        if (err != ERR_OK)
            return err;
    }
    return ERR_OK;
}

static enum err read_value(struct spread *spread, int number, const struct json *json,
                           struct err_text *why)
{
    const struct spread_option *option = &OPTIONS[spread->kind][number];
    const char *of = SPREADS[spread->kind].name;
    int64_t ms = 0;
    if (option->type == SPREAD_DURATIONS)
        return read_samples(spread, json, why);
    if (option->type == SPREAD_NUMBER) {
        if (!json_as_double(json, &spread->values[number]) || !(spread->values[number] > 0))
            return err_say(why, ERR_INVALID, "%s of %s is a number above 0", option->name, of);
        return ERR_OK;
    }
    enum err err = read_duration(of, option->name, json, &ms, why);
    spread->values[number] = (double)ms;
    return err;
}

static enum err refuse_option(const struct spread *spread, const char *name, struct err_text *why)
{
    const char *names[SPREAD_MOST_OPTIONS + 1] = {0};
    struct buf known = {0};
    for (int i = 0; spread_option(spread->kind, i) != NULL; i++) {
        names[i] = OPTIONS[spread->kind][i].name;
        buf_addf(&known, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    enum err err =
        err_say(why, ERR_INVALID, "%s has no option '%s'%s: it has %s", SPREADS[spread->kind].name,
                name, nearest_hint(name, names).text, buf_string(&known));
    buf_release(&known);
    return err;
}

static enum err read_member(struct spread *spread, const struct json *member, struct err_text *why)
{
    const char *name = json_name(member);
    if (strcmp(name, "spread") == 0 || strcmp(name, "line") == 0)
        return ERR_OK;
    for (int i = 0; spread_option(spread->kind, i) != NULL; i++)
        if (strcmp(OPTIONS[spread->kind][i].name, name) == 0)
            return read_value(spread, i, member, why);
    return refuse_option(spread, name, why);
}

/* --- what makes no sense --------------------------------------------------------------------- */

static enum err check_given(const struct spread *spread, struct err_text *why)
{
    for (int i = 0; spread_option(spread->kind, i) != NULL; i++) {
        const struct spread_option *option = &OPTIONS[spread->kind][i];
        bool given =
            option->type == SPREAD_DURATIONS ? spread->samples != NULL : spread->values[i] >= 0;
        if (!given && option->left_out == NULL)
            return err_say(why, ERR_INVALID, "%s needs %s: %s", SPREADS[spread->kind].name,
                           option->name, option->does);
    }
    return ERR_OK;
}

/* That LESS is below MORE, both by number; equal would be a plain duration. */
static enum err check_below(const struct spread *spread, int less, int more, struct err_text *why)
{
    const struct spread_option *options = OPTIONS[spread->kind];
    if (spread->values[less] < spread->values[more])
        return ERR_OK;
    return err_say(why, ERR_INVALID, "%s: %s (%s) has to be above %s (%s)",
                   SPREADS[spread->kind].name, options[more].name,
                   duration_format((int64_t)spread->values[more]).text, options[less].name,
                   duration_format((int64_t)spread->values[less]).text);
}

static enum err check_above_zero(const struct spread *spread, int number, struct err_text *why)
{
    if (spread->values[number] > 0)
        return ERR_OK;
    return err_say(why, ERR_INVALID, "%s: %s has to be above 0", SPREADS[spread->kind].name,
                   OPTIONS[spread->kind][number].name);
}

/* By its median and p99, or by its scale and shape. */
static enum err check_pareto(const struct spread *spread, struct err_text *why)
{
    const double *values = spread->values;
    bool by_quantiles = values[0] >= 0 && values[1] >= 0 && values[2] < 0 && values[3] < 0;
    bool by_shape = values[0] < 0 && values[1] < 0 && values[2] >= 0 && values[3] >= 0;
    if (!by_quantiles && !by_shape)
        return err_say(why, ERR_INVALID,
                       "pareto takes median and p99, or scale and shape: "
                       "pareto {median = \"80ms\", p99 = \"2s\"}");
    enum err err = check_above_zero(spread, by_quantiles ? 0 : 2, why);
    return err == ERR_OK && by_quantiles ? check_below(spread, 0, 1, why) : err;
}

/* Low, high and period. */
static enum err check_wave(const struct spread *spread, struct err_text *why)
{
    enum err err = check_above_zero(spread, 2, why);
    return err == ERR_OK ? check_below(spread, 0, 1, why) : err;
}

static enum err check_square(const struct spread *spread, struct err_text *why)
{
    enum err err = check_wave(spread, why);
    if (err == ERR_OK && spread->values[3] >= 0 && spread->values[3] >= spread->values[2])
        err = err_say(why, ERR_INVALID, "square: lasts has to be below period, or it is never low");
    return err;
}

static enum err check(const struct spread *spread, struct err_text *why)
{
    enum err err = check_given(spread, why);
    if (err != ERR_OK)
        return err;
    switch (spread->kind) {
    case SPREAD_UNIFORM:
        return check_below(spread, 0, 1, why);
    case SPREAD_NORMAL:
        return check_above_zero(spread, 1, why);
    case SPREAD_LOGNORMAL:
        err = check_above_zero(spread, 0, why);
        return err == ERR_OK ? check_below(spread, 0, 1, why) : err;
    case SPREAD_PARETO:
        return check_pareto(spread, why);
    case SPREAD_RAMP:
        return check_above_zero(spread, 2, why);
    case SPREAD_SINE:
        return check_wave(spread, why);
    case SPREAD_SQUARE:
        return check_square(spread, why);
    case SPREAD_SAMPLES:
    case SPREAD_COUNT:
        break;
    }
    return ERR_OK;
}

enum err spread_from_json(const struct json *json, struct spread **spread, struct err_text *why)
{
    struct spread *read = mem_alloc(sizeof *read);
    for (int i = 0; i < SPREAD_MOST_OPTIONS; i++)
        read->values[i] = -1;
    enum err err = read_kind(json, read, why);
    for (const struct json *member = json_first(json); member != NULL && err == ERR_OK;
         member = json_next(member))
        err = read_member(read, member, why);
    if (err == ERR_OK)
        err = check(read, why);
    if (err != ERR_OK) {
        spread_free(read);
        read = NULL;
    }
    *spread = read;
    return err;
}

/* --- writing --------------------------------------------------------------------------------- */

static struct json *write_samples(const struct spread *spread)
{
    struct json *list = json_array();
    for (size_t i = 0; i < spread->sample_count; i++)
        json_push(list, json_int(spread->samples[i]));
    return list;
}

struct json *spread_to_json(const struct spread *spread)
{
    struct json *json = json_object();
    json_set_string(json, "spread", SPREADS[spread->kind].name);
    for (int i = 0; spread_option(spread->kind, i) != NULL; i++) {
        const struct spread_option *option = &OPTIONS[spread->kind][i];
        double value = spread->values[i];
        if (option->type == SPREAD_DURATIONS)
            json_set(json, option->name, write_samples(spread));
        else if (value >= 0)
            json_set(json, option->name,
                     option->type == SPREAD_NUMBER ? json_double(value) : json_int((int64_t)value));
    }
    return json;
}

void spread_describe(const struct spread *spread, struct buf *out)
{
    buf_add_string(out, SPREADS[spread->kind].name);
    if (spread->kind == SPREAD_SAMPLES) {
        buf_addf(out, " of %zu", spread->sample_count);
        return;
    }
    for (int i = 0; spread_option(spread->kind, i) != NULL; i++) {
        const struct spread_option *option = &OPTIONS[spread->kind][i];
        double value = spread->values[i];
        if (value < 0)
            continue;
        buf_addf(out, " %s ", option->name);
        if (option->type == SPREAD_NUMBER)
            buf_addf(out, "%g", value);
        else
            buf_add_string(out, duration_format((int64_t)value).text);
    }
}

struct spread *spread_copy(const struct spread *spread)
{
    if (spread == NULL)
        return NULL;
    struct spread *copy = mem_alloc(sizeof *copy);
    *copy = *spread;
    if (spread->samples != NULL) {
        copy->samples = mem_alloc(spread->sample_count * sizeof *copy->samples);
        memcpy(copy->samples, spread->samples, spread->sample_count * sizeof *copy->samples);
    }
    return copy;
}

void spread_free(struct spread *spread)
{
    if (spread == NULL)
        return;
    free(spread->samples);
    free(spread);
}
