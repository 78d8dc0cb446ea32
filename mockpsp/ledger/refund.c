#include "refund.h"

#include "charge.h"
#include "posting.h"
#include "stmt.h"

#include <stdlib.h>

#define COLUMNS                                                                                    \
    "id, created, amount, currency, charge, payment_intent, reason, metadata, balance_transaction"

static enum err post(struct store *store, const char *account, const struct refund *refund)
{
    return posting_record(store, &(struct posting){.transaction = refund->transaction,
                                                   .account = account,
                                                   .from = BOOK_MERCHANT,
                                                   .to = BOOK_CARDS,
                                                   .amount = refund->amount,
                                                   .currency = refund->currency,
                                                   .source = refund->id,
                                                   .created = refund->created});
}

enum err refund_insert(struct store *store, const char *account, const struct refund *refund)
{
    enum err err = stmt_run(store,
                            "INSERT INTO refunds (account, " COLUMNS ")"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            "ttiitttttt", account, refund->id, refund->created, refund->amount,
                            refund->currency, refund->charge, refund->intent, refund->reason,
                            refund->metadata, refund->transaction);
    if (err == ERR_OK)
        err = charge_add_refund(store, refund->charge, refund->amount);
    if (err == ERR_OK)
        err = post(store, account, refund);
    return err;
}

enum err refund_update(struct store *store, const struct refund *refund)
{
    return stmt_run(store, "UPDATE refunds SET metadata = ? WHERE id = ?", "tt", refund->metadata,
                    refund->id);
}

static void from_row(const struct stmt *stmt, struct refund *refund)
{
    *refund = (struct refund){
        .id = stmt_text_copy(stmt, 0),
        .created = stmt_int(stmt, 1),
        .amount = stmt_int(stmt, 2),
        .currency = stmt_text_copy(stmt, 3),
        .charge = stmt_text_copy(stmt, 4),
        .intent = stmt_text_copy(stmt, 5),
        .reason = stmt_text_copy(stmt, 6),
        .metadata = stmt_text_copy(stmt, 7),
        .transaction = stmt_text_copy(stmt, 8),
    };
}

enum err refund_get(struct store *store, const char *account, const char *id, struct refund *refund)
{
    struct stmt *stmt = stmt_query(
        store, "SELECT " COLUMNS " FROM refunds WHERE id = ? AND account = ?", "tt", id, account);
    *refund = (struct refund){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, refund);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err refund_list(struct store *store, const char *account, const struct refund_filter *filter,
                     struct page *page, struct refund *list, int *count)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " COLUMNS " FROM refunds WHERE account = ?1"
                   " AND (?2 IS NULL OR charge = ?2)"
                   " AND (?3 IS NULL OR payment_intent = ?3)" PAGE_SQL("refunds", "created"),
                   "ttt" PAGE_TYPES, account, filter->charge, filter->intent, PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

void refund_release(struct refund *refund)
{
    free(refund->id);
    free(refund->currency);
    free(refund->charge);
    free(refund->intent);
    free(refund->reason);
    free(refund->metadata);
    free(refund->transaction);
    *refund = (struct refund){0};
}
