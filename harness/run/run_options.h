/* The command line of `psp-harness run`. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include "buf.h"
#include "dialect.h"
#include "err.h"
#include "formats.h"

#include <stdbool.h>
#include <stdint.h>

/* X(constant, short form or 0, long form, value or NULL, what it does) */
#define RUN_OPTION_LIST(X)                                                                         \
    X(CLIENT, 0, "client", "FILE.lua", "the client, when it is more than a command after --")      \
    X(JOBS, 'j', "jobs", "N", "so many worlds at once (default: one per core)")                    \
    X(SEED, 0, "seed", "N", "the same seed plays the same run (default: 1)")                       \
    X(ORDERS, 0, "orders", "N", "orders per scenario (default: as it says, or 1)")                 \
    X(DIALECT, 0, "dialect", "NAME", "idempotency as that provider does it, or in every way")      \
    X(RESTARTS, 0, "restarts", "N", "how often an unknown outcome is run again (default: 5)")      \
    X(TIMEOUT, 0, "timeout", "D", "give a scenario up after this time (default: 60s)")             \
    X(STRICT, 0, "strict", NULL, "what only warns (see list) fails the run")                       \
    X(KEEP, 0, "keep", NULL, "keep the box of a passed run as well")                               \
    X(FORMAT, 0, "format", "NAME", "on stdout: text, json, tap or github (default: text)")         \
    X(REPORT, 0, "report", "DIR", "write report.html, report.json and junit.xml there")            \
    X(HISTORY, 0, "history", "DIR",                                                                \
      "write each scenario's canonical history there: the same run, the same bytes")               \
    X(HELP, 'h', "help", NULL, "this text")

struct run_options {
    int jobs; /* 0: one per core */
    uint64_t seed;
    int orders;         /* 0: as the scenario says */
    bool every_dialect; /* each scenario once in each */
    bool has_dialect;
    struct dialect dialect; /* when it was asked for */
    int restarts;
    int64_t timeout_ms;
    bool strict;
    bool keep;
    enum report_format format;
    const char *report;  /* a directory, borrowed; or NULL */
    const char *history; /* a directory, borrowed; or NULL */
    const char *client;  /* a file, borrowed; or NULL */
    bool help;
    char *const *command; /* after "--", ends with NULL; NULL when there is none */
    const char **paths;   /* PATH_COUNT of them, borrowed from the command line */
    int path_count;
};

#define RUN_DEFAULT_SEED     1
#define RUN_DEFAULT_RESTARTS 5
#define RUN_DEFAULT_TIMEOUT  60000

/* Reads ARGV, which ends with NULL and starts after "run". ERR_INVALID with a sentence in WHY. The
 * strings are borrowed; release OPTIONS in either case. */
enum err run_options_parse(char *const *argv, struct run_options *options,
                           struct err_text *why) MUST_CHECK;
void run_options_release(struct run_options *options);

/* The options that differ from their defaults, as a shell takes them: " --seed 7 --orders 3". The
 * seed is always there: it is what makes a replay one. */
void run_options_describe(const struct run_options *options, struct buf *out);

/* One line per option. */
void run_options_help(struct buf *out);

#endif
