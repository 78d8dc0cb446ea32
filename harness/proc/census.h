/* Who lives below a process: its children, theirs, and so on, whatever group or session they have
 * put themselves in.
 *
 * Read from /proc, by parent. A process with PR_SET_CHILD_SUBREAPER (see strays_adopt, keeper.h)
 * loses nobody: an orphan's parent is then that one. */
#ifndef CENSUS_H
#define CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct census_entry {
    pid_t pid;
    pid_t parent;
    char state; /* R, S, D, T, t, Z, X */
};

struct census {
    struct census_entry *entries;
    size_t count;
};

/* Fills CENSUS, which is zeroed or released, with everybody below ROOT but the spared and whoever
 * is below them. A process that is born or loses its parent meanwhile may be missing: whoever has
 * to have them all takes another one until nobody new is in it. */
void census_take(pid_t root, struct census *census);
void census_release(struct census *census);

/* One process alone, which is quick: its pid is in ENTRY, which is filled. False: there is none. */
bool census_look(struct census_entry *entry);

bool census_has(const struct census *census, pid_t pid);

/* It has ended, and only waits for its parent to look. */
bool census_is_dead(const struct census_entry *entry);

/* A child of this process that is no stray (a provider, a keeper), until it is forgotten. */
void census_spare(pid_t child);
void census_forget(pid_t child);
bool census_is_spared(pid_t pid);

/* Forgets everybody who was spared. */
void census_forget_all(void);

#endif
