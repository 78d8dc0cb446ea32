#include "run.h"

#include "box.h"
#include "client.h"
#include "clock.h"
#include "crew.h"
#include "descriptors.h"
#include "log.h"
#include "mem.h"
#include "output.h"
#include "progress.h"
#include "publish.h"
#include "quote.h"
#include "run_client.h"
#include "run_files.h"
#include "run_histories.h"
#include "run_options.h"
#include "summary.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USAGE 2

/* For a world alone, and for the parent with so many of them. */
#define DESCRIPTORS         64
#define DESCRIPTORS_A_WORLD 2

struct run {
    const char *program;
    struct run_options options;
    struct run_client client;
    struct run_files files;
    struct crew_job *jobs; /* one per file, or one per file and dialect */
    size_t job_count;
    size_t told;    /* how many jobs have had their line */
    bool unwritten; /* a history that was asked for */
    struct progress progress;
    bool colour;
};

static void print_help(void)
{
    struct buf help = {0};
    buf_add_string(&help,
                   "usage: psp-harness run [OPTION]... [SCENARIO.lua|DIR]... -- CLIENT [ARG]...\n"
                   "       psp-harness run [OPTION]... [SCENARIO.lua|DIR]... --client FILE.lua\n\n"
                   "Plays every scenario against CLIENT and judges whether each order was charged\n"
                   "exactly once. Without a scenario, those in ./scenarios are played.\n\n");
    run_options_help(&help);
    buf_add_string(&help, "\nCLIENT finds in its environment, and as {placeholders} in ARG:\n\n");
#define VALUE_HELP(variable, placeholder, field, what)                                             \
    buf_addf(&help, "  %-18s %-17s %s\n", variable == NULL ? "" : (const char *)variable,          \
             placeholder, what);
    CLIENT_VALUE_LIST(VALUE_HELP)
#undef VALUE_HELP
    buf_add_string(
        &help,
        "\nIt ends with status 0 (paid), 75 (unknown, run me again) or any other (failed,\n"
        "not paid). A line of its own on stdout, JSON, says more, and the last one wins:\n"
        "  {\"order\":\"...\",\"outcome\":\"succeeded|failed|unknown\",\"payment\":\"pi_...\"}\n"
        "\nexit status: 0 pass, 1 an invariant is violated, 2 usage or a broken scenario,\n"
        "3 inconclusive, 4 the harness itself failed\n");
    fputs(buf_string(&help), stdout);
    buf_release(&help);
}

static size_t dialects(const struct run *run)
{
    size_t count = 0;
    while (run->options.every_dialect && dialect_number((int)count) != NULL)
        count++;
    return count == 0 ? 1 : count;
}

static const char *job_file(const struct run *run, size_t i)
{
    return run->files.names[i / dialects(run)];
}

/* The command that plays this one scenario again. */
static char *replay(const struct run *run, size_t i)
{
    const struct crew_job *job = &run->jobs[i];
    struct buf command = {0};
    quote_word(&command, run->program);
    buf_add_string(&command, " run");
    run_options_describe(&run->options, &command);
    if (job->dialect != NULL)
        buf_addf(&command, " --dialect %s", job->dialect->name.text);
    buf_add_char(&command, ' ');
    quote_word(&command, job_file(run, i));
    run_client_describe(&run->client, &command);
    return buf_take(&command);
}

/* --- before anything runs -------------------------------------------------------------------- */

/* Every broken scenario is named, not only the first, but each only once. */
static int load(struct run *run)
{
    int status = 0;
    size_t each = dialects(run);
    run->job_count = run->files.count * each;
    run->jobs = mem_alloc(run->job_count * sizeof *run->jobs);
    for (size_t i = 0; i < run->job_count; i++) {
        struct err_text why = {0};
        struct crew_job *job = &run->jobs[i];
        job->dialect = run->options.every_dialect ? dialect_number((int)(i % each)) : NULL;
        if (scenario_load(job_file(run, i), run->options.seed, &job->scenario, &why) == ERR_OK)
            continue;
        if (i % each == 0)
            log_error("%s", why.text);
        status = USAGE;
    }
    return status;
}

static int prepare_output(const struct run *run)
{
    struct err_text why = {0};
    if (run->options.history != NULL &&
        run_histories_prepare(run->options.history, &run->files, &why) != ERR_OK) {
        log_error("--history: %s", why.text);
        return USAGE;
    }
    if (run->options.report != NULL && output_prepare(run->options.report, &why) != ERR_OK) {
        log_error("--report: %s", why.text);
        return USAGE;
    }
    return 0;
}

static int prepare(struct run *run, char *const *argv)
{
    struct err_text why = {0};
    enum err err = run_options_parse(argv, &run->options, &why);
    if (err == ERR_OK && run->options.help)
        return 0;
    if (err == ERR_OK)
        err = run_client_find(&run->client, run->options.client, run->options.command,
                              "run scenarios", run->options.seed, &why);
    if (err == ERR_OK)
        err = run_files_find(run->options.paths, run->options.path_count, &run->files, &why);
    if (err != ERR_OK) {
        log_error("%s", why.text);
        return USAGE;
    }
    int status = load(run);
    return status == 0 ? prepare_output(run) : status;
}

