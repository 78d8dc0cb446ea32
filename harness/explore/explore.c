#include "explore.h"

#include "box.h"
#include "clock.h"
#include "descriptors.h"
#include "exploration.h"
#include "explore_options.h"
#include "explore_output.h"
#include "explore_report.h"
#include "log.h"
#include "mem.h"
#include "output.h"
#include "progress.h"
#include "quote.h"
#include "run_client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define USAGE 2

/* For a world alone, and for the parent with so many of them. */
#define DESCRIPTORS         64
#define DESCRIPTORS_A_WORLD 2
#define WORLDS_A_CORE       2 /* worlds wait most of their time */

struct explore {
    const char *program;
    struct explore_options options;
    struct run_client client;
    struct lab *lab;
    struct exploration exploration;
    struct progress progress;
    char *before; /* of a command that plays a file, and what comes after it */
    char *after;
    int64_t deadline_us;
};

static void print_help(void)
{
    struct buf help = {0};
    buf_add_string(
        &help,
        "usage: psp-harness explore [OPTION]... -- CLIENT [ARG]...\n"
        "       psp-harness explore [OPTION]... --client FILE.lua\n\n"
        "Tries every schedule of faults and crashes that can strike CLIENT, up to --depth of\n"
        "them in one run, and says that nothing in this space breaks it, or what does: the\n"
        "shortest scenario of each distinct cause, as a file r_INVARIANT_HASH.lua for\n"
        "psp-harness run. CLIENT is called as run calls it (run --help).\n\n");
    explore_options_help(&help);
    buf_add_string(
        &help,
        "\nA shard is also read from CI_NODE_INDEX and CI_NODE_TOTAL, CIRCLE_NODE_INDEX and\n"
        "CIRCLE_NODE_TOTAL, BUILDKITE_PARALLEL_JOB and BUILDKITE_PARALLEL_JOB_COUNT, or\n"
        "JOB_COMPLETION_INDEX and JOB_COMPLETIONS; psp-harness merge joins their reports.\n"
        "\nexit status: 0 nothing in the space breaks it, 1 something does, 2 usage, 3 not all of\n"
        "it was tried or could be judged, 4 the harness itself failed\n");
    fputs(buf_string(&help), stdout);
    buf_release(&help);
}

/* --- what it is called with ------------------------------------------------------------------ */

static bool is_batch(const struct explore *explore)
{
    const struct client_file *read = explore->client.read;
    return read != NULL && client_file_plan(read)->shape == CLIENT_BATCH;
}

/* What a trial depends on, beside its plan. */
static struct json *setup(const struct explore *explore)
{
    struct json *json = json_object();
    struct buf text = {0};
    run_client_describe(&explore->client, &text);
    json_set_string(json, "version", MOCKPSP_VERSION);
    json_set_string(json, "client", buf_string(&text));
    buf_clear(&text);
    explore_options_describe(&explore->options, &text);
    json_set_string(json, "options", buf_string(&text));
    buf_clear(&text);
    buf_addf(&text, "%" PRIu64, explore->options.seed); /* may have more digits than JSON keeps */
    json_set_string(json, "seed", buf_string(&text));
    json_set_int(json, "depth", explore->options.depth);
    json_set_int(json, "orders", explore->options.orders);
    json_set_bool(json, "random", explore->options.random);
    json_set_bool(json, "strict", explore->options.strict);
    json_set_bool(json, "one_process", is_batch(explore));
    buf_release(&text);
    return json;
}

static char *again(const struct explore *explore)
{
    const struct explore_options *options = &explore->options;
    struct buf text = {0};
    quote_word(&text, explore->program);
    buf_addf(&text, " explore --depth %d", options->depth);
    explore_options_describe(options, &text);
    if (options->orders != 1)
        buf_addf(&text, " --orders %d", options->orders);
    if (options->random)
        buf_addf(&text, " --random --max %zu", lab_played(explore->lab));
    if (options->shards > 1)
        buf_addf(&text, " --shard %d/%d", options->shard, options->shards);
    run_client_describe(&explore->client, &text);
    return buf_take(&text);
}

static void describe_run(struct explore *explore)
{
    struct buf before = {0};
    struct buf after = {0};
    buf_add_string(&before, "psp-harness run");
    explore_options_describe(&explore->options, &before);
    buf_add_char(&before, ' ');
    run_client_describe(&explore->client, &after);
    explore->before = buf_take(&before);
    explore->after = buf_take(&after);
}

/* --- while it goes on ------------------------------------------------------------------------ */

static void show_progress(void *context)
{
    struct explore *explore = context;
    const struct exploration *exploration = &explore->exploration;
    const struct space *space = &exploration->space;
    struct buf text = {0};
    size_t due = lab_running(explore->lab);
    size_t done = lab_played(explore->lab);
    buf_addf(&text, "depth %zu", space->level_count == 0 ? 0 : space->level_count - 1);
    if (exploration->shrinks)
        buf_add_string(&text, ", making it short");
    buf_addf(&text, ", %zu found", exploration->found.count);
    if (explore->deadline_us > 0) {
        int64_t left = (explore->deadline_us - clock_monotonic_us()) / 1000000;
        buf_addf(&text, ", %" PRId64 " s left", left < 0 ? 0 : left);
    }
    progress_show(&explore->progress, done, done + due, buf_string(&text));
    buf_release(&text);
}

