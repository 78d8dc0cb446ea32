#include "charge.h"

#include "check.h"
#include "posting.h"
#include "stmt.h"

#include <stdlib.h>

#define COLUMNS                                                                                    \
    "id, created, amount, refunded, currency, payment_intent, customer, card, description,"        \
    " metadata, decline_code, balance_transaction"

bool charge_paid(const struct charge *charge)
{
    return charge->decline_code == NULL;
}

static enum err post(struct store *store, const char *account, const struct charge *charge)
{
    if (!charge_paid(charge))
        return ERR_OK;
    return posting_record(store, &(struct posting){.transaction = charge->transaction,
                                                   .account = account,
                                                   .from = BOOK_CARDS,
                                                   .to = BOOK_MERCHANT,
                                                   .amount = charge->amount,
                                                   .currency = charge->currency,
                                                   .source = charge->id,
                                                   .created = charge->created});
}

enum err charge_insert(struct store *store, const char *account, const struct charge *charge)
{
    CHECK(charge_paid(charge) == (charge->transaction != NULL));
    enum err err = stmt_run(store,
                            "INSERT INTO charges (account, " COLUMNS ")"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            "ttiiitttttttt", account, charge->id, charge->created, charge->amount,
                            charge->refunded, charge->currency, charge->intent, charge->customer,
                            charge->card->method, charge->description, charge->metadata,
                            charge->decline_code, charge->transaction);
    return err == ERR_OK ? post(store, account, charge) : err;
}

static void from_row(const struct stmt *stmt, struct charge *charge)
{
    *charge = (struct charge){
        .id = stmt_text_copy(stmt, 0),
        .created = stmt_int(stmt, 1),
        .amount = stmt_int(stmt, 2),
        .refunded = stmt_int(stmt, 3),
        .currency = stmt_text_copy(stmt, 4),
        .intent = stmt_text_copy(stmt, 5),
        .customer = stmt_text_copy(stmt, 6),
        .card = card_find(stmt_text(stmt, 7)),
        .description = stmt_text_copy(stmt, 8),
        .metadata = stmt_text_copy(stmt, 9),
        .decline_code = stmt_text_copy(stmt, 10),
        .transaction = stmt_text_copy(stmt, 11),
    };
}

enum err charge_get(struct store *store, const char *account, const char *id, struct charge *charge)
{
    struct stmt *stmt = stmt_query(
        store, "SELECT " COLUMNS " FROM charges WHERE id = ? AND account = ?", "tt", id, account);
    *charge = (struct charge){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, charge);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err charge_list(struct store *store, const char *account, const struct charge_filter *filter,
                     struct page *page, struct charge *list, int *count)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " COLUMNS " FROM charges WHERE account = ?1"
                   " AND (?2 IS NULL OR customer = ?2)"
                   " AND (?3 IS NULL OR payment_intent = ?3)" PAGE_SQL("charges", "created"),
                   "ttt" PAGE_TYPES, account, filter->customer, filter->intent, PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

enum err charge_add_refund(struct store *store, const char *id, int64_t amount)
{
    return stmt_run(store, "UPDATE charges SET refunded = refunded + ? WHERE id = ?", "it", amount,
                    id);
}

void charge_release(struct charge *charge)
{
    free(charge->id);
    free(charge->currency);
    free(charge->intent);
    free(charge->customer);
    free(charge->description);
    free(charge->metadata);
    free(charge->decline_code);
    free(charge->transaction);
    *charge = (struct charge){0};
}
