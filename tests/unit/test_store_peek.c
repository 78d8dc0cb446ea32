/* A look into somebody else's database. */
#include "mem.h"
#include "peek.h"
#include "scratch.h"

#include <sqlite3.h>

static struct scratch folder;
static struct scratch file;
static sqlite3 *db;

static void change(const char *sql)
{
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
}

static void open_db(void)
{
    folder = scratch_new();
    file = scratch_file(&folder, "app.db");
    cr_assert_eq(sqlite3_open(file.path, &db), SQLITE_OK);
    change("CREATE TABLE o (id TEXT, n INTEGER, x REAL)");
    change("INSERT INTO o VALUES ('a', 1, 0.5), ('b', NULL, 2)");
}

static void close_db(void)
{
    sqlite3_close(db);
    scratch_remove(&folder);
}

TestSuite(peek, .init = open_db, .fini = close_db);

static void expect_rows(const char *sql, const char *expected)
{
    struct err_text why = {0};
    struct json *rows;
    struct peek_value value = {.type = PEEK_TEXT, .text = "b"};
    cr_assert_eq(peek(file.path, sql, &value, 1, &rows, &why), ERR_OK, "%s", why.text);
    char *text = json_print(rows);
    cr_expect_str_eq(text, expected);
    free(text);
    json_free(rows);
}

static void expect_refusal(enum err expected, const char *sql, const char *words)
{
    struct err_text why = {0};
    struct json *rows;
    cr_expect_eq(peek(file.path, sql, NULL, 0, &rows, &why), expected, "%s: %s", sql, why.text);
    cr_expect_null(rows);
    cr_expect_not_null(strstr(why.text, words), "%s", why.text);
}

Test(peek, rows_are_objects_by_column)
{
    expect_rows("SELECT * FROM o WHERE id = ?", "[{\"id\":\"b\",\"n\":null,\"x\":2}]");
    expect_rows("SELECT id FROM o WHERE id <> ?;", "[{\"id\":\"a\"}]");
    expect_rows("SELECT id FROM o WHERE id = ? || 'x'", "[]");
}

Test(peek, nothing_is_changed)
{
    expect_refusal(ERR_INVALID, "DELETE FROM o", "only reading is allowed");
    expect_refusal(ERR_INVALID, "SELECT 1; DELETE FROM o", "not one statement");
    expect_refusal(ERR_INVALID, "", "not one statement");
    expect_refusal(ERR_INVALID, "SELECT ?", "1 parameters, and 0 values");
    expect_refusal(ERR_INVALID, "SELEC", "syntax error");
    expect_rows("SELECT count(*) AS n FROM o WHERE ? = 'b'", "[{\"n\":2}]");
}

Test(peek, what_is_not_there_yet_is_told_apart)
{
    expect_refusal(ERR_NOT_FOUND, "SELECT * FROM later", "no such table");
    change("PRAGMA user_version = 1");
    struct scratch other = scratch_file(&folder, "other.db");
    struct err_text why;
    struct json *rows;
    cr_expect_eq(peek(other.path, "SELECT 1", NULL, 0, &rows, &why), ERR_NOT_FOUND);
}

Test(peek, somebody_who_writes_is_waited_for_by_the_caller)
{
    change("BEGIN EXCLUSIVE");
    expect_refusal(ERR_BUSY, "SELECT * FROM o", "locked");
    change("COMMIT");
    change("PRAGMA journal_mode = WAL");
    change("BEGIN IMMEDIATE");
    expect_rows("SELECT id FROM o WHERE id = ?", "[{\"id\":\"b\"}]");
    change("COMMIT");
}

Test(peek, rows_are_bounded)
{
    expect_refusal(ERR_LIMIT,
                   "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c) "
                   "SELECT n FROM c",
                   "more than 1000 rows");
}
