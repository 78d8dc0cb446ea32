/* A directory of its own for a test. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct scratch {
    char path[300];
};

static inline struct scratch scratch_new(void)
{
    struct scratch scratch;
    const char *folder = getenv("TMPDIR");
    snprintf(scratch.path, sizeof scratch.path, "%s/scratch_XXXXXX",
             folder == NULL ? "/tmp" : folder);
    cr_assert_not_null(mkdtemp(scratch.path));
    return scratch;
}

/* The path of a file in it. */
static inline struct scratch scratch_file(const struct scratch *scratch, const char *name)
{
    struct scratch file;
    int length = snprintf(file.path, sizeof file.path, "%s/%s", scratch->path, name);
    cr_assert_lt(length, (int)sizeof file.path);
    return file;
}

static inline int scratch_unlink(const char *path, const struct stat *stat, int kind,
                                 struct FTW *where)
{
    (void)stat;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline void scratch_remove(const struct scratch *scratch)
{
    nftw(scratch->path, scratch_unlink, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
