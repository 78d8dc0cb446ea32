/* The command line of `psp-harness selftest`. */
#ifndef SELFTEST_OPTIONS_H
#define SELFTEST_OPTIONS_H

#include "buf.h"
#include "err.h"
#include "invariant.h"

#include <stdbool.h>
#include <stdint.h>

/* X(constant, short form or 0, long form, value or NULL, what it does) */
#define SELFTEST_OPTION_LIST(X)                                                                    \
    X(ALL, 0, "all", NULL, "every client, also those that take long")                              \
    X(WITHOUT, 0, "without", "INVARIANT", "do not look at it: then its clients go unnoticed")      \
    X(CLIENTS, 0, "clients", "DIR", "where they are (default: ./scenarios/clients, or installed)") \
    X(DEPTH, 0, "depth", "N", "so many things go wrong in one run at most (default: 1)")           \
    X(BUDGET, 0, "budget", "D", "so long one client may take (default: 60s)")                      \
    X(JOBS, 'j', "jobs", "N", "so many worlds at once (default: two per core)")                    \
    X(SEED, 0, "seed", "N", "of every exploration (default: 1)")                                   \
    X(LIST, 0, "list", NULL, "which clients there are, and what has to be found")                  \
    X(FORMAT, 0, "format", "NAME", "on stdout: text or json (default: text)")                      \
    X(HELP, 'h', "help", NULL, "this text")

struct selftest_options {
    bool all;
    bool is_without; /* one invariant is not looked at: */
    enum invariant without;
    const char *clients; /* borrowed; NULL: see selftest_place.h */
    int depth;
    int64_t budget_ms;
    int jobs; /* 0: two per core */
    uint64_t seed;
    bool list;
    bool json;
    bool help;
    const char **words; /* parts of the names of those that are meant; empty: all are */
    int word_count;
};

/* Reads ARGV, which ends with NULL and starts after "selftest". ERR_INVALID with a sentence in WHY.
 * Strings are borrowed; release it in either case. */
enum err selftest_options_parse(char *const *argv, struct selftest_options *options,
                                struct err_text *why) MUST_CHECK;
void selftest_options_release(struct selftest_options *options);

/* One line per option. */
void selftest_options_help(struct buf *out);

#endif
