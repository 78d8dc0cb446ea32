#include "balance.h"

#include "stmt.h"

#include <stdlib.h>

#define COLUMNS "id, created, amount, currency, source, type"

/* As the view balance_transactions has them. */
const char *const MOVEMENT_TYPES[] = {"adjustment", "charge", "refund", "refund_failure", NULL};

static void from_row(const struct stmt *stmt, struct movement *movement)
{
    *movement = (struct movement){
        .id = stmt_text_copy(stmt, 0),
        .created = stmt_int(stmt, 1),
        .amount = stmt_int(stmt, 2),
        .currency = stmt_text_copy(stmt, 3),
        .source = stmt_text_copy(stmt, 4),
        .type = stmt_text_copy(stmt, 5),
    };
}

enum err movement_get(struct store *store, const char *account, const char *id,
                      struct movement *movement)
{
    struct stmt *stmt = stmt_query(
        store, "SELECT " COLUMNS " FROM balance_transactions WHERE id = ? AND account = ?", "tt",
        id, account);
    *movement = (struct movement){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, movement);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err movement_list(struct store *store, const char *account,
                       const struct movement_filter *filter, struct page *page,
                       struct movement *list, int *count)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " COLUMNS " FROM balance_transactions WHERE account = ?1"
                   " AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL OR source = ?3)"
                   " AND (?4 IS NULL OR currency = ?4)" PAGE_SQL("balance_transactions", "created"),
                   "tttt" PAGE_TYPES, account, filter->type, filter->source, filter->currency,
                   PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

void movement_release(struct movement *movement)
{
    free(movement->id);
    free(movement->currency);
    free(movement->source);
    free(movement->type);
    *movement = (struct movement){0};
}

enum err balance_read(struct store *store, const char *account, struct json **sums)
{
    struct stmt *stmt = stmt_query(store,
                                   "SELECT currency, sum(amount) FROM balance_transactions"
                                   " WHERE account = ? GROUP BY currency ORDER BY currency",
                                   "t", account);
    enum err err;
    *sums = json_object();
    while ((err = stmt_next(stmt)) == ERR_OK)
        json_set_int(*sums, stmt_text(stmt, 0), stmt_int(stmt, 1));
    stmt_end(stmt);
    if (err == ERR_END)
        return ERR_OK;
    json_free(*sums);
    *sums = NULL;
    return err;
}
