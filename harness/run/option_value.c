#include "option_value.h"

#include "duration.h"
#include "json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static enum err parse_number(const char *text, int64_t lowest, int64_t highest, int64_t *number,
                             struct err_text *why)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || *number < lowest || *number > highest)
        return err_say(why, ERR_INVALID, "'%s' is no number from %" PRId64 " to %" PRId64, text,
                       lowest, highest);
    return ERR_OK;
}

enum err option_int(const char *text, int lowest, int highest, int *number, struct err_text *why)
{
    int64_t wide;
    enum err err = parse_number(text, lowest, highest, &wide, why);
    if (err == ERR_OK)
        *number = (int)wide;
    return err;
}

enum err option_seed(const char *text, uint64_t *seed, struct err_text *why)
{
    int64_t number;
    enum err err = parse_number(text, 0, INT64_MAX, &number, why);
    if (err == ERR_OK)
        *seed = (uint64_t)number;
    return err;
}

enum err option_time(const char *text, int64_t *ms, struct err_text *why)
{
    int64_t read = 0;
    enum err err = duration_parse(text, &read, why);
    if (err == ERR_OK && read == 0)
        return err_say(why, ERR_INVALID, "it has to be longer than that");
    if (err == ERR_OK)
        *ms = read;
    return err;
}

enum err option_dialect(const char *text, struct dialect *dialect, bool *has, struct err_text *why)
{
    struct json *name = json_string(text);
    enum err err = dialect_from_json(name, dialect, why);
    *has = err == ERR_OK;
    json_free(name);
    return err;
}

enum err option_directory(const char *text, const char **directory, struct err_text *why)
{
    if (*text == '\0')
        return err_say(why, ERR_INVALID, "'' is no directory");
    *directory = text;
    return ERR_OK;
}
