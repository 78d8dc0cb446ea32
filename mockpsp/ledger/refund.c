#include "refund.h"

#include "charge.h"
#include "check.h"
#include "mem.h"
#include "posting.h"
#include "states.h"
#include "stmt.h"

#include <stdlib.h>

static const char *const NAMES[] = {
#define REFUND_STATE_NAME(constant, name) name,
    REFUND_STATE_LIST(REFUND_STATE_NAME)
#undef REFUND_STATE_NAME
};

#define TO(state) (1U << (state))

/* From each state, the set that it may move to. */
static const unsigned MOVES[REFUND_STATE_COUNT] = {
    [REFUND_PENDING] = TO(REFUND_SUCCEEDED) | TO(REFUND_CANCELED),
    [REFUND_SUCCEEDED] = TO(REFUND_FAILED),
};

static const struct states STATES = {.names = NAMES, .moves = MOVES, .count = REFUND_STATE_COUNT};

const char *refund_state_name(enum refund_state state)
{
    return states_name(&STATES, state);
}

bool refund_may_move(enum refund_state from, enum refund_state to)
{
    return states_may_move(&STATES, from, to);
}

static void move(struct refund *refund, enum refund_state to)
{
    refund->state = (enum refund_state)states_move(&STATES, refund->state, to);
    refund->settle_ms = 0;
}

#define COLUMNS                                                                                    \
    "id, created, amount, currency, charge, payment_intent, reason, metadata, "                    \
    "balance_transaction,"                                                                         \
    " state, settle_ms, failure_reason, failure_transaction"

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
    CHECK(refund->state == REFUND_PENDING || refund->state == REFUND_SUCCEEDED);
    enum err err = stmt_run(store,
                            "INSERT INTO refunds (account, " COLUMNS ")"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            "ttiitttttttitt", account, refund->id, refund->created, refund->amount,
                            refund->currency, refund->charge, refund->intent, refund->reason,
                            refund->metadata, refund->transaction, refund_state_name(refund->state),
                            refund->settle_ms, refund->failure_reason, refund->failure_transaction);
    if (err != ERR_OK || refund->transaction == NULL)
        return err;
    err = charge_add_refund(store, refund->charge, refund->amount);
    return err == ERR_OK ? post(store, account, refund) : err;
}

static enum err write_state(struct store *store, const struct refund *refund)
{
    return stmt_run(store,
                    "UPDATE refunds SET state = ?, settle_ms = ?, failure_reason = ?,"
                    " failure_transaction = ? WHERE id = ?",
                    "tittt", refund_state_name(refund->state), refund->settle_ms,
                    refund->failure_reason, refund->failure_transaction, refund->id);
}

enum err refund_arrive(struct store *store, struct refund *refund)
{
    move(refund, REFUND_SUCCEEDED);
    return write_state(store, refund);
}

static enum err post_back(struct store *store, const char *account, const struct refund *refund,
                          int64_t created)
{
    return posting_record(store, &(struct posting){.transaction = refund->failure_transaction,
                                                   .account = account,
                                                   .from = BOOK_CARDS,
                                                   .to = BOOK_MERCHANT,
                                                   .amount = refund->amount,
                                                   .currency = refund->currency,
                                                   .source = refund->id,
                                                   .created = created});
}

enum err refund_undo(struct store *store, const char *account, struct refund *refund,
                     const struct refund_end *end)
{
    CHECK((end->to == REFUND_FAILED) == (end->reason != NULL));
    move(refund, end->to);
    mem_set_string(&refund->failure_reason, end->reason);
    mem_set_string(&refund->failure_transaction, end->transaction);
    enum err err = write_state(store, refund);
    if (err == ERR_OK)
        err = charge_add_refund(store, refund->charge, -refund->amount);
    return err == ERR_OK ? post_back(store, account, refund, end->created) : err;
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
        .state = (enum refund_state)states_parse(&STATES, stmt_text(stmt, 9)),
        .settle_ms = stmt_int(stmt, 10),
        .failure_reason = stmt_text_copy(stmt, 11),
        .failure_transaction = stmt_text_copy(stmt, 12),
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
    free(refund->failure_reason);
    free(refund->failure_transaction);
    *refund = (struct refund){0};
}
