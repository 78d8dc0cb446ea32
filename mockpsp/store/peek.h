/* A look into somebody else's SQLite file: one query, nothing is changed. */
#ifndef PEEK_H
#define PEEK_H

#include "err.h"
#include "json.h"

#include <stdint.h>

#define PEEK_MOST_ROWS 1000

/* A value to be bound. */
struct peek_value {
    enum { PEEK_NULL, PEEK_INTEGER, PEEK_REAL, PEEK_TEXT } type;
    int64_t integer;
    double real;
    const char *text;
};

/* Runs SQL, a single statement that only reads, on FILE with VALUES for its parameters. *ROWS, new
 * for the caller, is an array of objects by name of column; null, blobs as text. ERR_NOT_FOUND:
 * there is no such file, or no such table in it yet. ERR_BUSY: somebody writes, try again.
 * ERR_INVALID: the SQL is wrong, or would change something. ERR_LIMIT: too many rows. ERR_IO:
 * anything else. WHY says it in a sentence. */
enum err peek(const char *file, const char *sql, const struct peek_value *values, int count,
              struct json **rows, struct err_text *why) MUST_CHECK;

#endif
