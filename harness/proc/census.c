#include "census.h"

#include "mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAKES 4 /* before one that somebody moved in is taken as it is */

/* A child of ours inherits the list, whose processes are no children of its. */
static pid_t *spared;
static size_t spared_count;

/* --- /proc ----------------------------------------------------------------------------------- */

/* "12 (name) S 1 …": the name may hold anything, so the fields begin after the last bracket. */
static bool parse_status(const char *text, struct census_entry *entry)
{
    const char *fields = strrchr(text, ')');
    if (fields == NULL || fields[1] != ' ' || fields[2] == '\0')
        return false;
    char *end;
    entry->state = fields[2];
    entry->parent = (pid_t)strtol(fields + 3, &end, 10);
    return end != fields + 3;
}

bool census_look(struct census_entry *entry)
{
    char path[32];
    char text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)entry->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0)
        return false;
    text[length] = '\0';
    return parse_status(text, entry);
}

static void add(struct census *census, const struct census_entry *entry)
{
    census->entries = mem_resize(census->entries, census->count + 1, sizeof *census->entries);
    census->entries[census->count++] = *entry;
}

/* Everybody on the machine. False when somebody ended between the two looks: his children may have
 * been seen with him as their parent. */
static bool look(struct census *everybody)
{
    DIR *dir = opendir("/proc");
    bool calm = true;
    const struct dirent *file;
    while (dir != NULL && (file = readdir(dir)) != NULL) {
        char *end;
        struct census_entry entry = {.pid = (pid_t)strtol(file->d_name, &end, 10)};
        if (*end != '\0' || entry.pid <= 0)
            continue;
        if (census_look(&entry))
            add(everybody, &entry);
        else
            calm = false;
    }
    if (dir != NULL)
        closedir(dir);
    return calm;
}

/* --- who is ours ----------------------------------------------------------------------------- */

bool census_has(const struct census *census, pid_t pid)
{
    for (size_t i = 0; i < census->count; i++)
        if (census->entries[i].pid == pid)
            return true;
    return false;
}

bool census_is_spared(pid_t pid)
{
    for (size_t i = 0; i < spared_count; i++)
        if (spared[i] == pid)
            return true;
    return false;
}

/* Moves one more generation over. False when there is none. */
static bool add_generation(const struct census *everybody, pid_t root, struct census *ours)
{
    size_t before = ours->count;
    for (size_t i = 0; i < everybody->count; i++) {
        const struct census_entry *entry = &everybody->entries[i];
        if ((entry->parent == root || census_has(ours, entry->parent)) &&
            !census_is_spared(entry->pid) && !census_has(ours, entry->pid))
            add(ours, entry);
    }
    return ours->count > before;
}

void census_take(pid_t root, struct census *census)
{
    struct census everybody = {0};
    for (int takes = 0; takes < TAKES; takes++) {
        census_release(&everybody);
        if (look(&everybody))
            break;
    }
    *census = (struct census){0};
    while (add_generation(&everybody, root, census))
        ;
    census_release(&everybody);
}

void census_release(struct census *census)
{
    free(census->entries);
    *census = (struct census){0};
}

bool census_is_dead(const struct census_entry *entry)
{
    return strchr("ZXx", entry->state) != NULL;
}

/* --- who is not ------------------------------------------------------------------------------ */

void census_spare(pid_t child)
{
    spared = mem_resize(spared, spared_count + 1, sizeof *spared);
    spared[spared_count++] = child;
}

void census_forget(pid_t child)
{
    for (size_t i = 0; i < spared_count; i++)
        if (spared[i] == child)
            spared[i--] = spared[--spared_count];
}

void census_forget_all(void)
{
    free(spared);
    spared = NULL;
    spared_count = 0;
}
