/* Shared by the files of store/ alone. */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include "err.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

struct stmt {
    sqlite3_stmt *sqlite;
    const char *sql; /* the literal it was made from */
    struct store *store;
    bool busy;
};

struct store {
    sqlite3 *db;
    struct stmt **statements;
    size_t statement_count;
    char message[256];
};

/* What a SQLite result means to us, with the database's words kept for store_message. */
enum err store_result(struct store *store, int result);

#endif
