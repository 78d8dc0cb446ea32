#include "charge.h"

#include "check.h"
#include "mem.h"
#include "posting.h"
#include "states.h"
#include "stmt.h"

#include <stdlib.h>

static const char *const NAMES[] = {
#define CHARGE_STATE_NAME(constant, name) name,
    CHARGE_STATE_LIST(CHARGE_STATE_NAME)
#undef CHARGE_STATE_NAME
};

#define TO(state) (1U << (state))

/* From each state, the set that it may move to. */
static const unsigned MOVES[CHARGE_STATE_COUNT] = {
    [CHARGE_PENDING] = TO(CHARGE_CAPTURED) | TO(CHARGE_FAILED),
    [CHARGE_AUTHORIZED] = TO(CHARGE_CAPTURED) | TO(CHARGE_RELEASED),
};

static const struct states STATES = {.names = NAMES, .moves = MOVES, .count = CHARGE_STATE_COUNT};

const char *charge_state_name(enum charge_state state)
{
    return states_name(&STATES, state);
}

bool charge_may_move(enum charge_state from, enum charge_state to)
{
    return states_may_move(&STATES, from, to);
}

static void move(struct charge *charge, enum charge_state to)
{
    charge->state = (enum charge_state)states_move(&STATES, charge->state, to);
    charge->settle_ms = 0;
}

#define COLUMNS                                                                                    \
    "id, created, amount, refunded, currency, payment_intent, customer, card, description,"        \
    " metadata, decline_code, balance_transaction, state, captured, settle_ms, receipt_email,"     \
    " order_id, payment_method"

/* Written by disputes alone. */
#define READ COLUMNS ", dispute, (SELECT status <> 'won' FROM disputes WHERE id = charges.dispute)"

bool charge_paid(const struct charge *charge)
{
    return charge->state == CHARGE_CAPTURED;
}

static enum err post(struct store *store, const char *account, const struct charge *charge,
                     int64_t created)
{
    return posting_record(store, &(struct posting){.transaction = charge->transaction,
                                                   .account = account,
                                                   .from = BOOK_CARDS,
                                                   .to = BOOK_MERCHANT,
                                                   .amount = charge->captured,
                                                   .currency = charge->currency,
                                                   .source = charge->id,
                                                   .created = created});
}

static void check_sound(const struct charge *charge)
{
    CHECK(charge_paid(charge) == (charge->transaction != NULL));
    CHECK(charge_paid(charge) == (charge->captured > 0));
    CHECK(charge->captured <= charge->amount);
    CHECK((charge->state == CHARGE_FAILED) == (charge->decline_code != NULL));
}

enum err charge_insert(struct store *store, const char *account, const struct charge *charge)
{
    CHECK(charge->state != CHARGE_RELEASED);
    check_sound(charge);
    enum err err =
        stmt_run(store,
                 "INSERT INTO charges (account, " COLUMNS ")"
                 " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "ttiiitttttttttiittt", account, charge->id, charge->created, charge->amount,
                 charge->refunded, charge->currency, charge->intent, charge->customer,
                 charge->card->method, charge->description, charge->metadata, charge->decline_code,
                 charge->transaction, charge_state_name(charge->state), charge->captured,
                 charge->settle_ms, charge->receipt_email, charge->order, charge->method);
    return err == ERR_OK && charge_paid(charge) ? post(store, account, charge, charge->created)
                                                : err;
}

static enum err write_state(struct store *store, const struct charge *charge)
{
    check_sound(charge);
    return stmt_run(store,
                    "UPDATE charges SET state = ?, captured = ?, balance_transaction = ?,"
                    " decline_code = ?, settle_ms = ? WHERE id = ?",
                    "tittit", charge_state_name(charge->state), charge->captured,
                    charge->transaction, charge->decline_code, charge->settle_ms, charge->id);
}

enum err charge_capture(struct store *store, const char *account, struct charge *charge,
                        int64_t amount, const char *transaction, int64_t created)
{
    move(charge, CHARGE_CAPTURED);
    charge->captured = amount;
    mem_set_string(&charge->transaction, transaction);
    enum err err = write_state(store, charge);
    return err == ERR_OK ? post(store, account, charge, created) : err;
}

enum err charge_end(struct store *store, struct charge *charge, enum charge_state to,
                    const char *decline_code)
{
    move(charge, to);
    mem_set_string(&charge->decline_code, decline_code);
    return write_state(store, charge);
}

enum err charge_update(struct store *store, const struct charge *charge)
{
    return stmt_run(store,
                    "UPDATE charges SET customer = ?, description = ?, receipt_email = ?,"
                    " metadata = ? WHERE id = ?",
                    "ttttt", charge->customer, charge->description, charge->receipt_email,
                    charge->metadata, charge->id);
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
        .state = (enum charge_state)states_parse(&STATES, stmt_text(stmt, 12)),
        .captured = stmt_int(stmt, 13),
        .settle_ms = stmt_int(stmt, 14),
        .receipt_email = stmt_text_copy(stmt, 15),
        .order = stmt_text_copy(stmt, 16),
        .dispute = stmt_text_copy(stmt, 18),
        .charged_back = stmt_int(stmt, 19) != 0,
        .method = stmt_text_copy(stmt, 17),
    };
}

enum err charge_get(struct store *store, const char *account, const char *id, struct charge *charge)
{
    struct stmt *stmt = stmt_query(
        store, "SELECT " READ " FROM charges WHERE id = ? AND account = ?", "tt", id, account);
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
                   "SELECT " READ " FROM charges WHERE account = ?1"
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

enum err charge_count_pending(struct store *store, int64_t *count)
{
    struct stmt *stmt = stmt_query(store, "SELECT count(*) FROM charges WHERE state = ?", "t",
                                   charge_state_name(CHARGE_PENDING));
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *count = stmt_int(stmt, 0);
    stmt_end(stmt);
    return err;
}

void charge_release(struct charge *charge)
{
    free(charge->id);
    free(charge->currency);
    free(charge->intent);
    free(charge->customer);
    free(charge->method);
    free(charge->description);
    free(charge->receipt_email);
    free(charge->order);
    free(charge->dispute);
    free(charge->metadata);
    free(charge->decline_code);
    free(charge->transaction);
    *charge = (struct charge){0};
}
