/* Lua files for tests. */
#ifndef SCRIPTED_H
#define SCRIPTED_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scripted {
    char file[300];
};

/* A new file with TEXT in it. */
static inline struct scripted scripted_new(const char *text)
{
    struct scripted scripted;
    const char *folder = getenv("TMPDIR");
    snprintf(scripted.file, sizeof scripted.file, "%s/scripted_XXXXXX",
             folder == NULL ? "/tmp" : folder);
    int fd = mkstemp(scripted.file);
    cr_assert_geq(fd, 0);
    FILE *file = fdopen(fd, "w");
    fputs(text, file);
    fclose(file);
    return scripted;
}

static inline void scripted_remove(const struct scripted *scripted)
{
    unlink(scripted->file);
}

/* That MESSAGE is the file's name and then REST, perhaps with a traceback after it. */
static inline void scripted_expect(const struct scripted *scripted, const char *message,
                                   const char *rest)
{
    size_t length = strlen(scripted->file);
    cr_expect(strncmp(message, scripted->file, length) == 0 &&
                  strncmp(message + length, rest, strlen(rest)) == 0,
              "wanted: FILE%s\n   got: %s", rest, message);
}

#endif
