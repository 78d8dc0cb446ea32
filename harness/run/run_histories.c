#include "run_histories.h"

#include "canonical.h"
#include "mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* scenarios/f10_worker.lua -> f10_worker */
static char *stem_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash == NULL ? file : slash + 1;
    const char *dot = strrchr(name, '.');
    return mem_strndup(name, dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name));
}

static enum err refuse_twins(const struct run_files *files, size_t i, struct err_text *why)
{
    enum err err = ERR_OK;
    char *stem = stem_of(files->names[i]);
    for (size_t j = 0; j < i && err == ERR_OK; j++) {
        char *other = stem_of(files->names[j]);
        if (strcmp(stem, other) == 0)
            err = err_say(why, ERR_INVALID,
                          "'%s' and '%s' would have the same file, %s.jsonl: run them one after "
                          "the other",
                          files->names[j], files->names[i], stem);
        free(other);
    }
    free(stem);
    return err;
}

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

enum err run_histories_prepare(const char *directory, const struct run_files *files,
                               struct err_text *why)
{
    struct stat info;
    for (size_t i = 0; i < files->count; i++)
        if (refuse_twins(files, i, why) != ERR_OK)
            return ERR_INVALID;
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

static enum err write_file(const char *path, const struct buf *text, struct err_text *why)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return err_say(why, ERR_IO, "'%s' cannot be written: %s", path, strerror(errno));
    bool written = fwrite(buf_string(text), 1, text->len, file) == text->len;
    int error = errno;
    if (fclose(file) == 0 && written)
        return ERR_OK;
    err_say(why, ERR_IO, "'%s' cannot be written: %s", path, strerror(written ? errno : error));
    unlink(path); /* half a history looks like a whole one */
    return ERR_IO;
}

enum err run_histories_write(const char *directory, const char *file, const char *dialect,
                             const struct history *history, struct err_text *why)
{
    struct buf text = {0};
    char *stem = stem_of(file);
    char *path = mem_printf("%s/%s%s%s.jsonl", directory, stem, dialect == NULL ? "" : ".",
                            dialect == NULL ? "" : dialect);
    canonical_print(history, &text);
    enum err err = write_file(path, &text, why);
    free(path);
    free(stem);
    buf_release(&text);
    return err;
}
