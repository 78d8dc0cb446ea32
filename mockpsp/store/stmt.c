#include "stmt.h"

#include "check.h"
#include "mem.h"
#include "store_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct stmt *prepare(struct store *store, const char *sql)
{
    struct stmt *stmt = mem_alloc(sizeof *stmt);
    stmt->sql = sql;
    stmt->store = store;
    int result =
        sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt->sqlite, NULL);
    if (result == SQLITE_ERROR) {
        fprintf(stderr, "%s\n  in: %s\n", sqlite3_errmsg(store->db), sql);
        CHECK(result == SQLITE_OK);
    }
    /* Anything else (no memory, an I/O error while reading the schema) shows at the first step. */
    store->statements =
        mem_resize(store->statements, store->statement_count + 1, sizeof(struct stmt *));
    store->statements[store->statement_count++] = stmt;
    return stmt;
}

/* Literals keep their address, so comparing pointers finds nearly all of them. */
static struct stmt *take(struct store *store, const char *sql)
{
    for (size_t i = 0; i < store->statement_count; i++) {
        struct stmt *stmt = store->statements[i];
        if (stmt->sql == sql && !stmt->busy && stmt->sqlite != NULL)
            return stmt;
    }
    return prepare(store, sql);
}

static void bind(struct stmt *stmt, const char *types, va_list args)
{
    for (int i = 0; types[i] != '\0'; i++) {
        int result = SQLITE_OK;
        if (types[i] == 'i')
            result = sqlite3_bind_int64(stmt->sqlite, i + 1, va_arg(args, int64_t));
        else if (types[i] == 't')
            result = sqlite3_bind_text(stmt->sqlite, i + 1, va_arg(args, const char *), -1,
                                       SQLITE_TRANSIENT);
        else
            CHECK_UNREACHABLE();
        CHECK(result == SQLITE_OK || stmt->sqlite == NULL);
    }
}

static struct stmt *start(struct store *store, const char *sql, const char *types, va_list args)
{
    struct stmt *stmt = take(store, sql);
    stmt->busy = true;
    bind(stmt, types, args);
    return stmt;
}

enum err stmt_run(struct store *store, const char *sql, const char *types, ...)
{
    va_list args;
    va_start(args, types);
    struct stmt *stmt = start(store, sql, types, args);
    va_end(args);
    enum err err;
    do {
        err = stmt_next(stmt);
    } while (err == ERR_OK);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

struct stmt *stmt_query(struct store *store, const char *sql, const char *types, ...)
{
    va_list args;
    va_start(args, types);
    struct stmt *stmt = start(store, sql, types, args);
    va_end(args);
    return stmt;
}

enum err stmt_next(struct stmt *stmt)
{
    int result = stmt->sqlite == NULL ? SQLITE_IOERR : sqlite3_step(stmt->sqlite);
    if (result == SQLITE_ROW)
        return ERR_OK;
    if (result == SQLITE_DONE)
        return ERR_END;
    return store_result(stmt->store, result);
}

void stmt_end(struct stmt *stmt)
{
    sqlite3_reset(stmt->sqlite);
    sqlite3_clear_bindings(stmt->sqlite);
    stmt->busy = false;
}

int64_t stmt_int(const struct stmt *stmt, int column)
{
    return sqlite3_column_int64(stmt->sqlite, column);
}

const char *stmt_text(const struct stmt *stmt, int column)
{
    return (const char *)sqlite3_column_text(stmt->sqlite, column);
}

char *stmt_text_copy(const struct stmt *stmt, int column)
{
    return mem_strdup(stmt_text(stmt, column));
}

int64_t stmt_changes(const struct store *store)
{
    return sqlite3_changes64(store->db);
}
