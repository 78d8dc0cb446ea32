/* The database: opening, statements, transactions, numbers, and what a failed open leaves behind.
 */
#include "blank.h"
#include "scratch.h"
#include "stmt.h"
#include "store.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct store *open_at(const char *path)
{
    struct store *store;
    struct err_text why = {0};
    cr_assert_eq(store_open(&store, &(struct store_options){.path = path}, &why), ERR_OK, "%s",
                 why.text);
    return store;
}

static void expect_refused(const char *path, enum err wanted, const char *word)
{
    struct store *store;
    struct err_text why = {0};
    cr_expect_eq(store_open(&store, &(struct store_options){.path = path}, &why), wanted);
    cr_expect_null(store);
    cr_expect_not_null(strstr(why.text, path), "%s", why.text);
    cr_expect_not_null(strstr(why.text, word), "%s", why.text);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static int64_t number_of(struct store *store, const char *name)
{
    int64_t number = 0;
    cr_assert_eq(store_get_number(store, name, &number, -1), ERR_OK);
    return number;
}

static void set(struct store *store, const char *name, int64_t number)
{
    cr_assert_eq(store_set_number(store, name, number), ERR_OK);
}

Test(store, in_memory_is_empty_every_time)
{
    for (int i = 0; i < 2; i++) {
        struct store *store = open_at(i == 0 ? NULL : ":memory:");
        cr_expect_eq(number_of(store, "n"), -1);
        set(store, "n", 1);
        store_close(store);
    }
    store_close(NULL);
}

Test(store, numbers_hold_all_of_int64_and_outlive_the_store)
{
    struct scratch scratch = scratch_new();
    struct scratch file = scratch_file(&scratch, "psp.db");
    struct store *store = open_at(file.path);
    set(store, "least", INT64_MIN);
    set(store, "most", INT64_MAX);
    set(store, "most", INT64_MAX - 1);
    store_close(store);
    store = open_at(file.path);
    cr_expect_eq(number_of(store, "least"), INT64_MIN);
    cr_expect_eq(number_of(store, "most"), INT64_MAX - 1);
    cr_expect_eq(number_of(store, "none"), -1);
    store_close(store);
    scratch_remove(&scratch);
}

Test(store, a_durable_one_is_the_same_file)
{
    struct scratch scratch = scratch_new();
    struct scratch file = scratch_file(&scratch, "psp.db");
    struct store *store;
    struct err_text why = {0};
    struct store_options options = {.path = file.path, .durable = true};
    cr_assert_eq(store_open(&store, &options, &why), ERR_OK, "%s", why.text);
    set(store, "n", 7);
    store_close(store);
    store = open_at(file.path);
    cr_expect_eq(number_of(store, "n"), 7);
    store_close(store);
    scratch_remove(&scratch);
}

Test(store, one_that_is_alone_leaves_its_log_beside_it)
{
    struct scratch scratch = scratch_new();
    struct scratch file = scratch_file(&scratch, "psp.db");
    struct scratch shared = scratch_file(&scratch, "psp.db-shm");
    struct scratch log = scratch_file(&scratch, "psp.db-wal");
    struct store_options options = {.path = file.path, .alone = true};
    struct err_text why = {0};
    cr_assert_eq(blank_write(file.path, &why), ERR_OK, "%s", why.text);
    for (int64_t n = 0; n < 2; n++) {
        struct store *store;
        cr_assert_eq(store_open(&store, &options, &why), ERR_OK, "%s", why.text);
        cr_expect_eq(number_of(store, "n"), n - 1);
        set(store, "n", n);
        cr_expect_neq(access(shared.path, F_OK), 0);
        store_close(store);
        cr_expect_eq(access(log.path, F_OK), 0);
    }
    scratch_remove(&scratch);
}

Test(store, one_process_at_a_time)
{
    struct scratch scratch = scratch_new();
    struct scratch file = scratch_file(&scratch, "psp.db");
    struct store *store = open_at(file.path);
    set(store, "n", 1);
    pid_t pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0) {
        struct store *other;
        struct err_text why = {0};
        enum err err = store_open(&other, &(struct store_options){.path = file.path}, &why);
        _exit(err == ERR_BUSY && strstr(why.text, "in use") != NULL ? 0 : 1);
    }
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect_eq(status, 0, "the other process was let in, or was told something else");
    set(store, "n", 2); /* it did no harm */
    store_close(store);
    scratch_remove(&scratch);
}

