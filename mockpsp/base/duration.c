#include "duration.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct unit {
    const char *name;
    int64_t ms;
} UNITS[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"d", 86400000}};

#define UNIT_COUNT (sizeof UNITS / sizeof UNITS[0])
#define LONGEST_MS (INT64_C(100) * 366 * 86400000)

static const struct unit *unit_named(const char *name)
{
    for (size_t i = 0; i < UNIT_COUNT; i++)
        if (strcmp(UNITS[i].name, name) == 0)
            return &UNITS[i];
    return NULL;
}

enum err duration_parse(const char *text, int64_t *ms, struct err_text *why)
{
    if (strcmp(text, "0") == 0) {
        *ms = 0;
        return ERR_OK;
    }
    size_t digits = strspn(text, "0123456789.");
    char *end = NULL;
    double number = digits == 0 ? -1 : strtod(text, &end);
    if (digits == 0 || end != text + digits)
        return err_say(why, ERR_INVALID, "'%s' is not a duration: write \"250ms\", \"2s\", \"25h\"",
                       text);
    const struct unit *unit = unit_named(end);
    if (unit == NULL)
        return err_say(why, ERR_INVALID, "'%s' needs a unit: one of ms, s, m, h, d", text);
    double value = round(number * (double)unit->ms);
    if (value > (double)LONGEST_MS)
        return err_say(why, ERR_INVALID, "'%s' is longer than 100 years", text);
    *ms = (int64_t)value;
    return ERR_OK;
}

struct duration_text duration_format(int64_t ms)
{
    struct duration_text out;
    size_t i = UNIT_COUNT - 1;
    while (i > 0 && (ms == 0 || ms % UNITS[i].ms != 0))
        i--;
    snprintf(out.text, sizeof out.text, "%" PRId64 "%s", ms / UNITS[i].ms, UNITS[i].name);
    return out;
}
