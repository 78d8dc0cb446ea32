/* `psp-harness run`: plays scenarios against a client and says what came of it. */
#ifndef RUN_H
#define RUN_H

/* PROGRAM is how psp-harness was called; ARGV starts after "run" and ends with NULL. Returns the
 * exit status (see verdict.h), or ends by the signal that interrupted it. */
int run_command(const char *program, char *const *argv);

#endif
