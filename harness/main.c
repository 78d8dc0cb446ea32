/* psp-harness: proves that a client charges once, whatever the provider does. */
#include "explore.h"
#include "inventory.h"
#include "judge_command.h"
#include "log.h"
#include "merge.h"
#include "move.h"
#include "nearest.h"
#include "run.h"
#include "selftest.h"
#include "standard_streams.h"
#include "verdict.h"

#include <stdio.h>
#include <string.h>

#define USAGE 2

static const char HELP[] =
    "usage: psp-harness COMMAND [ARG]...\n"
    "\n"
    "  run      plays scenarios against a client and judges it (run --help says how)\n"
    "  explore  tries every schedule that can strike a client (explore --help says how)\n"
    "  merge    joins explorations of several machines\n"
    "  selftest are the bad clients found that come with it, and the good ones left alone?\n"
    "  judge    a verdict on the journal of a mockpsp that others have used\n"
    "  list     names scenarios, actions, moves, invariants and so on: list [SCENARIO.lua|DIR]\n"
    "\n"
    "  --help     this text\n"
    "  --version  the version\n"
    "\n"
    "exit status: 0 pass, 1 an invariant is violated, 2 usage or a broken scenario,\n"
    "3 inconclusive, 4 the harness itself failed\n";

static int list_command(char *const *argv)
{
    struct buf out = {0};
    struct err_text why = {0};
    if (argv[0] != NULL && (argv[0][0] == '-' || argv[1] != NULL)) {
        log_error("list takes one scenario file or directory, or nothing");
        return USAGE;
    }
    enum err err = inventory_list(argv[0], &out, &why);
    moves_list(&out);
    if (err == ERR_OK)
        fputs(buf_string(&out), stdout);
    else
        log_error("%s", why.text);
    buf_release(&out);
    return err == ERR_OK ? 0 : USAGE;
}

static int unknown_command(const char *word)
{
    static const char *const words[] = {"run",  "explore", "merge",     "selftest", "judge",
                                        "list", "--help",  "--version", NULL};
    const char *meant = nearest_word(word, words);
    if (meant != NULL)
        log_error("there is no command '%s': did you mean %s?", word, meant);
    else
        log_error("this version has no command '%s' (see psp-harness --help)", word);
    return USAGE;
}

static int command(char **argv)
{
    const char *word = argv[1];
    if (strcmp(word, "run") == 0)
        return run_command(argv[0], argv + 2);
    if (strcmp(word, "explore") == 0)
        return explore_command(argv[0], argv + 2);
    if (strcmp(word, "merge") == 0)
        return merge_command(argv + 2);
    if (strcmp(word, "selftest") == 0)
        return selftest_command(argv + 2);
    if (strcmp(word, "judge") == 0)
        return judge_command(argv[0], argv + 2);
    if (strcmp(word, "list") == 0)
        return list_command(argv + 2);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        fputs(HELP, stdout);
        return 0;
    }
    if (strcmp(word, "--version") == 0) {
        puts("psp-harness " MOCKPSP_VERSION);
        return 0;
    }
    return unknown_command(word);
}

int main(int argc, char **argv)
{
    standard_streams_open();
    log_set_name("psp-harness");
    if (argc < 2) {
        fputs(HELP, stderr);
        return USAGE;
    }
    int status = command(argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    log_error("standard output cannot be written: what was found is not there to be read");
    return verdict_status(VERDICT_ERROR);
}
