#include "selftest.h"

#include "box.h"
#include "examination.h"
#include "log.h"
#include "mem.h"
#include "progress.h"
#include "selftest_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE 2

struct selftest {
    struct selftest_options options;
    struct selftest_place place;
    struct selftest_cases cases;
    struct examination *examinations;
    struct selftest_report report;
    struct progress progress;
};

static void print_help(void)
{
    struct buf help = {0};
    buf_add_string(
        &help,
        "usage: psp-harness selftest [OPTION]... [WORD]...\n\n"
        "Explores the clients that come with psp-harness: every bad one has to be found, with its\n"
        "cause, and nothing may break a good one. Each WORD is part of a client's name, or an\n"
        "invariant; without one, all those that do not take long are examined.\n\n");
    selftest_options_help(&help);
    buf_add_string(
        &help,
        "\nexit status: 0 all is as it has to be, 1 a client was not found or wrongly accused,\n"
        "2 usage, 3 too much could not be examined to say, 4 the harness itself failed\n");
    fputs(buf_string(&help), stdout);
    buf_release(&help);
}

/* --- which of them --------------------------------------------------------------------------- */

static bool is_meant(const struct selftest_options *options, const struct selftest_case *one)
{
    for (int i = 0; i < options->word_count; i++)
        if (strstr(one->client, options->words[i]) != NULL ||
            (one->bad && strcmp(options->words[i], invariant_name(one->breaks)) == 0))
            return true;
    return options->word_count == 0;
}

/* Those that take long are examined with --all, or when they are named. */
static bool is_chosen(const struct selftest_options *options, const struct selftest_case *one)
{
    return is_meant(options, one) && (!one->slow || options->all || options->word_count > 0);
}

static enum err choose(struct selftest *selftest, struct err_text *why)
{
    size_t chosen = 0;
    for (size_t i = 0; i < selftest->cases.count; i++)
        chosen += is_chosen(&selftest->options, &selftest->cases.items[i]);
    selftest->report = (struct selftest_report){
        .options = &selftest->options, .cases = &selftest->cases, .chosen = chosen};
    if (chosen == 0)
        return err_say(why, ERR_INVALID,
                       "no client is called that, nor breaks it (selftest --list has them all)");
    selftest->examinations = mem_alloc(chosen * sizeof *selftest->examinations);
    selftest->report.items = selftest->examinations;
    return ERR_OK;
}

static void print_list(const struct selftest *selftest)
{
    struct buf text = {0};
    for (size_t i = 0; i < selftest->cases.count; i++) {
        const struct selftest_case *one = &selftest->cases.items[i];
        if (!is_meant(&selftest->options, one))
            continue;
        selftest_report_case(one, &text);
        buf_addf(&text, "%s\n", one->slow ? " (takes long)" : "");
    }
    fputs(buf_string(&text), stdout);
    buf_release(&text);
}

/* --- examining them -------------------------------------------------------------------------- */

static void show(void *context, const struct selftest_case *of, size_t played, size_t due)
{
    struct selftest *selftest = context;
    struct buf text = {0};
    buf_addf(&text, "%s: %zu/%zu runs", of->client, played, due);
    progress_show(&selftest->progress, selftest->report.count, selftest->report.chosen,
                  buf_string(&text));
    buf_release(&text);
}

static void examine(struct selftest *selftest, const struct selftest_case *of)
{
    struct examination *examination = &selftest->examinations[selftest->report.count];
    char *lacks = selftest_place_lacks(&selftest->place, of->needs);
    if (lacks != NULL)
        *examination = (struct examination){
            .of = of, .end = EXAMINATION_skipped, .why = mem_printf("it needs %s", lacks)};
    else
        examination_run(examination, of, &selftest->place, &selftest->options,
                        (struct examination_view){show, selftest});
    free(lacks);
    selftest->report.count++;
}

static int examine_all(struct selftest *selftest)
{
    const struct selftest_options *options = &selftest->options;
    struct buf text = {0};
    bool goes_on = true;
    boxes_sweep();
    for (size_t i = 0; i < selftest->cases.count && goes_on; i++) {
        if (!is_chosen(options, &selftest->cases.items[i]))
            continue;
        examine(selftest, &selftest->cases.items[i]);
        const struct examination *last = &selftest->examinations[selftest->report.count - 1];
        goes_on = !last->interrupted;
        buf_clear(&text);
        selftest_report_line(last, &text);
        progress_clear(&selftest->progress);
        if (!options->json) {
            fputs(buf_string(&text), stdout);
            fflush(stdout);
        }
    }
    buf_clear(&text);
    if (options->json)
        selftest_report_json(&selftest->report, &text);
    else
        selftest_report_end(&selftest->report, &text);
    fputs(buf_string(&text), stdout);
    buf_clear(&text);
    int status = selftest_report_status(&selftest->report, &text);
    buf_release(&text);
    return status;
}

static enum err prepare(struct selftest *selftest, char *const *argv, struct err_text *why)
{
    enum err err = selftest_options_parse(argv, &selftest->options, why);
    if (err != ERR_OK || selftest->options.help)
        return err;
    err = selftest_place_find(selftest->options.clients, &selftest->place, why);
    if (err != ERR_OK)
        return err;
    char *list = mem_printf("%s/%s", selftest->place.clients, SELFTEST_LIST);
    err = selftest_cases_read(list, &selftest->cases, why);
    free(list);
    return err == ERR_OK ? choose(selftest, why) : err;
}

int selftest_command(char *const *argv)
{
    struct selftest selftest = {0};
    struct err_text why = {0};
    int status = 0;
    progress_init(&selftest.progress);
    if (prepare(&selftest, argv, &why) != ERR_OK) {
        log_error("%s", why.text);
        status = USAGE;
    } else if (selftest.options.help) {
        print_help();
    } else if (selftest.options.list) {
        print_list(&selftest);
    } else {
        status = examine_all(&selftest);
    }
    for (size_t i = 0; i < selftest.report.count; i++)
        examination_release(&selftest.examinations[i]);
    free(selftest.examinations);
    selftest_cases_release(&selftest.cases);
    selftest_place_release(&selftest.place);
    selftest_options_release(&selftest.options);
    return status;
}
