#include "explore_options.h"

#include "check.h"
#include "command_line.h"
#include "duration.h"
#include "option_value.h"
#include "order.h"
#include "shard.h"
#include "space.h"

#include <inttypes.h>
#include <string.h>

#define OPTION_ENUM(constant, letter, name, value, does) OPTION_##constant,
enum option { EXPLORE_OPTION_LIST(OPTION_ENUM) OPTION_COUNT };
#undef OPTION_ENUM

static const struct command_option OPTIONS[] = {
#define OPTION_ROW(constant, letter, name, value, does) {letter, name, value, does},
    EXPLORE_OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
};

static const struct command_line LINE = {"psp-harness explore", OPTIONS, OPTION_COUNT};

static enum err parse_report(const char *text, bool resume, struct explore_options *options,
                             struct err_text *why)
{
    if (options->report != NULL && strcmp(options->report, text) != 0)
        return err_say(why, ERR_INVALID,
                       "--report and --resume name two directories: one is enough");
    options->resume = options->resume || resume;
    return option_directory(text, &options->report, why);
}

static enum err set_value(enum option option, const char *value, struct explore_options *options,
                          struct err_text *why)
{
    switch (option) {
    case OPTION_CLIENT:
        options->client = value;
        return ERR_OK;
    case OPTION_DEPTH:
        return option_int(value, 1, SPACE_DEEPEST, &options->depth, why);
    case OPTION_BUDGET:
        return option_time(value, &options->budget_ms, why);
    case OPTION_MAX:
        return option_int(value, 1, INT32_MAX, &options->most, why);
    case OPTION_RANDOM:
        options->random = true;
        return ERR_OK;
    case OPTION_JOBS:
        return option_int(value, 1, 256, &options->jobs, why);
    case OPTION_SEED:
        return option_seed(value, &options->seed, why);
    case OPTION_ORDERS:
        return option_int(value, 1, ORDERS_MOST, &options->orders, why);
    case OPTION_DIALECT:
        return option_dialect(value, &options->dialect, &options->has_dialect, why);
    case OPTION_RESTARTS:
        return option_int(value, 0, 1000, &options->restarts, why);
    case OPTION_TIMEOUT:
        return option_time(value, &options->timeout_ms, why);
    case OPTION_STRICT:
        options->strict = true;
        return ERR_OK;
    case OPTION_SHARD:
        return shard_parse(value, &options->shard, &options->shards, why);
    case OPTION_REPORT:
        return parse_report(value, false, options, why);
    case OPTION_RESUME:
        return parse_report(value, true, options, why);
    case OPTION_COVERAGE:
        return option_int(value, 0, 100, &options->coverage, why);
    case OPTION_FORMAT:
        return report_format_parse(value, &options->format, why);
    case OPTION_HELP:
        options->help = true;
        return ERR_OK;
    case OPTION_COUNT:
        break;
    }
    CHECK_UNREACHABLE();
}

static enum err parse_option(char *const **argv, struct explore_options *options,
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

/* What can be said only when all of it was read. */
static enum err complete(struct explore_options *options, struct err_text *why)
{
    if (options->help)
        return ERR_OK;
    if (options->random && options->budget_ms == 0 && options->most == 0)
        return err_say(why, ERR_INVALID, "--random has no end: say --budget 60s, or --max 1000");
    if (options->shards == 0)
        return shard_from_environment(&options->shard, &options->shards, why);
    return ERR_OK;
}

enum err explore_options_parse(char *const *argv, struct explore_options *options,
                               struct err_text *why)
{
    *options = (struct explore_options){
        .depth = 2, .seed = 1, .orders = 1, .restarts = 5, .timeout_ms = 30000, .coverage = -1};
    for (; *argv != NULL; argv++) {
        if (strcmp(*argv, "--") == 0) {
            options->command = argv + 1;
            break;
        }
        if ((*argv)[0] != '-' || (*argv)[1] == '\0')
            return err_say(why, ERR_INVALID,
                           "'%s' is no option: explore makes its schedules by itself (run plays "
                           "scenarios), and the client's command is written after --",
                           *argv);
        enum err err = parse_option(&argv, options, why);
        if (err != ERR_OK)
            return err;
    }
    return complete(options, why);
}

void explore_options_describe(const struct explore_options *options, struct buf *out)
{
    buf_addf(out, " --seed %" PRIu64, options->seed);
    if (options->has_dialect)
        buf_addf(out, " --dialect %s", options->dialect.name.text);
    if (options->strict)
        buf_add_string(out, " --strict");
    if (options->restarts != 5)
        buf_addf(out, " --restarts %d", options->restarts);
    if (options->timeout_ms != 30000)
        buf_addf(out, " --timeout %s", duration_format(options->timeout_ms).text);
}

void explore_options_help(struct buf *out)
{
    command_line_help(&LINE, out);
}
