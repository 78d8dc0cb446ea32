#include "payment_method.h"

#include "stmt.h"

#include <stdlib.h>

#define COLUMNS "id, created, card, customer, spent, billing, metadata, detached"

enum err payment_method_insert(struct store *store, const char *account,
                               const struct payment_method *method)
{
    return stmt_run(store,
                    "INSERT INTO payment_methods (account, " COLUMNS ")"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    "ttittitti", account, method->id, method->created, method->card->method,
                    method->customer, (int64_t)method->spent, method->billing, method->metadata,
                    (int64_t)method->detached);
}

enum err payment_method_update(struct store *store, const struct payment_method *method)
{
    return stmt_run(store,
                    "UPDATE payment_methods SET customer = ?, spent = ?, billing = ?,"
                    " metadata = ?, detached = ? WHERE id = ?",
                    "tittit", method->customer, (int64_t)method->spent, method->billing,
                    method->metadata, (int64_t)method->detached, method->id);
}

enum err payment_method_spend(struct store *store, const char *account, const char *id)
{
    return stmt_run(store,
                    "UPDATE payment_methods SET spent = 1"
                    " WHERE account = ? AND id = ? AND customer IS NULL",
                    "tt", account, id);
}

enum err payment_method_detach_all(struct store *store, const char *account, const char *customer)
{
    return stmt_run(store,
                    "UPDATE payment_methods SET customer = NULL, spent = 1, detached = 1"
                    " WHERE account = ? AND customer = ?",
                    "tt", account, customer);
}

static void from_row(const struct stmt *stmt, struct payment_method *method)
{
    *method = (struct payment_method){
        .id = stmt_text_copy(stmt, 0),
        .created = stmt_int(stmt, 1),
        .card = card_find(stmt_text(stmt, 2)),
        .customer = stmt_text_copy(stmt, 3),
        .spent = stmt_int(stmt, 4) != 0,
        .billing = stmt_text_copy(stmt, 5),
        .metadata = stmt_text_copy(stmt, 6),
        .detached = stmt_int(stmt, 7) != 0,
    };
}

enum err payment_method_get(struct store *store, const char *account, const char *id,
                            struct payment_method *method)
{
    struct stmt *stmt =
        stmt_query(store, "SELECT " COLUMNS " FROM payment_methods WHERE id = ? AND account = ?",
                   "tt", id, account);
    *method = (struct payment_method){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, method);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err payment_method_list(struct store *store, const char *account,
                             const struct payment_method_filter *filter, struct page *page,
                             struct payment_method *list, int *count)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " COLUMNS " FROM payment_methods WHERE account = ?1"
                   " AND (?2 IS NULL OR customer = ?2)"
                   " AND (?3 IS NULL OR card GLOB ?3)" PAGE_SQL("payment_methods", "created"),
                   "ttt" PAGE_TYPES, account, filter->customer, filter->cards, PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

void payment_method_release(struct payment_method *method)
{
    free(method->id);
    free(method->customer);
    free(method->billing);
    free(method->metadata);
    *method = (struct payment_method){0};
}
