/* The canonical history of every scenario of a run, each in a file of its own. */
#ifndef RUN_HISTORIES_H
#define RUN_HISTORIES_H

#include "err.h"
#include "history.h"
#include "run_files.h"

/* Makes DIRECTORY, and those above it, unless it is there; to be called before anything is played.
 * ERR_INVALID, with a sentence, when it cannot be written to, or when two of FILES would be written
 * to the same file of it. */
enum err run_histories_prepare(const char *directory, const struct run_files *files,
                               struct err_text *why) MUST_CHECK;

/* Writes HISTORY of the scenario FILE, scenarios/f10_worker.lua, to f10_worker.jsonl in DIRECTORY,
 * or to f10_worker.stripe.jsonl with a DIALECT (may be NULL), over what is there. ERR_IO with a
 * sentence leaves no file. */
enum err run_histories_write(const char *directory, const char *file, const char *dialect,
                             const struct history *history, struct err_text *why) MUST_CHECK;

#endif
