#include "peek.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static enum err failed(sqlite3 *db, const char *file, int code, struct err_text *why)
{
    const char *words = db == NULL ? sqlite3_errstr(code) : sqlite3_errmsg(db);
    enum err err = ERR_IO;
    if ((code & 0xFF) == SQLITE_BUSY || (code & 0xFF) == SQLITE_LOCKED)
        err = ERR_BUSY;
    else if (strncmp(words, "no such table", 13) == 0)
        err = ERR_NOT_FOUND;
    else if ((code & 0xFF) == SQLITE_ERROR || (code & 0xFF) == SQLITE_READONLY ||
             (code & 0xFF) == SQLITE_RANGE)
        err = ERR_INVALID;
    return err_say(why, err, "%s: %s", file, words);
}

static int bind(sqlite3_stmt *stmt, const struct peek_value *values, int count)
{
    int code = SQLITE_OK;
    for (int i = 0; i < count && code == SQLITE_OK; i++) {
        switch (values[i].type) {
        case PEEK_NULL:
            code = sqlite3_bind_null(stmt, i + 1);
            break;
        case PEEK_INTEGER:
            code = sqlite3_bind_int64(stmt, i + 1, values[i].integer);
            break;
        case PEEK_REAL:
            code = sqlite3_bind_double(stmt, i + 1, values[i].real);
            break;
        case PEEK_TEXT:
            code = sqlite3_bind_text(stmt, i + 1, values[i].text, -1, SQLITE_TRANSIENT);
            break;
        }
    }
    return code;
}

static struct json *value_of(sqlite3_stmt *stmt, int column)
{
    switch (sqlite3_column_type(stmt, column)) {
    case SQLITE_NULL:
        return json_null();
    case SQLITE_INTEGER:
        return json_int(sqlite3_column_int64(stmt, column));
    case SQLITE_FLOAT:
        return json_double(sqlite3_column_double(stmt, column));
    default:
        return json_string((const char *)sqlite3_column_text(stmt, column));
    }
}

static struct json *row_of(sqlite3_stmt *stmt)
{
    struct json *row = json_object();
    for (int i = 0; i < sqlite3_column_count(stmt); i++)
        json_set(row, sqlite3_column_name(stmt, i), value_of(stmt, i));
    return row;
}

static enum err read_rows(sqlite3 *db, const char *file, sqlite3_stmt *stmt, struct json *rows,
                          struct err_text *why)
{
    int code;
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
        if (json_count(rows) == PEEK_MOST_ROWS)
            return err_say(why, ERR_LIMIT, "more than %d rows", PEEK_MOST_ROWS);
        json_push(rows, row_of(stmt));
    }
    return code == SQLITE_DONE ? ERR_OK : failed(db, file, code, why);
}

/* What is wrong with the statement that SQL was read as, up to REST. */
static enum err check(sqlite3_stmt *stmt, const char *rest, int count, struct err_text *why)
{
    if (stmt == NULL || rest[strspn(rest, " \t\r\n;")] != '\0')
        return err_say(why, ERR_INVALID, "the SQL is not one statement");
    if (!sqlite3_stmt_readonly(stmt))
        return err_say(why, ERR_INVALID, "the SQL would change something: only reading is allowed");
    if (sqlite3_bind_parameter_count(stmt) != count)
        return err_say(why, ERR_INVALID, "the SQL has %d parameters, and %d values are given",
                       sqlite3_bind_parameter_count(stmt), count);
    return ERR_OK;
}

enum err peek(const char *file, const char *sql, const struct peek_value *values, int count,
              struct json **rows, struct err_text *why)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    const char *rest = "";
    *rows = NULL;
    if (access(file, F_OK) != 0)
        return err_say(why, ERR_NOT_FOUND, "%s: %s", file, strerror(errno));
    struct json *made = json_array();
    int code = sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, sql, -1, &stmt, &rest);
    enum err err = code == SQLITE_OK ? check(stmt, rest, count, why) : failed(db, file, code, why);
    if (err == ERR_OK && (code = bind(stmt, values, count)) != SQLITE_OK)
        err = failed(db, file, code, why);
    if (err == ERR_OK)
        err = read_rows(db, file, stmt, made, why);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    if (err == ERR_OK)
        *rows = made;
    else
        json_free(made);
    return err;
}
