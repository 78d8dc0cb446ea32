/* The command line of `psp-harness explore`. */
#ifndef EXPLORE_OPTIONS_H
#define EXPLORE_OPTIONS_H

#include "buf.h"
#include "dialect.h"
#include "err.h"
#include "formats.h"

#include <stdbool.h>
#include <stdint.h>

/* X(constant, short form or 0, long form, value or NULL, what it does) */
#define EXPLORE_OPTION_LIST(X)                                                                     \
    X(CLIENT, 0, "client", "FILE.lua", "the client, when it is more than a command after --")      \
    X(DEPTH, 0, "depth", "N", "so many things go wrong in one run at most (default: 2)")           \
    X(BUDGET, 0, "budget", "D", "stop after this time (default: when all is tried)")               \
    X(MAX, 0, "max", "N", "play so many runs and no more")                                         \
    X(RANDOM, 0, "random", NULL, "walk at random, deeper than --depth; needs --budget or --max")   \
    X(JOBS, 'j', "jobs", "N", "so many worlds at once (default: two per core)")                    \
    X(SEED, 0, "seed", "N", "the same seed explores the same space (default: 1)")                  \
    X(ORDERS, 0, "orders", "N", "orders per run (default: 1)")                                     \
    X(DIALECT, 0, "dialect", "NAME", "idempotency as that provider does it")                       \
    X(RESTARTS, 0, "restarts", "N", "how often an unknown outcome is run again (default: 5)")      \
    X(TIMEOUT, 0, "timeout", "D", "give a run up after this time (default: 30s)")                  \
    X(STRICT, 0, "strict", NULL, "what only warns (see list) is a finding too")                    \
    X(SHARD, 0, "shard", "I/N", "only this part of the space (default: as CI says, see below)")    \
    X(REPORT, 0, "report", "DIR", "write the report and the regression files there")               \
    X(RESUME, 0, "resume", "DIR", "go on with what is in DIR, a --report that was cut short")      \
    X(COVERAGE, 0, "require-coverage", "PERCENT",                                                  \
      "so much has to be tried; without it, all of the space")                                     \
    X(FORMAT, 0, "format", "NAME", "on stdout: text, json, tap or github (default: text)")         \
    X(HELP, 'h', "help", NULL, "this text")

struct explore_options {
    const char *client; /* a file, borrowed; or NULL */
    int depth;
    int64_t budget_ms; /* 0: none */
    int most;          /* runs; 0: any number */
    bool random;
    int jobs; /* 0: two per core */
    uint64_t seed;
    int orders;
    bool has_dialect;
    struct dialect dialect;
    int restarts;
    int64_t timeout_ms;
    bool strict;
    int shard; /* from 1 */
    int shards;
    const char *report; /* a directory, borrowed; or NULL */
    bool resume;        /* from REPORT */
    int coverage;       /* percent; -1: nobody asks */
    enum report_format format;
    bool help;
    char *const *command; /* after "--", ends with NULL; NULL when there is none */
};

/* Reads ARGV, which ends with NULL and starts after "explore". ERR_INVALID with a sentence in WHY.
 * Strings are borrowed. */
enum err explore_options_parse(char *const *argv, struct explore_options *options,
                               struct err_text *why) MUST_CHECK;

/* What a trial depends on, as `run` takes it: " --seed 7 --strict". */
void explore_options_describe(const struct explore_options *options, struct buf *out);

/* One line per option. */
void explore_options_help(struct buf *out);

#endif
