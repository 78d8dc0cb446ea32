/* Prepared statements, kept by the store from first use on. SQL is a literal of the program: one
 * that does not compile is a bug of ours and aborts. */
#ifndef STMT_H
#define STMT_H

#include "err.h"
#include "store.h"

#include <stddef.h>
#include <stdint.h>

struct stmt;

/* Runs SQL to its end. TYPES has a letter per value: 't' const char * (NULL is SQL NULL), 'i'
 * int64_t. Rows are thrown away. */
enum err stmt_run(struct store *store, const char *sql, const char *types, ...) MUST_CHECK;

/* Starts a query; walk it with stmt_next and end it with stmt_end. Never NULL. */
struct stmt *stmt_query(struct store *store, const char *sql, const char *types, ...);

/* ERR_OK: a row is there. ERR_END: no more rows. Anything else: it failed. */
enum err stmt_next(struct stmt *stmt) MUST_CHECK;
void stmt_end(struct stmt *stmt);

/* Columns of the row, from 0. Text is valid until the next stmt_ call on STMT; NULL is NULL. */
int64_t stmt_int(const struct stmt *stmt, int column);
const char *stmt_text(const struct stmt *stmt, int column);
/* A copy that the caller frees. */
char *stmt_text_copy(const struct stmt *stmt, int column);

/* Rows that the last stmt_run changed. */
int64_t stmt_changes(const struct store *store);

#endif
