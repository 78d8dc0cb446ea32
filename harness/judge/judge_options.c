#include "judge_options.h"

#include "mem.h"
#include "nearest.h"

#include <stdlib.h>
#include <string.h>

#define OPTION_ENUM(name, value, does) OPTION_##name,
enum option { JUDGE_OPTION_LIST(OPTION_ENUM) OPTION_COUNT };
#undef OPTION_ENUM

static const struct {
    const char *name;
    const char *value;
    const char *does;
} OPTIONS[] = {
#define OPTION_ROW(name, value, does) {#name, value, does},
    JUDGE_OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
};

/* api_key is written --api-key. */
static char *long_name(int option)
{
    char *name = mem_strdup(OPTIONS[option].name);
    for (char *letter = name; *letter != '\0'; letter++)
        if (*letter == '_')
            *letter = '-';
    return name;
}

static enum err find(const char *word, size_t length, enum option *option, struct err_text *why)
{
    char *names[OPTION_COUNT + 1] = {0};
    const char *known[OPTION_COUNT + 1] = {0};
    char *wanted = mem_strndup(word, length);
    enum err err = ERR_NOT_FOUND;
    for (int i = 0; i < OPTION_COUNT; i++) {
        known[i] = names[i] = long_name(i);
        if (strcmp(names[i], wanted) != 0)
            continue;
        *option = (enum option)i;
        err = ERR_OK;
    }
    if (err != ERR_OK)
        err =
            err_say(why, ERR_INVALID, "judge has no option '--%s'%s (see psp-harness judge --help)",
                    wanted, nearest_hint(wanted, known).text);
    for (int i = 0; i < OPTION_COUNT; i++)
        free(names[i]);
    free(wanted);
    return err;
}

static enum err set(enum option option, const char *value, struct judge_options *options,
                    struct err_text *why)
{
    switch (option) {
    case OPTION_claims:
        options->claims = value;
        break;
    case OPTION_api_key:
        options->api_key = value;
        break;
    case OPTION_token:
        options->token = value;
        break;
    case OPTION_calm:
        options->rules.calm = true;
        break;
    case OPTION_strict:
        options->rules.strict = true;
        break;
    case OPTION_format:
        return report_format_parse(value, &options->format, why);
    case OPTION_report:
        options->report = value;
        break;
    case OPTION_help:
    case OPTION_COUNT:
        options->help = true;
        break;
    }
    return ERR_OK;
}

/* Reads the option at *ARGV, and moves on over its value when that is a word of its own. */
static enum err parse_option(char *const **argv, struct judge_options *options,
                             struct err_text *why)
{
    enum option option = OPTION_help;
    const char *name = **argv + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    enum err err = find(name, length, &option, why);
    if (err != ERR_OK)
        return err;
    if (OPTIONS[option].value == NULL && value != NULL)
        return err_say(why, ERR_INVALID, "--%.*s takes no value", (int)length, name);
    if (OPTIONS[option].value != NULL && value == NULL) {
        value = (*argv)[1];
        if (value == NULL)
            return err_say(why, ERR_INVALID, "--%.*s needs a value: --%.*s %s", (int)length, name,
                           (int)length, name, OPTIONS[option].value);
        (*argv)++;
    }
    return set(option, value, options, why);
}

static enum err check(const struct judge_options *options, struct err_text *why)
{
    if (options->help)
        return ERR_OK;
    if (options->source == NULL)
        return err_say(why, ERR_INVALID,
                       "no journal: name a file, or the URL of a mockpsp, as in "
                       "psp-harness judge http://127.0.0.1:12111");
    if (options->claims != NULL && strcmp(options->claims, "-") == 0 &&
        strcmp(options->source, "-") == 0)
        return err_say(why, ERR_INVALID, "journal and claims cannot both come from stdin");
    return ERR_OK;
}

enum err judge_options_parse(char *const *argv, struct judge_options *options, struct err_text *why)
{
    *options = (struct judge_options){0};
    for (; *argv != NULL; argv++) {
        if (strncmp(*argv, "--", 2) == 0 && (*argv)[2] != '\0') {
            enum err err = parse_option(&argv, options, why);
            if (err != ERR_OK)
                return err;
        } else if (strcmp(*argv, "-h") == 0) {
            options->help = true;
        } else if (options->source != NULL) {
            return err_say(why, ERR_INVALID, "one journal at a time: '%s' is another", *argv);
        } else {
            options->source = *argv;
        }
    }
    return check(options, why);
}

void judge_options_help(struct buf *out)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        char *name = long_name(i);
        char *left = mem_printf("--%s%s%s", name, OPTIONS[i].value == NULL ? "" : " ",
                                OPTIONS[i].value == NULL ? "" : OPTIONS[i].value);
        buf_addf(out, "  %-18s %s\n", left, OPTIONS[i].does);
        free(left);
        free(name);
    }
}
