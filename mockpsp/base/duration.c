#include "duration.h"

#include "buf.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct unit {
    const char *name;
    int64_t ms;
} UNITS[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"d", 86400000}};

#define UNIT_COUNT (sizeof UNITS / sizeof UNITS[0])

static const struct unit *unit_named(const char *name)
{
    for (size_t i = 0; i < UNIT_COUNT; i++)
        if (strcmp(UNITS[i].name, name) == 0)
            return &UNITS[i];
    return NULL;
}

/* What people write for them elsewhere: with these letters it begins. */
static const struct {
    const char *begins;
    const char *unit; /* NULL: none of ours */
} MEANT[] = {{"ms", "ms"}, {"mil", "ms"}, {"mon", NULL}, {"m", "m"},
             {"s", "s"},   {"h", "h"},    {"d", "d"}};

static enum err refuse_unit(const char *text, const char *written, struct err_text *why)
{
    struct buf meant = {0};
    for (size_t i = 0; i < sizeof MEANT / sizeof MEANT[0]; i++) {
        if (strncasecmp(written, MEANT[i].begins, strlen(MEANT[i].begins)) != 0)
            continue;
        if (MEANT[i].unit != NULL)
            buf_addf(&meant, " (did you mean %.*s%s?)", (int)(written - text), text, MEANT[i].unit);
        break;
    }
    enum err err = err_say(why, ERR_INVALID, "'%s' needs a unit%s: one of ms, s, m, h, d", text,
                           buf_string(&meant));
    buf_release(&meant);
    return err;
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
        return refuse_unit(text, end, why);
    double value = round(number * (double)unit->ms);
    if (value > (double)DURATION_MOST_MS)
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
