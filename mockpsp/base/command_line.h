/* The options of a command line, as a table: "--seed 7", "--seed=7", "-j4", "--keep". */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include "buf.h"
#include "err.h"

struct command_option {
    char letter;       /* its short form, or 0 */
    const char *name;  /* its long form, without the dashes */
    const char *value; /* what help calls its value; NULL: it takes none */
    const char *does;
};

struct command_line {
    const char *command; /* as errors name it: "psp-harness run" */
    const struct command_option *options;
    int count;
};

/* Reads the option at *ARGV, a word of at least two characters that begins with a dash, and moves
 * on over its value when that is a word of its own. *OPTION is its number in the table, *VALUE its
 * value, borrowed from ARGV, "" where it takes none. ERR_INVALID says what would be right. */
enum err command_line_read(const struct command_line *line, char *const **argv, int *option,
                           const char **value, struct err_text *why) MUST_CHECK;

/* One line per option. */
void command_line_help(const struct command_line *line, struct buf *out);

#endif
