#include "books.h"

#include "posting.h"
#include "stmt.h"

/* Each row of STMT, whose columns are named by NAMES ("=" in front: a number), onto ARRAY. */
static enum err push_rows(struct stmt *stmt, const char *const *names, struct json *array)
{
    enum err err;
    while ((err = stmt_next(stmt)) == ERR_OK) {
        struct json *row = json_object();
        for (int i = 0; names[i] != NULL; i++)
            if (names[i][0] == '=')
                json_set_int(row, names[i] + 1, stmt_int(stmt, i));
            else
                json_maybe_string(row, names[i], stmt_text(stmt, i));
        json_push(array, row);
    }
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

static enum err read_charges(struct store *store, const char *account, struct json *array)
{
    static const char *const names[] = {"id",       "account",      "=created", "=amount",
                                        "currency", "=refunded",    "status",   "payment_intent",
                                        "customer", "decline_code", "metadata", "=captured",
                                        NULL};
    return push_rows(
        stmt_query(store,
                   "SELECT id, account, created, amount, currency, refunded,"
                   " CASE state WHEN 'captured' THEN 'succeeded' ELSE state END,"
                   " payment_intent, customer, decline_code, metadata, captured FROM charges"
                   " WHERE ?1 IS NULL OR account = ?1 ORDER BY row",
                   "t", account),
        names, array);
}

static enum err read_refunds(struct store *store, const char *account, struct json *array)
{
    static const char *const names[] = {"id",       "account", "=created",       "=amount",
                                        "currency", "charge",  "payment_intent", "status",
                                        NULL};
    return push_rows(stmt_query(store,
                                "SELECT id, account, created, amount, currency, charge,"
                                " payment_intent, state FROM refunds"
                                " WHERE ?1 IS NULL OR account = ?1 ORDER BY row",
                                "t", account),
                     names, array);
}

static enum err read_disputes(struct store *store, const char *account, struct json *array)
{
    static const char *const names[] = {"id",      "account",        "=created",
                                        "=amount", "currency",       "charge",
                                        "status",  "payment_intent", NULL};
    return push_rows(stmt_query(store,
                                "SELECT id, account, created, amount, currency, charge, status,"
                                " payment_intent FROM disputes"
                                " WHERE ?1 IS NULL OR account = ?1 ORDER BY row",
                                "t", account),
                     names, array);
}

enum err books_read(struct store *store, const char *account, struct json **books)
{
    int64_t wrong = 0;
    struct json *charges = json_array();
    struct json *refunds = json_array();
    struct json *disputes = json_array();
    struct json *audit = json_object();
    *books = json_object();
    json_set(*books, "charges", charges);
    json_set(*books, "refunds", refunds);
    json_set(*books, "disputes", disputes);
    json_set(*books, "audit", audit);
    enum err err = read_charges(store, account, charges);
    if (err == ERR_OK)
        err = read_refunds(store, account, refunds);
    if (err == ERR_OK)
        err = read_disputes(store, account, disputes);
    if (err == ERR_OK)
        err = posting_audit(store, &wrong);
    json_set_int(audit, "wrong", wrong);
    if (err != ERR_OK) {
        json_free(*books);
        *books = NULL;
    }
    return err;
}

enum err books_reset(struct store *store, const char *account)
{
    static const char *const deletes[] = {
        "DELETE FROM postings WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM disputes WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM refunds WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM charges WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM payment_intents WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM stale_objects WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM access_tokens WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM plain_payments WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM foreign_objects WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM checkout_sessions WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM setup_intents WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM payment_methods WHERE ?1 IS NULL OR account = ?1",
        "DELETE FROM customers WHERE ?1 IS NULL OR account = ?1",
    };
    enum err err = ERR_OK;
    for (size_t i = 0; i < sizeof deletes / sizeof deletes[0] && err == ERR_OK; i++)
        err = stmt_run(store, deletes[i], "t", account);
    return err;
}
