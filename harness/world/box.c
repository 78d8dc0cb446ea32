#include "box.h"

#include "buf.h"
#include "mem.h"

#include <errno.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define LEAST_ROOM  (UINT64_C(256) << 10) /* bytes */
#define LEAST_FILES 8

enum err box_open(struct box *box, struct err_text *why)
{
    const char *tmp = getenv("TMPDIR");
    *box = (struct box){0};
    if (tmp == NULL || tmp[0] != '/')
        tmp = "/tmp";
    char *path = mem_printf("%s/psp-harness.XXXXXX", tmp);
    if (mkdtemp(path) == NULL) {
        enum err err =
            err_say(why, ERR_IO, "no temporary directory in %s: %s (TMPDIR names another place)",
                    tmp, strerror(errno));
        free(path);
        return err;
    }
    box->path = path;
    return ERR_OK;
}

static int remove_entry(const char *path, const struct stat *stat, int type, struct FTW *where)
{
    (void)stat;
    (void)type;
    (void)where;
    remove(path); /* what cannot be removed stays: a file of another user, left by a client */
    return 0;
}

void box_close(struct box *box, int keep)
{
    if (box->path == NULL)
        return;
    if (!keep)
        nftw(box->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(box->path);
    *box = (struct box){0};
}

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
