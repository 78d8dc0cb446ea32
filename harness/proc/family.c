#include "family.h"

#include "census.h"
#include "check.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A chain of forks can outrun any number of walks; whoever asks next sees that it lives. */
#define MOST_WALKS 50

static bool is_chosen(struct family_choice choice, pid_t pid)
{
    switch (choice.part) {
    case FAMILY_ALL:
        return true;
    case FAMILY_GROUP:
        return getpgid(pid) == choice.id;
    case FAMILY_ONE:
        return pid == choice.id;
    }
    CHECK_UNREACHABLE();
}

static bool is_running(const struct census_entry *entry)
{
    return strchr("TtDZXx", entry->state) == NULL;
}

/* Whoever asks about one has found it below the root before. */
static enum family_state state_of(pid_t pid)
{
    struct census_entry entry = {.pid = pid};
    if (!census_look(&entry) || census_is_dead(&entry))
        return FAMILY_GONE;
    return is_running(&entry) ? FAMILY_RUNNING : FAMILY_STOPPED;
}

enum family_state family_state(pid_t root, struct family_choice choice)
{
    if (choice.part == FAMILY_ONE)
        return state_of(choice.id);
    struct census census;
    size_t there = 0;
    size_t running = 0;
    census_take(root, &census);
    for (size_t i = 0; i < census.count; i++) {
        const struct census_entry *entry = &census.entries[i];
        bool dead = census_is_dead(entry);
        if (!is_chosen(choice, entry->pid))
            continue;
        if (dead && entry->parent != getpid())
            continue; /* its parent collects it */
        if (dead)
            waitpid(entry->pid, NULL, WNOHANG);
        there++;
        running += is_running(entry);
    }
    census_release(&census);
    if (there == 0)
        return FAMILY_GONE;
    return running == 0 ? FAMILY_STOPPED : FAMILY_RUNNING;
}

/* Whoever has a signal waiting for it cannot fork any more, so this comes to an end. */
void family_signal(pid_t root, struct family_choice choice, int signal)
{
    struct census before = {0};
    bool found = true;
    for (int walks = 0; found && walks < MOST_WALKS; walks++) {
        struct census now;
        found = false;
        census_take(root, &now);
        for (size_t i = 0; i < now.count; i++) {
            const struct census_entry *entry = &now.entries[i];
            if (census_is_dead(entry) || census_has(&before, entry->pid) ||
                !is_chosen(choice, entry->pid))
                continue;
            found = true;
            kill(entry->pid, signal);
        }
        census_release(&before);
        before = now;
    }
    census_release(&before);
}
