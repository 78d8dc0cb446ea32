/* No path is longer than a name here and no more than two directories are open, however deep the
 * tree is: what lies deeper is moved up to the top, and is looked at there. */
#include "tree_remove.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_itself_or_above(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool is_directory(int dir, const char *name)
{
    struct stat info;
    return fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
}

/* To be read, emptied and moved by its owner, who may have no right to either. */
static void permit(int dir, const char *name)
{
    int refused = fchmodat(dir, name, 0700, 0);
    (void)refused; /* shows in what is tried next */
}

/* NULL when it cannot be read. */
static DIR *open_at(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *opened = fd < 0 ? NULL : fdopendir(fd);
    if (opened == NULL && fd >= 0)
        close(fd);
    return opened;
}

/* Empties NAME, a directory of TOP: its directories become TOP's. */
static void lift(int top, const char *name, uint64_t *number)
{
    permit(top, name);
    DIR *dir = open_at(top, name);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (is_itself_or_above(entry->d_name) || unlinkat(dirfd(dir), entry->d_name, 0) == 0 ||
            !is_directory(dirfd(dir), entry->d_name))
            continue;
        char lifted[32];
        snprintf(lifted, sizeof lifted, ".lifted-%ju", (uintmax_t)++ * number);
        permit(dirfd(dir), entry->d_name);
        int refused = renameat(dirfd(dir), entry->d_name, top, lifted);
        (void)refused; /* it stays, and so does NAME */
    }
    if (dir != NULL)
        closedir(dir);
}

/* One look at everything in TOP. False when nothing went. */
static bool remove_some(int top, const char *last, uint64_t *number)
{
    DIR *dir = open_at(top, ".");
    bool removed = false;
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        const char *name = entry->d_name;
        if (is_itself_or_above(name) || strcmp(name, last) == 0)
            continue;
        if (unlinkat(top, name, 0) == 0) {
            removed = true;
        } else if (is_directory(top, name)) {
            lift(top, name, number);
            removed = unlinkat(top, name, AT_REMOVEDIR) == 0 || removed;
        }
    }
    if (dir != NULL)
        closedir(dir);
    return removed;
}

void tree_remove(const char *path, const char *last)
{
    uint64_t number = 0;
    if (!is_directory(AT_FDCWD, path))
        return; /* a link, even: a client may have put it there */
    permit(AT_FDCWD, path);
    DIR *top = open_at(AT_FDCWD, path);
    while (top != NULL && remove_some(dirfd(top), last, &number))
        ;
    if (top != NULL) {
        unlinkat(dirfd(top), last, 0);
        closedir(top);
    }
    rmdir(path);
}
