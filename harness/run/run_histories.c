#include "run_histories.h"

#include "canonical.h"
#include "mem.h"
#include "output.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>

static enum err refuse_twins(const struct run_files *files, size_t i, struct err_text *why)
{
    enum err err = ERR_OK;
    char *stem = path_stem(files->names[i]);
    for (size_t j = 0; j < i && err == ERR_OK; j++) {
        char *other = path_stem(files->names[j]);
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

enum err run_histories_prepare(const char *directory, const struct run_files *files,
                               struct err_text *why)
{
    for (size_t i = 0; i < files->count; i++)
        if (refuse_twins(files, i, why) != ERR_OK)
            return ERR_INVALID;
    return output_prepare(directory, why);
}

enum err run_histories_write(const char *directory, const char *file, const char *dialect,
                             const struct history *history, struct err_text *why)
{
    struct buf text = {0};
    char *stem = path_stem(file);
    char *path = mem_printf("%s/%s%s%s.jsonl", directory, stem, dialect == NULL ? "" : ".",
                            dialect == NULL ? "" : dialect);
    canonical_print(history, &text);
    enum err err = output_write(path, &text, why);
    free(path);
    free(stem);
    buf_release(&text);
    return err;
}
