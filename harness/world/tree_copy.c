#include "tree_copy.h"

#include "mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART 65536 /* bytes */

static bool copy_bytes(int from, int to)
{
    char part[PART];
    ssize_t length;
    if (ioctl(to, FICLONE, from) == 0)
        return true;
    while ((length = read(from, part, sizeof part)) > 0)
        for (ssize_t done = 0; done < length;) {
            ssize_t written = write(to, part + done, (size_t)(length - done));
            if (written < 0)
                return false;
            done += written;
        }
    return length == 0;
}

static bool copy_file(const char *from, const char *to, mode_t mode)
{
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 07777);
    bool good = out >= 0 && copy_bytes(in, out) && fchmod(out, mode & 07777) == 0;
    int error = errno;
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0 && good) {
        error = errno;
        good = false;
    }
    errno = error;
    return good;
}

static bool copy_link(const char *from, const char *to)
{
    char target[PATH_MAX];
    ssize_t length = readlink(from, target, sizeof target - 1);
    if (length < 0)
        return false;
    target[length] = '\0';
    return symlink(target, to) == 0;
}

static enum err copy_folder(const char *from, const char *to, struct err_text *why)
{
    enum err err = ERR_OK;
    const struct dirent *entry;
    DIR *dir = opendir(from);
    if (dir == NULL)
        return err_say(why, ERR_IO, "%s: %s", from, strerror(errno));
    if (mkdir(to, 0700) != 0)
        err = err_say(why, ERR_IO, "%s: %s", to, strerror(errno));
    while (err == ERR_OK && (entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *one = mem_printf("%s/%s", from, entry->d_name);
        char *other = mem_printf("%s/%s", to, entry->d_name);
        err = tree_copy(one, other, why);
        free(one);
        free(other);
    }
    closedir(dir);
    return err;
}

/* As deep as somebody's folders are, which the length of a path bounds. */
enum err tree_copy(const char *from, const char *to, struct err_text *why)
{
    struct stat status;
    bool good = lstat(from, &status) == 0;
    if (good && S_ISDIR(status.st_mode)) {
        enum err err = copy_folder(from, to, why);
        if (err != ERR_OK || chmod(to, status.st_mode & 07777) == 0)
            return err;
        good = false;
    } else if (good && S_ISLNK(status.st_mode)) {
        good = copy_link(from, to);
    } else if (good && S_ISREG(status.st_mode)) {
        good = copy_file(from, to, status.st_mode);
    }
    return good ? ERR_OK : err_say(why, ERR_IO, "%s: %s", from, strerror(errno));
}
