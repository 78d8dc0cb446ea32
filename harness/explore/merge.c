#include "merge.h"

#include "check.h"
#include "command_line.h"
#include "exploration.h"
#include "explore_output.h"
#include "explore_report.h"
#include "log.h"
#include "mem.h"
#include "option_value.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE 2

/* X(constant, short form or 0, long form, value or NULL, what it does) */
#define MERGE_OPTION_LIST(X)                                                                       \
    X(REPORT, 0, "report", "DIR", "write the joined report and the regression files there")        \
    X(COVERAGE, 0, "require-coverage", "PERCENT",                                                  \
      "so much has to be tried; without it, all of the space")                                     \
    X(FORMAT, 0, "format", "NAME", "on stdout: text, json, tap or github (default: text)")         \
    X(HELP, 'h', "help", NULL, "this text")

#define OPTION_ENUM(constant, letter, name, value, does) OPTION_##constant,
enum option { MERGE_OPTION_LIST(OPTION_ENUM) OPTION_COUNT };
#undef OPTION_ENUM

static const struct command_option OPTIONS[] = {
#define OPTION_ROW(constant, letter, name, value, does) {letter, name, value, does},
    MERGE_OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
};

static const struct command_line LINE = {"psp-harness merge", OPTIONS, OPTION_COUNT};

struct merge {
    const char *report; /* borrowed; or NULL */
    int coverage;       /* percent; -1: nobody asks */
    enum report_format format;
    bool help;
    const char **parts; /* PART_COUNT directories, borrowed */
    size_t part_count;
    struct json *setup; /* of the first part, and so of all */
    struct lab *lab;
    struct exploration exploration;
};

static void print_help(void)
{
    struct buf help = {0};
    buf_add_string(&help,
                   "usage: psp-harness merge [OPTION]... DIR...\n\n"
                   "Joins explorations of the same client, seed and depth, each a --report DIR of\n"
                   "psp-harness explore --shard I/N, to what one machine would have found.\n\n");
    command_line_help(&LINE, &help);
    buf_add_string(&help, "\nexit status: as explore has it; 3 when a part is missing\n");
    fputs(buf_string(&help), stdout);
    buf_release(&help);
}

/* --- the command line ------------------------------------------------------------------------ */

static enum err set_value(enum option option, const char *value, struct merge *merge,
                          struct err_text *why)
{
    switch (option) {
    case OPTION_REPORT:
        return option_directory(value, &merge->report, why);
    case OPTION_COVERAGE:
        return option_int(value, 0, 100, &merge->coverage, why);
    case OPTION_FORMAT:
        return report_format_parse(value, &merge->format, why);
    case OPTION_HELP:
        merge->help = true;
        return ERR_OK;
    case OPTION_COUNT:
        break;
    }
    CHECK_UNREACHABLE();
}

static enum err parse(char *const *argv, struct merge *merge, struct err_text *why)
{
    enum err err = ERR_OK;
    for (; *argv != NULL && err == ERR_OK; argv++) {
        int option;
        const char *value;
        struct err_text inner = {0};
        if ((*argv)[0] == '-' && (*argv)[1] != '\0') {
            err = command_line_read(&LINE, &argv, &option, &value, why);
            if (err == ERR_OK && set_value((enum option)option, value, merge, &inner) != ERR_OK)
                err = err_say(why, ERR_INVALID, "--%s: %s", OPTIONS[option].name, inner.text);
            continue;
        }
        merge->parts = mem_resize(merge->parts, merge->part_count + 1, sizeof *merge->parts);
        merge->parts[merge->part_count++] = *argv;
    }
    if (err == ERR_OK && !merge->help && merge->part_count == 0)
        return err_say(why, ERR_INVALID,
                       "nothing to merge: name the --report directories of the shards");
    return err;
}

/* --- the parts ------------------------------------------------------------------------------- */

static enum err read_part(struct merge *merge, const char *directory, struct err_text *why)
{
    struct json *setup;
    char *file = mem_printf("%s/%s", directory, EXPLORE_MEMORY);
    enum err err = lab_recall(merge->lab, file, &setup, why);
    free(file);
    if (err != ERR_OK)
        return err;
    if (merge->setup != NULL && !json_equal(merge->setup, setup))
        err =
            err_say(why, ERR_INVALID,
                    "'%s' and '%s' are parts of different explorations: the client, the seed, the "
                    "depth and the options have to be the same",
                    merge->parts[0], directory);
    if (merge->setup == NULL)
        merge->setup = setup;
    else
        json_free(setup);
    return err;
}

static enum err read_parts(struct merge *merge, struct err_text *why)
{
    const struct lab_options options = {
        .strict = false, /* what was judged was judged by the shards */
    };
    enum err err = lab_open(&options, &merge->lab, why);
    for (size_t i = 0; i < merge->part_count && err == ERR_OK; i++)
        err = read_part(merge, merge->parts[i], why);
    if (err == ERR_OK && merge->report != NULL)
        err = output_prepare(merge->report, why);
    return err;
}

static int finish(struct merge *merge)
{
    const char *options = json_get_string(merge->setup, "options");
    const char *client = json_get_string(merge->setup, "client");
    char *before = mem_printf("psp-harness run%s ", options == NULL ? "" : options);
    struct regression_command command = {before, client == NULL ? "" : client};
    struct explore_report report = {.exploration = &merge->exploration,
                                    .before = command.before,
                                    .after = command.after,
                                    .directory = merge->report,
                                    .required = merge->coverage};
    struct buf why = {0};
    explore_report_judge(&report, &why);
    bool written = merge->report == NULL ||
                   explore_output_findings(&merge->exploration, merge->report, command);
    written = explore_output(&report, merge->format, merge->report != NULL) && written;
    int status = verdict_status(written ? report.verdict : VERDICT_ERROR);
    coverage_release(&report.coverage);
    buf_release(&why);
    free(before);
    return status;
}

static int join(struct merge *merge)
{
    struct err_text why = {0};
    enum err err = read_parts(merge, &why);
    if (err != ERR_OK) {
        log_error("%s", why.text);
        return err == ERR_IO ? verdict_status(VERDICT_ERROR) : USAGE;
    }
    const char *seed = json_get_string(merge->setup, "seed");
    const struct exploration_options options = {
        .space = {.depth = (int)json_get_int(merge->setup, "depth", 1),
                  .orders = (int)json_get_int(merge->setup, "orders", 1),
                  .seed = strtoull(seed == NULL ? "1" : seed, NULL, 10),
                  .shard = 1,
                  .shards = 1,
                  .every = true,
                  .one_process = json_get_bool(merge->setup, "one_process", false)},
        .random = json_get_bool(merge->setup, "random", false)};
    exploration_run(&merge->exploration, merge->lab, &options);
    return finish(merge);
}

int merge_command(char *const *argv)
{
    struct merge merge = {.coverage = -1};
    struct err_text why = {0};
    int status = USAGE;
    if (parse(argv, &merge, &why) != ERR_OK) {
        log_error("%s", why.text);
    } else if (merge.help) {
        print_help();
        status = 0;
    } else {
        status = join(&merge);
    }
    exploration_release(&merge.exploration);
    lab_close(merge.lab);
    json_free(merge.setup);
    free(merge.parts);
    return status;
}
