/* Which scenario files are meant. */
#ifndef RUN_FILES_H
#define RUN_FILES_H

#include "err.h"

#include <stddef.h>

struct run_files {
    char **names;
    size_t count;
};

/* A file stands for itself, a directory for every .lua file directly in it, by name. Without any
 * path, ./scenarios is meant. ERR_NOT_FOUND with a sentence when nothing is there; release FILES in
 * either case. */
enum err run_files_find(const char *const *paths, int count, struct run_files *files,
                        struct err_text *why) MUST_CHECK;
void run_files_release(struct run_files *files);

#endif
