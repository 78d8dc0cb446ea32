#include "customer.h"

#include "stmt.h"

#include <stdlib.h>

#define COLUMNS "id, created, email, name, phone, description, metadata"

enum err customer_insert(struct store *store, const char *account, const struct customer *customer)
{
    return stmt_run(store,
                    "INSERT INTO customers (account, " COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    "ttittttt", account, customer->id, customer->created, customer->email,
                    customer->name, customer->phone, customer->description, customer->metadata);
}

static void from_row(const struct stmt *stmt, struct customer *customer)
{
    *customer = (struct customer){
        .id = stmt_text_copy(stmt, 0),
        .created = stmt_int(stmt, 1),
        .email = stmt_text_copy(stmt, 2),
        .name = stmt_text_copy(stmt, 3),
        .phone = stmt_text_copy(stmt, 4),
        .description = stmt_text_copy(stmt, 5),
        .metadata = stmt_text_copy(stmt, 6),
    };
}

enum err customer_get(struct store *store, const char *account, const char *id,
                      struct customer *customer)
{
    struct stmt *stmt = stmt_query(
        store, "SELECT " COLUMNS " FROM customers WHERE id = ? AND account = ?", "tt", id, account);
    *customer = (struct customer){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, customer);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err customer_list(struct store *store, const char *account, struct page *page,
                       struct customer *list, int *count)
{
    struct stmt *stmt = stmt_query(
        store,
        "SELECT " COLUMNS " FROM customers WHERE account = ?1" PAGE_SQL("customers", "created"),
        "t" PAGE_TYPES, account, PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

void customer_release(struct customer *customer)
{
    free(customer->id);
    free(customer->email);
    free(customer->name);
    free(customer->phone);
    free(customer->description);
    free(customer->metadata);
    *customer = (struct customer){0};
}
