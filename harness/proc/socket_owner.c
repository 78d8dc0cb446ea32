#include "socket_owner.h"

#include "census.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The fields of a line of the table: "0: 0100007F:9C40 0100007F:2F4F 01 …". */
enum { FIELD_LOCAL = 1, FIELD_REMOTE = 2, FIELD_INODE = 9 };

/* Field NUMBER of LINE, from 0; the empty end of it when there are fewer. */
static const char *field(const char *line, int number)
{
    line += strspn(line, " ");
    for (; number > 0; number--) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return line;
}

static int port_in(const char *line, int number)
{
    const char *address = field(line, number);
    address += strcspn(address, ":");
    return *address == ':' ? (int)strtol(address + 1, NULL, 16) : -1;
}

/* In TABLE, /proc/net/tcp or tcp6; 0 when there is none. */
static uint64_t inode_in(const char *table, int local_port, int remote_port)
{
    char line[512];
    uint64_t found = 0;
    FILE *file = fopen(table, "re");
    if (file == NULL)
        return 0;
    while (found == 0 && fgets(line, sizeof line, file) != NULL) {
        if (port_in(line, FIELD_LOCAL) == local_port && port_in(line, FIELD_REMOTE) == remote_port)
            found = strtoull(field(line, FIELD_INODE), NULL, 10);
    }
    fclose(file);
    return found;
}

static bool holds(pid_t pid, const char *socket)
{
    char folder[64];
    bool found = false;
    snprintf(folder, sizeof folder, "/proc/%d/fd", (int)pid);
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir != NULL && !found && (entry = readdir(dir)) != NULL) {
        char target[64];
        ssize_t length = readlinkat(dirfd(dir), entry->d_name, target, sizeof target - 1);
        if (length <= 0)
            continue;
        target[length] = '\0';
        found = strcmp(target, socket) == 0;
    }
    if (dir != NULL)
        closedir(dir);
    return found;
}

pid_t socket_owner_below(pid_t root, int local_port, int remote_port)
{
    char socket[64];
    struct census census;
    pid_t found = 0;
    uint64_t inode = inode_in("/proc/net/tcp", local_port, remote_port);
    if (inode == 0)
        inode = inode_in("/proc/net/tcp6", local_port, remote_port);
    if (inode == 0)
        return 0;
    snprintf(socket, sizeof socket, "socket:[%" PRIu64 "]", inode);
    census_take(root, &census);
    for (size_t i = 0; i < census.count && found == 0; i++)
        if (holds(census.entries[i].pid, socket))
            found = census.entries[i].pid;
    census_release(&census);
    return found;
}