/* --- while it goes on ------------------------------------------------------------------------ */

static void show_progress(struct run *run)
{
    size_t done = 0;
    const char *running = NULL;
    for (size_t i = 0; i < run->job_count; i++) {
        done += run->jobs[i].finished;
        if (running == NULL && run->jobs[i].running)
            running = job_file(run, i);
    }
    if (running != NULL)
        progress_show(&run->progress, done, run->job_count, running);
}

static void write_history(struct run *run, size_t i)
{
    const struct crew_job *job = &run->jobs[i];
    struct err_text why = {0};
    if (run_histories_write(run->options.history, job_file(run, i),
                            job->dialect == NULL ? NULL : job->dialect->name.text,
                            &job->result.history, &why) == ERR_OK)
        return;
    log_error("--history: %s", why.text);
    run->unwritten = true;
}

/* Lines come in the order of the scenarios, whoever finished first. */
static void changed(void *context)
{
    struct run *run = context;
    progress_clear(&run->progress);
    while (run->told < run->job_count && run->jobs[run->told].finished) {
        struct buf line = {0};
        if (run->options.format == FORMAT_TEXT || run->options.format == FORMAT_GITHUB) {
            summary_line(&run->jobs[run->told].result, run->colour, &line);
            fputs(buf_string(&line), stdout);
            fflush(stdout);
        }
        buf_release(&line);
        if (run->options.history != NULL)
            write_history(run, run->told);
        run->told++;
    }
    show_progress(run);
}

/* --- afterwards ------------------------------------------------------------------------------ */

/* Everything that is written once all of them are done. */
static void tell(struct run *run, const struct totals *totals, int64_t took_ms)
{
    struct report_entry *entries = mem_alloc(run->job_count * sizeof *entries);
    char **replays = mem_alloc(run->job_count * sizeof *replays);
    for (size_t i = 0; i < run->job_count; i++) {
        replays[i] = replay(run, i);
        entries[i] = (struct report_entry){&run->jobs[i].result, replays[i]};
    }
    struct report report = {.unit = "scenario",
                            .entries = entries,
                            .count = run->job_count,
                            .totals = *totals,
                            .seed = run->options.seed,
                            .took_ms = took_ms};
    if (!publish(&report, run->options.format, run->options.report))
        run->unwritten = true;
    for (size_t i = 0; i < run->job_count; i++)
        free(replays[i]);
    free(replays);
    free(entries);
}

static int cores(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (int)online;
}

static int prepare_client(struct run *run)
{
    struct err_text why;
    enum err err = run_client_prepare(&run->client, run->options.timeout_ms, &why);
    if (err == ERR_OK)
        return 0;
    log_error("%s", why.text);
    return verdict_status(err == ERR_IO ? VERDICT_ERROR : VERDICT_INCONCLUSIVE);
}

static int play(struct run *run)
{
    int unprepared = prepare_client(run);
    if (unprepared != 0)
        return unprepared;
    struct world_options world = {.client = run->client.read,
                                  .prepared = run->client.prepared.directory,
                                  .command = run->options.command,
                                  .seed = run->options.seed,
                                  .orders = run->options.orders,
                                  .dialect =
                                      run->options.has_dialect ? &run->options.dialect : NULL,
                                  .restarts = run->options.restarts,
                                  .timeout_ms = run->options.timeout_ms,
                                  .strict = run->options.strict,
                                  .keep = run->options.keep};
    struct crew_options crew = {
        .world = &world, .workers = run->options.jobs, .changed = changed, .context = run};
    struct totals totals = {0};
    struct err_text why;
    if (crew.workers == 0)
        crew.workers = cores();
    if (descriptors_raise(DESCRIPTORS + DESCRIPTORS_A_WORLD * crew.workers, &why) != ERR_OK) {
        log_error("%s", why.text);
        return verdict_status(VERDICT_ERROR);
    }
    boxes_sweep();
    int64_t began = clock_monotonic_us();
    bool clean;
    int stopped = crew_run(run->jobs, run->job_count, &crew, &clean);
    progress_clear(&run->progress);
    if (!clean)
        log_error("processes of a client could not be ended, and may still run");
    if (stopped != 0) {
        log_warn("interrupted, the worlds have been taken down");
        raise(stopped);
    }
    for (size_t i = 0; i < run->job_count; i++)
        totals_add(&totals, run->jobs[i].result.verdict);
    tell(run, &totals, (clock_monotonic_us() - began) / 1000);
    return clean && !run->unwritten ? totals_status(&totals) : verdict_status(VERDICT_ERROR);
}

static void release(struct run *run)
{
    for (size_t i = 0; run->jobs != NULL && i < run->job_count; i++) {
        scenario_free(run->jobs[i].scenario);
        result_release(&run->jobs[i].result);
    }
    free(run->jobs);
    run_client_release(&run->client);
    run_files_release(&run->files);
    run_options_release(&run->options);
}

int run_command(const char *program, char *const *argv)
{
    struct run run = {.program = program};
    int status = prepare(&run, argv);
    progress_init(&run.progress);
    run.colour = isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL;
    if (status == 0 && run.options.help)
        print_help();
    else if (status == 0)
        status = play(&run);
    release(&run);
    return status;
}
