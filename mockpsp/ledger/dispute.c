#include "dispute.h"

#include "check.h"
#include "posting.h"
#include "states.h"
#include "stmt.h"

#include <stdlib.h>
#include <string.h>

#define RESPONSE_S (INT64_C(9) * 86400) /* a bank gives 7 to 21 days */

static const char *const NAMES[] = {
#define DISPUTE_STATUS_NAME(constant, name) name,
    DISPUTE_STATUS_LIST(DISPUTE_STATUS_NAME)
#undef DISPUTE_STATUS_NAME
};

#define TO(status) (1U << (status))

/* From each status, the set that it may move to. */
static const unsigned MOVES[DISPUTE_STATUS_COUNT] = {
    [DISPUTE_NEEDS_RESPONSE] = TO(DISPUTE_UNDER_REVIEW) | TO(DISPUTE_LOST),
    [DISPUTE_UNDER_REVIEW] = TO(DISPUTE_WON) | TO(DISPUTE_LOST),
};

static const struct states STATES = {.names = NAMES, .moves = MOVES, .count = DISPUTE_STATUS_COUNT};

const char *dispute_reason(const struct card *card)
{
    static const char *const cards[][2] = {
        {"pm_card_createDispute", "fraudulent"},
        {"pm_card_createDisputeProductNotReceived", "product_not_received"},
    };
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++)
        if (strcmp(cards[i][0], card->method) == 0)
            return cards[i][1];
    return NULL;
}

const char *dispute_status_name(enum dispute_status status)
{
    return states_name(&STATES, status);
}

bool dispute_may_move(enum dispute_status from, enum dispute_status to)
{
    return states_may_move(&STATES, from, to);
}

void dispute_move(struct dispute *dispute, enum dispute_status to)
{
    dispute->status = (enum dispute_status)states_move(&STATES, dispute->status, to);
}

int64_t dispute_due_by(const struct dispute *dispute)
{
    return dispute->created + RESPONSE_S;
}

#define COLUMNS                                                                                    \
    "id, created, amount, currency, charge, payment_intent, status, reason, evidence, metadata,"   \
    " submitted, balance_transaction, reinstatement"

static struct posting posting_of(const char *account, const struct dispute *dispute)
{
    return (struct posting){.transaction = dispute->transaction,
                            .account = account,
                            .from = BOOK_MERCHANT,
                            .to = BOOK_CARDS,
                            .amount = dispute->amount,
                            .currency = dispute->currency,
                            .source = dispute->id,
                            .created = dispute->created};
}

enum err dispute_insert(struct store *store, const char *account, const struct dispute *dispute)
{
    struct posting posting = posting_of(account, dispute);
    CHECK(dispute->status == DISPUTE_NEEDS_RESPONSE && dispute->reinstatement == NULL);
    enum err err = stmt_run(store,
                            "INSERT INTO disputes (account, " COLUMNS ")"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            "ttiitttttttitt", account, dispute->id, dispute->created,
                            dispute->amount, dispute->currency, dispute->charge, dispute->intent,
                            dispute_status_name(dispute->status), dispute->reason,
                            dispute->evidence, dispute->metadata, dispute->submitted,
                            dispute->transaction, dispute->reinstatement);
    if (err == ERR_OK)
        err = stmt_run(store, "UPDATE charges SET dispute = ? WHERE id = ?", "tt", dispute->id,
                       dispute->charge);
    if (err == ERR_OK)
        err = posting_record(store, &posting);
    return err;
}

enum err dispute_update(struct store *store, const struct dispute *dispute)
{
    return stmt_run(store,
                    "UPDATE disputes SET status = ?, evidence = ?, metadata = ?, submitted = ?"
                    " WHERE id = ?",
                    "tttit", dispute_status_name(dispute->status), dispute->evidence,
                    dispute->metadata, dispute->submitted, dispute->id);
}

enum err dispute_reinstate(struct store *store, const char *account, const struct dispute *dispute,
                           int64_t created)
{
    struct posting posting = posting_of(account, dispute);
    CHECK(dispute->status == DISPUTE_WON && dispute->reinstatement != NULL);
    posting.transaction = dispute->reinstatement;
    posting.from = BOOK_CARDS;
    posting.to = BOOK_MERCHANT;
    posting.created = created;
    enum err err = stmt_run(store, "UPDATE disputes SET reinstatement = ? WHERE id = ?", "tt",
                            dispute->reinstatement, dispute->id);
    return err == ERR_OK ? posting_record(store, &posting) : err;
}

static void from_row(const struct stmt *stmt, struct dispute *dispute)
{
    *dispute = (struct dispute){
        .id = stmt_text_copy(stmt, 0),
        .created = stmt_int(stmt, 1),
        .amount = stmt_int(stmt, 2),
        .currency = stmt_text_copy(stmt, 3),
        .charge = stmt_text_copy(stmt, 4),
        .intent = stmt_text_copy(stmt, 5),
        .status = (enum dispute_status)states_parse(&STATES, stmt_text(stmt, 6)),
        .reason = stmt_text_copy(stmt, 7),
        .evidence = stmt_text_copy(stmt, 8),
        .metadata = stmt_text_copy(stmt, 9),
        .submitted = stmt_int(stmt, 10),
        .transaction = stmt_text_copy(stmt, 11),
        .reinstatement = stmt_text_copy(stmt, 12),
    };
}

enum err dispute_get(struct store *store, const char *account, const char *id,
                     struct dispute *dispute)
{
    struct stmt *stmt = stmt_query(
        store, "SELECT " COLUMNS " FROM disputes WHERE id = ? AND account = ?", "tt", id, account);
    *dispute = (struct dispute){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, dispute);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err dispute_owner(struct store *store, const char *account, const char *id, char **owner)
{
    struct stmt *stmt = stmt_query(
        store, "SELECT account FROM disputes WHERE id = ?1 AND (?2 IS NULL OR account = ?2)", "tt",
        id, account);
    *owner = NULL;
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *owner = stmt_text_copy(stmt, 0);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err dispute_list(struct store *store, const char *account, const struct dispute_filter *filter,
                      struct page *page, struct dispute *list, int *count)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " COLUMNS " FROM disputes WHERE account = ?1"
                   " AND (?2 IS NULL OR charge = ?2)"
                   " AND (?3 IS NULL OR payment_intent = ?3)" PAGE_SQL("disputes", "created"),
                   "ttt" PAGE_TYPES, account, filter->charge, filter->intent, PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

void dispute_release(struct dispute *dispute)
{
    free(dispute->id);
    free(dispute->currency);
    free(dispute->charge);
    free(dispute->intent);
    free(dispute->reason);
    free(dispute->evidence);
    free(dispute->metadata);
    free(dispute->transaction);
    free(dispute->reinstatement);
    *dispute = (struct dispute){0};
}
