/* `psp-harness judge`: a verdict on a journal of traffic that somebody else drove. */
#ifndef JUDGE_COMMAND_H
#define JUDGE_COMMAND_H

/* PROGRAM is how psp-harness was called; ARGV starts after "judge" and ends with NULL. Returns the
 * exit status (see verdict.h). */
int judge_command(const char *program, char *const *argv);

#endif
