#include "shard.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define MOST_SHARDS 10000

/* Where pipelines say it; FIRST: the number of the first job. */
static const struct {
    const char *index;
    const char *total;
    int first;
} PIPELINES[] = {
    {"CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
    {"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},
    {"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0},
    {"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0},
};

static bool read_number(const char *text, char end, const char **after, int *number)
{
    char *stop;
    errno = 0;
    long value = strtol(text, &stop, 10);
    if (stop == text || *stop != end || errno != 0 || value < 0 || value > MOST_SHARDS)
        return false;
    *number = (int)value;
    *after = stop + (end != '\0');
    return true;
}

enum err shard_parse(const char *text, int *shard, int *shards, struct err_text *why)
{
    const char *rest;
    if (!read_number(text, '/', &rest, shard) || !read_number(rest, '\0', &rest, shards) ||
        *shard < 1 || *shard > *shards)
        return err_say(why, ERR_INVALID, "'%s' is no part of a whole: 1/3, 2/3 and 3/3 are", text);
    return ERR_OK;
}

enum err shard_from_environment(int *shard, int *shards, struct err_text *why)
{
    *shard = 1;
    *shards = 1;
    for (size_t i = 0; i < sizeof PIPELINES / sizeof PIPELINES[0]; i++) {
        const char *index = getenv(PIPELINES[i].index);
        const char *total = getenv(PIPELINES[i].total);
        const char *rest;
        if (index == NULL || total == NULL || *index == '\0' || *total == '\0')
            continue;
        bool good =
            read_number(index, '\0', &rest, shard) && read_number(total, '\0', &rest, shards);
        *shard += 1 - PIPELINES[i].first;
        if (good && *shard >= 1 && *shard <= *shards)
            return ERR_OK;
        return err_say(why, ERR_INVALID,
                       "%s is '%s' and %s is '%s': that is no part of a whole; say --shard 1/1 to "
                       "explore all of it",
                       PIPELINES[i].index, index, PIPELINES[i].total, total);
    }
    return ERR_OK;
}