Test(store, what_is_no_database_of_ours_is_refused_and_left_alone)
{
    struct scratch scratch = scratch_new();
    struct scratch text = scratch_file(&scratch, "text");
    struct scratch nowhere = scratch_file(&scratch, "no/such/folder/psp.db");
    char kept[100] = "";
    write_file(text.path, "This is a letter to a friend, and no database at all.\n");
    expect_refused(text.path, ERR_CORRUPT, "cannot read");
    FILE *file = fopen(text.path, "r");
    cr_assert_not_null(fgets(kept, sizeof kept, file));
    fclose(file);
    cr_expect_str_eq(kept, "This is a letter to a friend, and no database at all.\n");
    expect_refused(nowhere.path, ERR_IO, "cannot open");
    expect_refused(scratch.path, ERR_IO, "cannot");
    scratch_remove(&scratch);
}

Test(store, a_blank_file_is_an_empty_store)
{
    struct scratch scratch = scratch_new();
    struct err_text why = {0};
    for (int i = 0; i < 2; i++) {
        struct scratch file = scratch_file(&scratch, i == 0 ? "one.db" : "other.db");
        cr_assert_eq(blank_write(file.path, &why), ERR_OK, "%s", why.text);
        for (int64_t round = 0; round < 2; round++) {
            struct store *store = open_at(file.path);
            cr_expect_eq(number_of(store, "n"), round - 1);
            set(store, "n", round);
            store_close(store);
        }
    }
    scratch_remove(&scratch);
}

Test(store, a_blank_file_takes_nobodys_place)
{
    struct scratch scratch = scratch_new();
    struct scratch file = scratch_file(&scratch, "psp.db");
    struct err_text why = {0};
    write_file(file.path, "a letter\n");
    cr_expect_eq(blank_write(file.path, &why), ERR_IO);
    cr_expect_not_null(strstr(why.text, file.path), "%s", why.text);
    cr_expect_eq(blank_write("/dev/full/psp.db", &why), ERR_IO);
    scratch_remove(&scratch);
}

Test(store, a_commit_stands_and_a_rollback_does_not)
{
    struct store *store = open_at(NULL);
    cr_assert_eq(store_begin(store), ERR_OK);
    cr_expect(store_in_transaction(store));
    set(store, "n", 1);
    cr_assert_eq(store_commit(store), ERR_OK);
    cr_expect_not(store_in_transaction(store));
    cr_assert_eq(store_begin(store), ERR_OK);
    set(store, "n", 2);
    store_rollback(store);
    cr_expect_not(store_in_transaction(store));
    cr_expect_eq(number_of(store, "n"), 1);
    store_rollback(store); /* without a transaction it does nothing */
    store_close(store);
}

Test(store, a_transaction_left_open_is_rolled_back_at_the_end)
{
    struct scratch scratch = scratch_new();
    struct scratch file = scratch_file(&scratch, "psp.db");
    struct store *store = open_at(file.path);
    cr_assert_eq(store_begin(store), ERR_OK);
    set(store, "n", 1);
    store_close(store);
    store = open_at(file.path);
    cr_expect_eq(number_of(store, "n"), -1);
    store_close(store);
    scratch_remove(&scratch);
}

Test(store, transactions_do_not_nest, .signal = SIGABRT, .init = cr_redirect_stderr)
{
    struct store *store = open_at(NULL);
    cr_assert_eq(store_begin(store), ERR_OK);
    enum err err = store_begin(store);
    (void)err;
}

Test(store, a_commit_without_a_transaction_is_a_bug, .signal = SIGABRT, .init = cr_redirect_stderr)
{
    enum err err = store_commit(open_at(NULL));
    (void)err;
}

