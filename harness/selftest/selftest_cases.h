/* The clients that are examined, and what has to be found: selftest.json, beside them.
 *
 *   [{"client":"careless.py --mistake no_key","breaks":"key_sent","cause":"no_key"},
 *    {"client":"careful.py","needs":"/usr/lib/python3/dist-packages/stripe"}, …] */
#ifndef SELFTEST_CASES_H
#define SELFTEST_CASES_H

#include "causes.h"
#include "err.h"
#include "invariant.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct selftest_case {
    char *client; /* a client file, or a program of the folder with its arguments */
    bool bad;
    enum invariant breaks; /* of a bad one, and why */
    enum cause cause;
    char *needs; /* words, each a program of PATH, or a path, seen from the folder; or NULL */
    bool slow;   /* only with --all */
    int depth;   /* that it takes to find it, at least */
    int orders;
    int most; /* runs that it takes to find it, at most; 0: any number */
    int restarts;
    int64_t timeout_ms;
};

/* A zeroed list is empty. */
struct selftest_cases {
    struct selftest_case *items;
    size_t count;
};

/* Reads FILE. ERR_NOT_FOUND or ERR_INVALID with a sentence leaves a zeroed list. */
enum err selftest_cases_read(const char *file, struct selftest_cases *cases,
                             struct err_text *why) MUST_CHECK;
void selftest_cases_release(struct selftest_cases *cases);

#endif
