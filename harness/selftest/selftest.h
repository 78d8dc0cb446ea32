/* `psp-harness selftest`: are the bad clients found, each with its cause, and the good ones left
 * alone? */
#ifndef SELFTEST_H
#define SELFTEST_H

/* ARGV starts after "selftest" and ends with NULL. Returns the exit status: 0 all came as it had
 * to, 1 a client was not found out, or wrongly accused, 2 usage, 3 too much could not be examined
 * to say, 4 the harness itself failed. */
int selftest_command(char *const *argv);

#endif
