#include "customer.h"

#include "stmt.h"

#include <stdlib.h>

#define COLUMNS                                                                                    \
    "id, created, email, name, phone, description, metadata, address, shipping, default_method,"   \
    " default_source, deleted"

enum err customer_insert(struct store *store, const char *account, const struct customer *customer)
{
    return stmt_run(store,
                    "INSERT INTO customers (account, " COLUMNS ")"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    "ttittttttttti", account, customer->id, customer->created, customer->email,
                    customer->name, customer->phone, customer->description, customer->metadata,
                    customer->address, customer->shipping, customer->default_method,
                    customer->default_source, (int64_t)customer->deleted);
}

enum err customer_update(struct store *store, const struct customer *customer)
{
    return stmt_run(store,
                    "UPDATE customers SET email = ?, name = ?, phone = ?, description = ?,"
                    " metadata = ?, address = ?, shipping = ?, default_method = ?,"
                    " default_source = ?, deleted = ? WHERE id = ?",
                    "tttttttttit", customer->email, customer->name, customer->phone,
                    customer->description, customer->metadata, customer->address,
                    customer->shipping, customer->default_method, customer->default_source,
                    (int64_t)customer->deleted, customer->id);
}

enum err customer_forget_method(struct store *store, const char *account, const char *method)
{
    return stmt_run(store,
                    "UPDATE customers SET default_method = nullif(default_method, ?2),"
                    " default_source = nullif(default_source, ?2)"
                    " WHERE account = ?1 AND (default_method = ?2 OR default_source = ?2)",
                    "tt", account, method);
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
        .address = stmt_text_copy(stmt, 7),
        .shipping = stmt_text_copy(stmt, 8),
        .default_method = stmt_text_copy(stmt, 9),
        .default_source = stmt_text_copy(stmt, 10),
        .deleted = stmt_int(stmt, 11) != 0,
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

enum err customer_list(struct store *store, const char *account,
                       const struct customer_filter *filter, struct page *page,
                       struct customer *list, int *count)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " COLUMNS " FROM customers WHERE account = ?1"
                   " AND deleted = 0"
                   " AND (?2 IS NULL OR email = ?2)" PAGE_SQL("customers", "created"),
                   "tt" PAGE_TYPES, account, filter->email, PAGE_VALUES(page));
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
    free(customer->address);
    free(customer->shipping);
    free(customer->default_method);
    free(customer->default_source);
    *customer = (struct customer){0};
}
