/* An empty database as the bytes of its file: to have one of today's schema without taking the
 * steps that lead to it, which cost more than everything else that a provider does when it starts.
 *
 * Made once in a process; its children inherit it. */
#ifndef BLANK_H
#define BLANK_H

#include "err.h"

/* Has it made, if it is not. Whoever forks writers calls it before. ERR_IO with a sentence. */
enum err blank_make(struct err_text *why) MUST_CHECK;

/* Writes it to PATH, where nothing is yet, for store_open. ERR_IO with a sentence: then the file
 * may be there in part. */
enum err blank_write(const char *path, struct err_text *why) MUST_CHECK;

#endif
