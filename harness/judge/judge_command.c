#include "judge_command.h"

#include "judge_options.h"
#include "judge_source.h"
#include "log.h"
#include "mem.h"
#include "output.h"
#include "publish.h"
#include "quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define USAGE 2

static void print_help(void)
{
    struct buf help = {0};
    buf_add_string(&help,
                   "usage: psp-harness judge [OPTION]... JOURNAL|URL\n\n"
                   "Judges what happened at a mockpsp that others have sent their requests to: a\n"
                   "URL (http://127.0.0.1:12111), the answer of its /_mock/journal in a file, or\n"
                   "the history.jsonl of a run. Each account is judged for itself.\n\n");
    judge_options_help(&help);
    buf_add_string(
        &help,
        "\nA claim: "
        "{\"order\":\"...\",\"outcome\":\"succeeded|failed|unknown\",\"payment\":\"pi_...\",\n"
        "\"amount\":1234,\"currency\":\"usd\"}; the last one of an order counts. Without claims\n"
        "nothing is said of success_is_charged, failure_is_not_charged and settles; without\n"
        "amounts nothing of charge_matches_order.\n"
        "\nexit status: 0 pass, 1 an invariant is violated, 2 usage, or no whole journal,\n"
        "3 inconclusive, 4 the journal cannot be had, or the report not be written\n");
    fputs(buf_string(&help), stdout);
    buf_release(&help);
}

static char *replay_of(const char *program, char *const *argv)
{
    struct buf command = {0};
    quote_word(&command, program);
    buf_add_string(&command, " judge");
    for (; *argv != NULL; argv++) {
        buf_add_char(&command, ' ');
        quote_word(&command, *argv);
    }
    return buf_take(&command);
}

/* Whether stdout has the line of each as well. */
static bool has_lines(enum report_format format)
{
    return format == FORMAT_TEXT || format == FORMAT_GITHUB;
}

static int tell(const struct judge_options *options, const struct result *results, size_t count,
                const char *replay)
{
    bool colour = isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL;
    struct report_entry *entries = mem_alloc(count * sizeof *entries);
    struct report report = {.unit = "account", .entries = entries, .count = count};
    struct buf lines = {0};
    for (size_t i = 0; i < count; i++) {
        entries[i] = (struct report_entry){&results[i], replay};
        totals_add(&report.totals, results[i].verdict);
        summary_line(&results[i], colour, &lines);
    }
    if (has_lines(options->format))
        fputs(buf_string(&lines), stdout);
    bool written = publish(&report, options->format, options->report);
    buf_release(&lines);
    free(entries);
    return written ? totals_status(&report.totals) : verdict_status(VERDICT_ERROR);
}

static int judge_all(const struct judge_options *options, const struct history *events,
                     const struct judge_claims *claims, const char *replay)
{
    size_t count;
    struct result *results =
        judge_history(events, claims, options->api_key, options->source, options->rules, &count);
    int status = USAGE;
    if (count > 1 && options->claims != NULL)
        log_error("%s has %zu accounts: say with --api-key whose claims these are", options->source,
                  count);
    else
        status = tell(options, results, count, replay);
    for (size_t i = 0; i < count; i++)
        result_release(&results[i]);
    free(results);
    return status;
}

static enum err read_all(const struct judge_options *options, struct history *events,
                         struct judge_claims *claims, struct err_text *why)
{
    struct judge_source source = {options->source, options->api_key, options->token};
    enum err err = ERR_OK;
    if (options->report != NULL)
        err = output_prepare(options->report, why);
    if (err == ERR_OK && options->claims != NULL)
        err = judge_claims_read(options->claims, claims, why);
    if (err == ERR_OK)
        err = judge_source_read(&source, events, why);
    return err;
}

int judge_command(const char *program, char *const *argv)
{
    struct judge_options options;
    struct judge_claims claims = {0};
    struct history events = {0};
    struct err_text why = {0};
    enum err err = judge_options_parse(argv, &options, &why);
    if (err == ERR_OK && options.help) {
        print_help();
        return 0;
    }
    if (err == ERR_OK)
        err = read_all(&options, &events, &claims, &why);
    char *replay = replay_of(program, argv);
    int status = err == ERR_IO ? verdict_status(VERDICT_ERROR) : USAGE;
    if (err == ERR_OK)
        status = judge_all(&options, &events, &claims, replay);
    else
        log_error("%s", why.text);
    free(replay);
    history_release(&events);
    judge_claims_release(&claims);
    return status;
}
