#include "run_files.h"

#include "mem.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add(struct run_files *files, char *name)
{
    files->names = mem_resize(files->names, files->count + 1, sizeof *files->names);
    files->names[files->count++] = name;
}

static int is_lua(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".lua") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* the same order on every machine */
}

static enum err add_directory(struct run_files *files, const char *path, struct err_text *why)
{
    struct dirent **entries;
    size_t before = files->count;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    int found = scandir(path, &entries, is_lua, by_name);
    if (found < 0)
        return err_say(why, ERR_IO, "'%s' cannot be read: %s", path, strerror(errno));
    for (int i = 0; i < found; i++) {
        struct stat info;
        char *name = mem_printf("%.*s/%s", (int)length, path, entries[i]->d_name);
        if (stat(name, &info) == 0 && S_ISREG(info.st_mode))
            add(files, name);
        else
            free(name);
        free(entries[i]);
    }
    free(entries);
    if (files->count == before)
        return err_say(
            why, ERR_NOT_FOUND,
            "'%s' holds no scenario: no .lua file is in it (folders in it are not looked into)",
            path);
    return ERR_OK;
}

static enum err add_path(struct run_files *files, const char *path, struct err_text *why)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return err_say(why, ERR_NOT_FOUND, "no scenario '%s': %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return add_directory(files, path, why);
    add(files, mem_strdup(path));
    return ERR_OK;
}

enum err run_files_find(const char *const *paths, int count, struct run_files *files,
                        struct err_text *why)
{
    struct stat info;
    *files = (struct run_files){0};
    if (count == 0 && stat("scenarios", &info) != 0)
        return err_say(why, ERR_NOT_FOUND,
                       "no scenario is named and there is no directory 'scenarios' here: name .lua "
                       "files, or a directory of them");
    if (count == 0)
        return add_path(files, "scenarios", why);
    for (int i = 0; i < count; i++) {
        enum err err = add_path(files, paths[i], why);
        if (err != ERR_OK)
            return err;
    }
    return ERR_OK;
}

void run_files_release(struct run_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->names[i]);
    free(files->names);
    *files = (struct run_files){0};
}