static void found(void *context)
{
    show_progress(context);
}

static const char *directory_of(const struct explore *explore)
{
    return explore->options.report == NULL ? "." : explore->options.report;
}

static int finish(struct explore *explore)
{
    struct explore_report report = {.exploration = &explore->exploration,
                                    .before = explore->before,
                                    .after = explore->after,
                                    .directory = directory_of(explore),
                                    .required = explore->options.coverage};
    struct buf why = {0};
    struct regression_command command = {explore->before, explore->after};
    char *command_again = again(explore);
    progress_clear(&explore->progress);
    report.again = command_again;
    explore_report_judge(&report, &why);
    bool written = explore_output_findings(&explore->exploration, directory_of(explore), command);
    written = explore_output(&report, explore->options.format, explore->options.report != NULL) &&
              written;
    if (lab_left_strays(explore->lab))
        log_error("processes of a client could not be ended, and may still run");
    bool failed = !written || lab_left_strays(explore->lab);
    int status = verdict_status(failed ? VERDICT_ERROR : report.verdict);
    coverage_release(&report.coverage);
    buf_release(&why);
    free(command_again);
    return status;
}

/* --- the whole of it ------------------------------------------------------------------------- */

static int fail(enum err err, const struct err_text *why)
{
    log_error("%s", why->text);
    return err == ERR_IO ? verdict_status(VERDICT_ERROR) : USAGE;
}

static enum err open_lab(struct explore *explore, const struct world_options *world, int workers,
                         struct err_text *why)
{
    const struct lab_options options = {.world = world,
                                        .strict = explore->options.strict,
                                        .workers = workers,
                                        .deadline_us = explore->deadline_us,
                                        .most = (size_t)explore->options.most,
                                        .changed = show_progress,
                                        .context = explore};
    enum err err = lab_open(&options, &explore->lab, why);
    if (err != ERR_OK || explore->options.report == NULL)
        return err;
    char *file = mem_printf("%s/%s", explore->options.report, EXPLORE_MEMORY);
    err = lab_remember(explore->lab, file, setup(explore), explore->options.resume, why);
    free(file);
    return err;
}

static int workers_of(const struct explore_options *options)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return options->jobs > 0 ? options->jobs : WORLDS_A_CORE * (online < 1 ? 1 : (int)online);
}

static int play(struct explore *explore)
{
    const struct explore_options *options = &explore->options;
    struct err_text why = {0};
    int workers = workers_of(options);
    enum err err = run_client_prepare(&explore->client, options->timeout_ms, &why);
    if (err != ERR_OK) {
        log_error("%s", why.text);
        return verdict_status(err == ERR_IO ? VERDICT_ERROR : VERDICT_INCONCLUSIVE);
    }
    const struct world_options world = {.client = explore->client.read,
                                        .command = options->command,
                                        .prepared = explore->client.prepared.directory,
                                        .seed = options->seed,
                                        .dialect = options->has_dialect ? &options->dialect : NULL,
                                        .restarts = options->restarts,
                                        .timeout_ms = options->timeout_ms,
                                        .strict = options->strict,
                                        .discard = true,
                                        .trace = true,
                                        .may_give_up = true};
    if (options->budget_ms > 0)
        explore->deadline_us = clock_monotonic_us() + options->budget_ms * 1000;
    if (descriptors_raise(DESCRIPTORS + DESCRIPTORS_A_WORLD * workers, &why) != ERR_OK)
        return fail(ERR_IO, &why);
    err = open_lab(explore, &world, workers, &why);
    if (err != ERR_OK)
        return fail(err, &why);
    boxes_sweep();
    const struct exploration_options exploration = {.space = {.depth = options->depth,
                                                              .orders = options->orders,
                                                              .seed = options->seed,
                                                              .shard = options->shard,
                                                              .shards = options->shards,
                                                              .one_process = is_batch(explore)},
                                                    .random = options->random,
                                                    .deadline_us = explore->deadline_us,
                                                    .most = (size_t)options->most,
                                                    .changed = found,
                                                    .context = explore};
    exploration_run(&explore->exploration, explore->lab, &exploration);
    return finish(explore);
}

static int prepare(struct explore *explore, char *const *argv)
{
    struct err_text why = {0};
    enum err err = explore_options_parse(argv, &explore->options, &why);
    if (err == ERR_OK && explore->options.help)
        return 0;
    if (err == ERR_OK)
        err = run_client_find(&explore->client, explore->options.client, explore->options.command,
                              "explore", explore->options.seed, &why);
    if (err == ERR_OK)
        err = output_prepare(directory_of(explore), &why);
    return err == ERR_OK ? 0 : fail(ERR_INVALID, &why);
}

int explore_command(const char *program, char *const *argv)
{
    struct explore explore = {.program = program};
    int status = prepare(&explore, argv);
    progress_init(&explore.progress);
    if (status == 0 && explore.options.help) {
        print_help();
    } else if (status == 0) {
        describe_run(&explore);
        status = play(&explore);
    }
    exploration_release(&explore.exploration);
    lab_close(explore.lab);
    run_client_release(&explore.client);
    free(explore.before);
    free(explore.after);
    return status;
}
