#include "plain_payment.h"

#include "stmt.h"

#include <stdlib.h>

#define COLUMNS "id, operation_id, reference"

enum err plain_payment_insert(struct store *store, const char *account,
                              const struct plain_payment *payment)
{
    return stmt_run(
        store, "INSERT INTO plain_payments (account, created, " COLUMNS ") VALUES (?, ?, ?, ?, ?)",
        "tittt", account, payment->charge.created, payment->charge.id, payment->operation,
        payment->reference);
}

/* Without its charge, but for the id. */
static void from_row(const struct stmt *stmt, struct plain_payment *payment)
{
    *payment = (struct plain_payment){
        .operation = stmt_text_copy(stmt, 1),
        .reference = stmt_text_copy(stmt, 2),
        .charge = {.id = stmt_text_copy(stmt, 0)},
    };
}

static enum err load_charge(struct store *store, const char *account, struct plain_payment *payment)
{
    char *id = payment->charge.id;
    enum err err = charge_get(store, account, id, &payment->charge);
    free(id);
    return err;
}

static enum err get_one(struct store *store, const char *account, struct stmt *stmt,
                        struct plain_payment *payment)
{
    *payment = (struct plain_payment){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, payment);
    stmt_end(stmt);
    if (err == ERR_OK)
        err = load_charge(store, account, payment);
    if (err != ERR_OK)
        plain_payment_release(payment);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err plain_payment_get(struct store *store, const char *account, const char *id,
                           struct plain_payment *payment)
{
    return get_one(store, account,
                   stmt_query(store,
                              "SELECT " COLUMNS " FROM plain_payments WHERE id = ? AND account = ?",
                              "tt", id, account),
                   payment);
}

enum err plain_payment_of_operation(struct store *store, const char *account, const char *operation,
                                    struct plain_payment *payment)
{
    return get_one(store, account,
                   stmt_query(store,
                              "SELECT " COLUMNS " FROM plain_payments"
                              " WHERE account = ? AND operation_id = ? ORDER BY row DESC LIMIT 1",
                              "tt", account, operation),
                   payment);
}

enum err plain_payment_owner(struct store *store, const char *id, char **account)
{
    struct stmt *stmt =
        stmt_query(store, "SELECT account FROM plain_payments WHERE id = ?", "t", id);
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *account = stmt_text_copy(stmt, 0);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err plain_payment_list(struct store *store, const char *account, const char *reference,
                            struct page *page, struct plain_payment *list, int *count)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " COLUMNS " FROM plain_payments WHERE account = ?1"
                   " AND (?2 IS NULL OR reference = ?2)" PAGE_SQL("plain_payments", "created"),
                   "tt" PAGE_TYPES, account, reference, PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    if (err == ERR_END)
        err = ERR_OK;
    for (int i = 0; i < *count && err == ERR_OK; i++)
        err = load_charge(store, account, &list[i]);
    return err;
}

void plain_payment_release(struct plain_payment *payment)
{
    free(payment->operation);
    free(payment->reference);
    charge_release(&payment->charge);
    *payment = (struct plain_payment){0};
}
