/* A file of environment variables, as they lie beside many programs (".env"). */
#ifndef ENV_FILE_H
#define ENV_FILE_H

#include "err.h"

/* Appends each NAME=value of FILE to LIST, which ends with NULL and grows. Empty lines and those
 * that begin with # are skipped, "export " in front and quotes around the whole value are taken
 * off; nothing is expanded. ERR_NOT_FOUND or ERR_IO for the file, ERR_INVALID for a line, with
 * "file:line: what" in WHY. */
enum err env_file_read(const char *file, char ***list, struct err_text *why) MUST_CHECK;

#endif
