#include "bandwidth.h"

#include "nearest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct unit {
    const char *name;
    int64_t bytes;
} UNITS[] = {{"B/s", 1}, {"kB/s", 1000}, {"MB/s", 1000000}};

#define UNIT_COUNT (sizeof UNITS / sizeof UNITS[0])

static const struct unit *unit_named(const char *name)
{
    for (size_t i = 0; i < UNIT_COUNT; i++)
        if (strcmp(UNITS[i].name, name) == 0)
            return &UNITS[i];
    return NULL;
}

static enum err refuse_unit(const char *text, const char *written, struct err_text *why)
{
    const char *names[UNIT_COUNT + 1] = {0};
    for (size_t i = 0; i < UNIT_COUNT; i++)
        names[i] = UNITS[i].name;
    return err_say(why, ERR_INVALID, "'%s' needs a unit%s: one of B/s, kB/s, MB/s", text,
                   nearest_hint(written, names).text);
}

enum err bandwidth_parse(const char *text, int64_t *bytes, struct err_text *why)
{
    size_t digits = strspn(text, "0123456789.");
    char *end = NULL;
    double number = digits == 0 ? -1 : strtod(text, &end);
    if (digits == 0 || end != text + digits)
        return err_say(why, ERR_INVALID, "'%s' is no bandwidth: write \"500B/s\", \"8kB/s\"", text);
    const struct unit *unit = unit_named(end);
    if (unit == NULL)
        return refuse_unit(text, end, why);
    double value = round(number * (double)unit->bytes);
    if (value < 1 || value > (double)BANDWIDTH_MOST)
        return err_say(why, ERR_INVALID, "'%s' is not within 1B/s and 1MB/s", text);
    *bytes = (int64_t)value;
    return ERR_OK;
}

struct bandwidth_text bandwidth_format(int64_t bytes)
{
    struct bandwidth_text out;
    size_t i = UNIT_COUNT - 1;
    while (i > 0 && bytes % UNITS[i].bytes != 0)
        i--;
    snprintf(out.text, sizeof out.text, "%" PRId64 "%s", bytes / UNITS[i].bytes, UNITS[i].name);
    return out;
}
