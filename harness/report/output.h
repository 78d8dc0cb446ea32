/* Files that a run writes for others. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "buf.h"
#include "err.h"

/* Makes DIRECTORY, and those above it, unless it is there. ERR_INVALID, with a sentence, when it
 * cannot be written to: to be called before anything is played. */
enum err output_prepare(const char *directory, struct err_text *why) MUST_CHECK;

/* Writes TEXT over what is in the file PATH. ERR_IO with a sentence leaves no file: half a document
 * looks like a whole one. */
enum err output_write(const char *path, const struct buf *text, struct err_text *why) MUST_CHECK;

/* Adds TEXT to the end of the file PATH. ERR_IO with a sentence. */
enum err output_append(const char *path, const struct buf *text, struct err_text *why) MUST_CHECK;

#endif