Test(stmt, values_come_back_as_they_went_in)
{
    struct store *store = open_at(NULL);
    struct stmt *stmt = stmt_query(store, "SELECT ?, ?, ?, ?", "titi", "a\xc3\xa9'\"\n", INT64_MIN,
                                   NULL, INT64_MAX);
    cr_assert_eq(stmt_next(stmt), ERR_OK);
    cr_expect_str_eq(stmt_text(stmt, 0), "a\xc3\xa9'\"\n");
    cr_expect_eq(stmt_int(stmt, 1), INT64_MIN);
    cr_expect_null(stmt_text(stmt, 2));
    cr_expect_null(stmt_text_copy(stmt, 2));
    cr_expect_eq(stmt_int(stmt, 3), INT64_MAX);
    cr_expect_eq(stmt_next(stmt), ERR_END);
    stmt_end(stmt);
    store_close(store);
}

Test(stmt, text_is_copied_when_it_is_bound)
{
    struct store *store = open_at(NULL);
    char text[] = "before";
    struct stmt *stmt = stmt_query(store, "SELECT ?", "t", text);
    text[0] = 'x';
    cr_assert_eq(stmt_next(stmt), ERR_OK);
    char *copy = stmt_text_copy(stmt, 0);
    stmt_end(stmt);
    cr_expect_str_eq(copy, "before");
    free(copy);
    store_close(store);
}

/* A list that reads another object for each of its rows does this. */
Test(stmt, the_same_query_may_be_under_way_twice)
{
    static const char sql[] = "SELECT value FROM numbers ORDER BY value";
    struct store *store = open_at(NULL);
    int seen = 0;
    set(store, "a", 1);
    set(store, "b", 2);
    struct stmt *outer = stmt_query(store, sql, "");
    while (stmt_next(outer) == ERR_OK) {
        struct stmt *inner = stmt_query(store, sql, "");
        while (stmt_next(inner) == ERR_OK)
            seen += (int)(10 * stmt_int(outer, 0) + stmt_int(inner, 0));
        stmt_end(inner);
    }
    stmt_end(outer);
    cr_expect_eq(seen, 11 + 12 + 21 + 22);
    store_close(store);
}

Test(stmt, bindings_of_the_last_use_are_forgotten)
{
    static const char sql[] = "SELECT ?1, ?2";
    struct store *store = open_at(NULL);
    struct stmt *stmt = stmt_query(store, sql, "ti", "x", INT64_C(5));
    stmt_end(stmt);
    stmt = stmt_query(store, sql, "t", NULL);
    cr_assert_eq(stmt_next(stmt), ERR_OK);
    cr_expect_null(stmt_text(stmt, 0));
    cr_expect_eq(stmt_int(stmt, 1), 0);
    stmt_end(stmt);
    store_close(store);
}

Test(stmt, changes_are_those_of_the_last_run)
{
    struct store *store = open_at(NULL);
    set(store, "a", 1);
    set(store, "b", 1);
    cr_assert_eq(stmt_run(store, "UPDATE numbers SET value = ?", "i", INT64_C(3)), ERR_OK);
    cr_expect_eq(stmt_changes(store), 2);
    cr_assert_eq(stmt_run(store, "DELETE FROM numbers WHERE name = 'c'", ""), ERR_OK);
    cr_expect_eq(stmt_changes(store), 0);
    store_close(store);
}

Test(stmt, sql_that_does_not_compile_is_a_bug, .signal = SIGABRT, .init = cr_redirect_stderr)
{
    enum err err = stmt_run(open_at(NULL), "SELEKT 1", "");
    (void)err;
}

/* Rules are checked before a row is written. */
Test(stmt, a_broken_constraint_is_a_bug, .signal = SIGABRT, .init = cr_redirect_stderr)
{
    enum err err =
        stmt_run(open_at(NULL), "INSERT INTO numbers (name, value) VALUES ('a', NULL)", "");
    (void)err;
}
