#include "store.h"

#include "check.h"
#include "mem.h"
#include "schema.h"
#include "stmt.h"
#include "store_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum err store_result(struct store *store, int result)
{
    if (result == SQLITE_OK)
        return ERR_OK;
    snprintf(store->message, sizeof store->message, "%s", sqlite3_errmsg(store->db));
    switch (result & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return ERR_BUSY;
    case SQLITE_FULL:
        return ERR_FULL;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return ERR_CORRUPT;
    case SQLITE_NOMEM:
        fputs("out of memory\n", stderr);
        abort();
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
        /* Rules are checked before a row is written, so this is our own mistake. */
        fprintf(stderr, "%s\n", store->message);
        CHECK_UNREACHABLE();
    default:
        return ERR_IO;
    }
}

static enum err run(struct store *store, const char *sql)
{
    return store_result(store, sqlite3_exec(store->db, sql, NULL, NULL, NULL));
}

static enum err pragma_int(struct store *store, const char *sql, int64_t *value)
{
    sqlite3_stmt *stmt;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_step(stmt);
    if (result == SQLITE_ROW)
        *value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return result == SQLITE_ROW ? ERR_OK : store_result(store, result);
}

/* Reads before anything is written: a file that is not ours stays as it is. */
static enum err inspect(struct store *store, const char *path, int64_t *version,
                        struct err_text *why)
{
    int64_t application = 0, objects = 0;
    enum err err = pragma_int(store, "PRAGMA user_version", version);
    if (err == ERR_OK)
        err = pragma_int(store, "PRAGMA application_id", &application);
    if (err == ERR_OK)
        err = pragma_int(store, "SELECT count(*) FROM sqlite_schema", &objects);
    if (err == ERR_BUSY)
        return err_say(why, err,
                       "database %s is in use by another process: stop that one, or "
                       "name another file",
                       path);
    if (err != ERR_OK)
        return err_say(why, err, "cannot read database %s: %s", path, store->message);
    if (objects > 0 && application != SCHEMA_APPLICATION_ID)
        return err_say(why, ERR_CORRUPT, "%s is a database of another program: name another file",
                       path);
    if (*version > schema_version())
        return err_say(why, ERR_CORRUPT,
                       "database %s was made by a newer mockpsp (schema %d, this one knows %d)",
                       path, (int)*version, schema_version());
    return ERR_OK;
}

static enum err migrate(struct store *store, int64_t version)
{
    char sql[96];
    enum err err = ERR_OK;
    for (int64_t i = version; i < schema_version() && err == ERR_OK; i++)
        err = run(store, SCHEMA_STEPS[i]);
    if (err != ERR_OK)
        return err;
    snprintf(sql, sizeof sql, "PRAGMA application_id=%d; PRAGMA user_version=%d",
             SCHEMA_APPLICATION_ID, schema_version());
    return run(store, sql);
}

/* Exclusive locking keeps a second provider off the same file for as long as we live, and a kill
 * lets go of it. */
static enum err prepare_file(struct store *store, bool durable)
{
    enum err err = run(store, "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL");
    if (err == ERR_OK)
        err = run(store, durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=OFF");
    if (err == ERR_OK)
        err = run(store, "BEGIN EXCLUSIVE");
    return err;
}

static enum err stay_alone(struct store *store)
{
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return run(store, "PRAGMA locking_mode=EXCLUSIVE");
}

static enum err open_checked(struct store *store, const struct store_options *options,
                             const char *path, struct err_text *why)
{
    int64_t version = 0;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int result = sqlite3_open_v2(path, &store->db, flags, NULL);
    if (result != SQLITE_OK)
        return err_say(why, store_result(store, result), "cannot open database %s: %s", path,
                       sqlite3_errmsg(store->db));
    sqlite3_extended_result_codes(store->db, 1);
    enum err err = options->alone ? stay_alone(store) : ERR_OK;
    if (err == ERR_OK)
        err = inspect(store, path, &version, why);
    if (err != ERR_OK)
        return err;
    err = prepare_file(store, options->durable);
    if (err == ERR_OK)
        err = migrate(store, version);
    if (err == ERR_OK)
        err = run(store, "COMMIT");
    if (err == ERR_BUSY)
        return err_say(why, err,
                       "database %s is in use by another process: stop that one, or "
                       "name another file",
                       path);
    if (err != ERR_OK)
        return err_say(why, err, "cannot prepare database %s: %s", path, store->message);
    return ERR_OK;
}

enum err store_open(struct store **store, const struct store_options *options, struct err_text *why)
{
    struct store *opened = mem_alloc(sizeof *opened);
    const char *path = options->path == NULL ? ":memory:" : options->path;
    enum err err = open_checked(opened, options, path, why);
    if (err != ERR_OK) {
        store_close(opened);
        opened = NULL;
    }
    *store = opened;
    return err;
}

void store_close(struct store *store)
{
    if (store == NULL)
        return;
    for (size_t i = 0; i < store->statement_count; i++) {
        sqlite3_finalize(store->statements[i]->sqlite);
        free(store->statements[i]);
    }
    free(store->statements);
    CHECK(sqlite3_close(store->db) == SQLITE_OK);
    free(store);
}

enum err store_begin(struct store *store)
{
    CHECK(!store_in_transaction(store));
    return stmt_run(store, "BEGIN IMMEDIATE", "");
}

enum err store_commit(struct store *store)
{
    CHECK(store_in_transaction(store));
    enum err err = stmt_run(store, "COMMIT", "");
    if (err != ERR_OK)
        store_rollback(store);
    return err;
}

void store_rollback(struct store *store)
{
    if (!store_in_transaction(store))
        return;
    /* SQLite may have rolled back by itself in the meantime; there is nothing left to fail. */
    enum err err = stmt_run(store, "ROLLBACK", "");
    (void)err;
}

bool store_in_transaction(const struct store *store)
{
    return sqlite3_get_autocommit(store->db) == 0;
}

const char *store_message(const struct store *store)
{
    return store->message;
}

enum err store_get_number(struct store *store, const char *name, int64_t *number, int64_t missing)
{
    *number = missing;
    struct stmt *stmt = stmt_query(store, "SELECT value FROM numbers WHERE name = ?", "t", name);
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *number = stmt_int(stmt, 0);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

enum err store_set_number(struct store *store, const char *name, int64_t number)
{
    return stmt_run(store, "INSERT OR REPLACE INTO numbers (name, value) VALUES (?, ?)", "ti", name,
                    number);
}
