/* `psp-harness explore`: every schedule, and the shortest story of what breaks. */
#ifndef EXPLORE_H
#define EXPLORE_H

/* PROGRAM is how it was called; ARGV starts after "explore" and ends with NULL. Returns the exit
 * status: 0 nothing breaks it, 1 something does, 2 usage, 3 not all of it was tried, 4 the harness
 * itself failed. */
int explore_command(const char *program, char *const *argv);

#endif
