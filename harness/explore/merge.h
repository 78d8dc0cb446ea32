/* `psp-harness merge`: the parts of an exploration, played on several machines, as one. */
#ifndef MERGE_H
#define MERGE_H

/* ARGV starts after "merge" and ends with NULL. The exit status is that of explore. */
int merge_command(char *const *argv);

#endif
