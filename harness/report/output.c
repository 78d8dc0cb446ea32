#include "output.h"

#include "mem.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whoever cannot be made shows in the end: the directory is not there. */
static void make_directories(const char *path)
{
    char *part = mem_strdup(path);
    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0777);
        *slash = '/';
    }
    mkdir(part, 0777);
    free(part);
}

enum err output_prepare(const char *directory, struct err_text *why)
{
    struct stat info;
    make_directories(directory);
    if (stat(directory, &info) != 0)
        return err_say(why, ERR_INVALID, "'%s' cannot be made: %s", directory, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return err_say(why, ERR_INVALID, "'%s' is no directory", directory);
    if (access(directory, W_OK | X_OK) != 0)
        return err_say(why, ERR_INVALID, "'%s' cannot be written to: %s", directory,
                       strerror(errno));
    return ERR_OK;
}

static enum err put(const char *path, const char *mode, const struct buf *text,
                    struct err_text *why)
{
    FILE *file = fopen(path, mode);
    if (file == NULL)
        return err_say(why, ERR_IO, "'%s' cannot be written: %s", path, strerror(errno));
    bool written = fwrite(buf_string(text), 1, text->len, file) == text->len;
    int error = errno;
    if (fclose(file) == 0 && written)
        return ERR_OK;
    return err_say(why, ERR_IO, "'%s' cannot be written: %s", path,
                   strerror(written ? errno : error));
}

enum err output_write(const char *path, const struct buf *text, struct err_text *why)
{
    enum err err = put(path, "we", text, why);
    if (err != ERR_OK)
        unlink(path);
    return err;
}

enum err output_append(const char *path, const struct buf *text, struct err_text *why)
{
    return put(path, "ae", text, why);
}
