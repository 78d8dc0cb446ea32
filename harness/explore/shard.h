/* Which part of a space is this machine's: --shard 2/3, or what a pipeline says of its jobs. */
#ifndef SHARD_H
#define SHARD_H

#include "err.h"

/* Reads "2/3". ERR_INVALID with a sentence. */
enum err shard_parse(const char *text, int *shard, int *shards, struct err_text *why) MUST_CHECK;

/* From the environment: CI_NODE_INDEX and CI_NODE_TOTAL (GitLab's parallel, from 1; a GitHub matrix
 * may set them), CIRCLE_NODE_INDEX and CIRCLE_NODE_TOTAL (from 0), BUILDKITE_PARALLEL_JOB and
 * BUILDKITE_PARALLEL_JOB_COUNT (from 0), JOB_COMPLETION_INDEX (an indexed Job of Kubernetes, from
 * 0) with JOB_COMPLETIONS. 1/1 when there is none. ERR_INVALID when they make no sense. */
enum err shard_from_environment(int *shard, int *shards, struct err_text *why) MUST_CHECK;

#endif
