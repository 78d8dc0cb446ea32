#include "box.h"

#include "buf.h"
#include "clock.h"
#include "mem.h"
#include "tree_remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define LEAST_ROOM  (UINT64_C(256) << 10) /* bytes */
#define LEAST_FILES 8

#define PREFIX "psp-harness."
#define MARK   ".running" /* locked by the world while it is at it */

#define UNBORN_S 60

static const char *home(void)
{
    const char *tmp = getenv("TMPDIR");
    return tmp == NULL || tmp[0] != '/' ? "/tmp" : tmp;
}

/* --- whose it is ----------------------------------------------------------------------------- */

/* It is locked before it has its name, so that nobody ever finds it free before its world has
 * ended, however that ends. Without one a box is merely not swept. */
static int set_mark(const char *path)
{
    char *unnamed = mem_printf("%s/" MARK ".new", path);
    char *name = mem_printf("%s/" MARK, path);
    int fd = open(unnamed, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) != 0 || rename(unnamed, name) != 0)) {
        close(fd);
        fd = -1;
    }
    free(unnamed);
    free(name);
    return fd;
}

void box_keep(const char *path)
{
    char *name = mem_printf("%s/" MARK, path);
    unlink(name);
    free(name);
}

/* A descriptor of its mark when that is ours and nobody holds it, else -1. */
static int take_mark(const char *path)
{
    struct stat info;
    char *name = mem_printf("%s/" MARK, path);
    int fd = open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    free(name);
    if (fd >= 0 &&
        (fstat(fd, &info) != 0 || info.st_uid != geteuid() || flock(fd, LOCK_EX | LOCK_NB) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Its world was killed before it could mark it: nothing is in it, and has not been for a while. */
static void sweep_unborn(const char *path)
{
    struct stat info;
    struct clock_source machine = clock_machine();
    if (lstat(path, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
        machine.now_ms(machine.self) / 1000 - info.st_mtime < UNBORN_S)
        return;
    char *unnamed = mem_printf("%s/" MARK ".new", path);
    unlink(unnamed);
    free(unnamed);
    rmdir(path); /* unless there is anything */
}

void boxes_sweep(void)
{
    DIR *dir = opendir(home());
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0)
            continue;
        char *path = mem_printf("%s/%s", home(), entry->d_name);
        int mark = take_mark(path);
        if (mark >= 0) {
            tree_remove(path, MARK);
            close(mark);
        } else {
            sweep_unborn(path);
        }
        free(path);
    }
    if (dir != NULL)
        closedir(dir);
}

/* --- its life -------------------------------------------------------------------------------- */

enum err box_open(struct box *box, struct err_text *why)
{
    *box = (struct box){0};
    char *path = mem_printf("%s/" PREFIX "XXXXXX", home());
    if (mkdtemp(path) == NULL) {
        enum err err =
            err_say(why, ERR_IO, "no temporary directory in %s: %s (TMPDIR names another place)",
                    home(), strerror(errno));
        free(path);
        return err;
    }
    box->path = path;
    box->mark = set_mark(path);
    return ERR_OK;
}

void box_close(struct box *box, int keep)
{
    if (box->path == NULL)
        return;
    if (keep)
        box_keep(box->path);
    else
        tree_remove(box->path, MARK);
    if (box->mark >= 0)
        close(box->mark);
    free(box->path);
    *box = (struct box){0};
}

/* --- what is in it --------------------------------------------------------------------------- */

/* A failure shows when the file itself cannot be made: one place to report it. */
static void make_parents(char *path, size_t from)
{
    for (char *slash = strchr(path + from, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
}

static char *path_of(const struct box *box, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static char *path_of(const struct box *box, const char *format, va_list args)
{
    struct buf path = {0};
    buf_addf(&path, "%s/", box->path);
    size_t from = path.len;
    buf_addv(&path, format, args);
    char *text = buf_take(&path);
    make_parents(text, from);
    return text;
}

char *box_path(const struct box *box, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *path = path_of(box, format, args);
    va_end(args);
    return path;
}

char *box_dir(const struct box *box, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *path = path_of(box, format, args);
    va_end(args);
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return path;
    int error = errno;
    free(path);
    errno = error;
    return NULL;
}

/* A program that could not write has often cleared away what it had begun. */
bool box_is_full(const struct box *box)
{
    struct statvfs info;
    if (box->path == NULL || statvfs(box->path, &info) != 0 || info.f_blocks == 0)
        return false;
    uint64_t blocks = geteuid() == 0 ? info.f_bfree : info.f_bavail;
    uint64_t files = geteuid() == 0 ? info.f_ffree : info.f_favail;
    return blocks * info.f_frsize < LEAST_ROOM || (info.f_files > 0 && files < LEAST_FILES);
}

char *box_last_line(const struct box *box, const char *name)
{
    char *path = box_path(box, "%s", name);
    FILE *file = fopen(path, "re");
    char *line = NULL;
    char *last = NULL;
    size_t size = 0;
    ssize_t length;
    free(path);
    while (file != NULL && (length = getline(&line, &size, file)) >= 0)
        if (length > 1)
            mem_set_string(&last, line);
    if (file != NULL)
        fclose(file);
    free(line);
    if (last != NULL)
        last[strcspn(last, "\n")] = '\0';
    return last;
}
