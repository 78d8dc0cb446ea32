#include "run_options.h"

#include "check.h"
#include "command_line.h"
#include "duration.h"
#include "mem.h"
#include "option_value.h"
#include "order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OPTION_ENUM(constant, letter, name, value, does) OPTION_##constant,
enum option { RUN_OPTION_LIST(OPTION_ENUM) OPTION_COUNT };
#undef OPTION_ENUM

static const struct command_option OPTIONS[] = {
#define OPTION_ROW(constant, letter, name, value, does) {letter, name, value, does},
    RUN_OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
};

static const struct command_line LINE = {"psp-harness run", OPTIONS, OPTION_COUNT};

/* --- values ---------------------------------------------------------------------------------- */

static enum err parse_dialect(const char *text, struct run_options *options, struct err_text *why)
{
    options->every_dialect = strcmp(text, "every") == 0;
    if (options->every_dialect)
        return ERR_OK;
    return option_dialect(text, &options->dialect, &options->has_dialect, why);
}

static enum err set_value(enum option option, const char *value, struct run_options *options,
                          struct err_text *why)
{
    switch (option) {
    case OPTION_CLIENT:
        options->client = value;
        return ERR_OK;
    case OPTION_JOBS:
        return option_int(value, 1, 256, &options->jobs, why);
    case OPTION_SEED:
        return option_seed(value, &options->seed, why);
    case OPTION_ORDERS:
        return option_int(value, 1, ORDERS_MOST, &options->orders, why);
    case OPTION_DIALECT:
        return parse_dialect(value, options, why);
    case OPTION_RESTARTS:
        return option_int(value, 0, 1000, &options->restarts, why);
    case OPTION_TIMEOUT:
        return option_time(value, &options->timeout_ms, why);
    case OPTION_FORMAT:
        return report_format_parse(value, &options->format, why);
    case OPTION_STRICT:
        options->strict = true;
        return ERR_OK;
    case OPTION_HISTORY:
        return option_directory(value, &options->history, why);
    case OPTION_REPORT:
        return option_directory(value, &options->report, why);
    case OPTION_KEEP:
        options->keep = true;
        return ERR_OK;
    case OPTION_HELP:
        options->help = true;
        return ERR_OK;
    case OPTION_COUNT:
        break;
    }
    CHECK_UNREACHABLE();
}

/* --- words ----------------------------------------------------------------------------------- */

/* Reads the option at *ARGV, and moves on over its value when that is a word of its own. */
static enum err parse_option(char *const **argv, struct run_options *options, struct err_text *why)
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

enum err run_options_parse(char *const *argv, struct run_options *options, struct err_text *why)
{
    *options = (struct run_options){.seed = RUN_DEFAULT_SEED,
                                    .restarts = RUN_DEFAULT_RESTARTS,
                                    .timeout_ms = RUN_DEFAULT_TIMEOUT};
    for (; *argv != NULL; argv++) {
        if (strcmp(*argv, "--") == 0) {
            options->command = argv + 1;
            return ERR_OK;
        }
        if ((*argv)[0] == '-' && (*argv)[1] != '\0') {
            enum err err = parse_option(&argv, options, why);
            if (err != ERR_OK)
                return err;
        } else {
            options->paths =
                mem_resize(options->paths, (size_t)options->path_count + 1, sizeof *options->paths);
            options->paths[options->path_count++] = *argv;
        }
    }
    return ERR_OK;
}

void run_options_release(struct run_options *options)
{
    free(options->paths);
    *options = (struct run_options){0};
}

void run_options_describe(const struct run_options *options, struct buf *out)
{
    buf_addf(out, " --seed %" PRIu64, options->seed);
    if (options->orders != 0)
        buf_addf(out, " --orders %d", options->orders);
    if (options->has_dialect)
        buf_addf(out, " --dialect %s", options->dialect.name.text);
    if (options->strict)
        buf_add_string(out, " --strict");
    if (options->restarts != RUN_DEFAULT_RESTARTS)
        buf_addf(out, " --restarts %d", options->restarts);
    if (options->timeout_ms != RUN_DEFAULT_TIMEOUT)
        buf_addf(out, " --timeout %s", duration_format(options->timeout_ms).text);
}

void run_options_help(struct buf *out)
{
    command_line_help(&LINE, out);
}
