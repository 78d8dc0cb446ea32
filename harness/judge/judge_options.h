/* The command line of `psp-harness judge`. */
#ifndef JUDGE_OPTIONS_H
#define JUDGE_OPTIONS_H

#include "buf.h"
#include "err.h"
#include "formats.h"
#include "judge_history.h"

#include <stdbool.h>

/* X(constant, short form or 0, long form, value or NULL, what it does) */
#define JUDGE_OPTION_LIST(X)                                                                       \
    X(CLAIMS, 0, "claims", "FILE",                                                                 \
      "what the client says of each order, a line of JSON each; - for stdin")                      \
    X(API_KEY, 0, "api-key", "KEY", "judge this account alone (default: each one that there is)")  \
    X(TOKEN, 0, "token", "T", "of a URL: what its --control-token is")                             \
    X(CALM, 0, "calm", NULL, "a journal in which no fault struck is fine")                         \
    X(STRICT, 0, "strict", NULL, "what only warns (see list) fails")                               \
    X(FORMAT, 0, "format", "NAME", "on stdout: text, json, tap or github (default: text)")         \
    X(REPORT, 0, "report", "DIR", "write report.html, report.json and junit.xml there")            \
    X(HELP, 'h', "help", NULL, "this text")

struct judge_options {
    const char *source; /* everything is borrowed from the command line */
    const char *claims;
    const char *api_key;
    const char *token;
    enum report_format format;
    const char *report;
    struct judge_rules rules;
    bool help;
};

/* Reads ARGV, which ends with NULL and starts after "judge". ERR_INVALID with a sentence. */
enum err judge_options_parse(char *const *argv, struct judge_options *options,
                             struct err_text *why) MUST_CHECK;

/* One line per option. */
void judge_options_help(struct buf *out);

#endif
