#include "selftest_options.h"

#include "check.h"
#include "command_line.h"
#include "mem.h"
#include "nearest.h"
#include "option_value.h"
#include "space.h"

#include <stdlib.h>
#include <string.h>

#define OPTION_ENUM(constant, letter, name, value, does) OPTION_##constant,
enum option { SELFTEST_OPTION_LIST(OPTION_ENUM) OPTION_COUNT };
#undef OPTION_ENUM

static const struct command_option OPTIONS[] = {
#define OPTION_ROW(constant, letter, name, value, does) {letter, name, value, does},
    SELFTEST_OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
};

static const struct command_line LINE = {"psp-harness selftest", OPTIONS, OPTION_COUNT};

static enum err parse_without(const char *text, struct selftest_options *options,
                              struct err_text *why)
{
    const char *names[INVARIANT_COUNT + 1] = {0};
    for (int i = 0; i < INVARIANT_COUNT; i++)
        names[i] = invariant_name((enum invariant)i);
    options->is_without = invariant_parse(text, &options->without);
    if (options->is_without)
        return ERR_OK;
    return err_say(why, ERR_INVALID, "there is no invariant '%s'%s: psp-harness list names them",
                   text, nearest_hint(text, names).text);
}

static enum err parse_format(const char *text, bool *json, struct err_text *why)
{
    *json = strcmp(text, "json") == 0;
    if (*json || strcmp(text, "text") == 0)
        return ERR_OK;
    return err_say(why, ERR_INVALID, "'%s' is none of text, json", text);
}

static enum err set_value(enum option option, const char *value, struct selftest_options *options,
                          struct err_text *why)
{
    switch (option) {
    case OPTION_ALL:
        options->all = true;
        return ERR_OK;
    case OPTION_WITHOUT:
        return parse_without(value, options, why);
    case OPTION_CLIENTS:
        options->clients = value;
        return ERR_OK;
    case OPTION_DEPTH:
        return option_int(value, 1, SPACE_DEEPEST, &options->depth, why);
    case OPTION_BUDGET:
        return option_time(value, &options->budget_ms, why);
    case OPTION_JOBS:
        return option_int(value, 1, 256, &options->jobs, why);
    case OPTION_SEED:
        return option_seed(value, &options->seed, why);
    case OPTION_LIST:
        options->list = true;
        return ERR_OK;
    case OPTION_FORMAT:
        return parse_format(value, &options->json, why);
    case OPTION_HELP:
        options->help = true;
        return ERR_OK;
    case OPTION_COUNT:
        break;
    }
    CHECK_UNREACHABLE();
}

static enum err parse_option(char *const **argv, struct selftest_options *options,
                             struct err_text *why)
{
    int option;
    const char *value;
    struct err_text inner = {0};
    enum err err = command_line_read(&LINE, argv, &option, &value, why);
    if (err != ERR_OK)
        return err;
    err = set_value((enum option)option, value, options, &inner);
    return err == ERR_OK ? ERR_OK : err_say(why, err, "--%s: %s", OPTIONS[option].name, inner.text);
}

enum err selftest_options_parse(char *const *argv, struct selftest_options *options,
                                struct err_text *why)
{
    *options = (struct selftest_options){.depth = 1, .budget_ms = 60000, .seed = 1};
    for (; *argv != NULL; argv++) {
        if ((*argv)[0] == '-' && (*argv)[1] != '\0') {
            enum err err = parse_option(&argv, options, why);
            if (err != ERR_OK)
                return err;
            continue;
        }
        options->words =
            mem_resize(options->words, (size_t)options->word_count + 1, sizeof *options->words);
        options->words[options->word_count++] = *argv;
    }
    return ERR_OK;
}

void selftest_options_release(struct selftest_options *options)
{
    free(options->words);
    *options = (struct selftest_options){0};
}

void selftest_options_help(struct buf *out)
{
    command_line_help(&LINE, out);
}
