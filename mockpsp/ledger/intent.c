#include "intent.h"

#include "mem.h"
#include "states.h"
#include "stmt.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {
#define INTENT_STATUS_NAME(constant, name) name,
    INTENT_STATUS_LIST(INTENT_STATUS_NAME)
#undef INTENT_STATUS_NAME
};

#define TO(status) (1U << (status))

/* From each status, the set that it may move to. */
static const unsigned MOVES[INTENT_STATUS_COUNT] = {
    [INTENT_REQUIRES_PAYMENT_METHOD] = TO(INTENT_REQUIRES_CONFIRMATION) | TO(INTENT_CANCELED),
    [INTENT_REQUIRES_CONFIRMATION] = TO(INTENT_REQUIRES_ACTION) | TO(INTENT_PROCESSING) |
                                     TO(INTENT_REQUIRES_CAPTURE) | TO(INTENT_SUCCEEDED) |
                                     TO(INTENT_REQUIRES_PAYMENT_METHOD) | TO(INTENT_CANCELED),
    [INTENT_REQUIRES_ACTION] = TO(INTENT_REQUIRES_CONFIRMATION) | TO(INTENT_PROCESSING) |
                               TO(INTENT_REQUIRES_CAPTURE) | TO(INTENT_SUCCEEDED) |
                               TO(INTENT_REQUIRES_PAYMENT_METHOD) | TO(INTENT_CANCELED),
    [INTENT_PROCESSING] = TO(INTENT_SUCCEEDED) | TO(INTENT_REQUIRES_PAYMENT_METHOD),
    [INTENT_REQUIRES_CAPTURE] = TO(INTENT_SUCCEEDED) | TO(INTENT_CANCELED),
};

static const struct states STATES = {.names = NAMES, .moves = MOVES, .count = INTENT_STATUS_COUNT};

const char *intent_status_name(enum intent_status status)
{
    return states_name(&STATES, status);
}

bool intent_may_move(enum intent_status from, enum intent_status to)
{
    return states_may_move(&STATES, from, to);
}

void intent_move(struct intent *intent, enum intent_status to)
{
    intent->status = (enum intent_status)states_move(&STATES, intent->status, to);
}

void intent_use(struct intent *intent, const struct card *card, const char *method)
{
    intent->card = card;
    mem_set_string(&intent->method, method);
}

#define COLUMNS                                                                                    \
    "id, created, amount, currency, status, customer, card, description, metadata,"                \
    " latest_charge, decline_code, capture_method, received, receipt_email,"                       \
    " cancellation_reason, canceled_at, payment_method, future_usage, shown"

static const char *card_name(const struct intent *intent)
{
    return intent->card == NULL ? NULL : intent->card->method;
}

static const char *capture_method(const struct intent *intent)
{
    return intent->manual_capture ? "manual" : "automatic";
}

enum err intent_insert(struct store *store, const char *account, const struct intent *intent)
{
    return stmt_run(store,
                    "INSERT INTO payment_intents (account, " COLUMNS ")"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    "ttiitttttttttittittt", account, intent->id, intent->created, intent->amount,
                    intent->currency, intent_status_name(intent->status), intent->customer,
                    card_name(intent), intent->description, intent->metadata, intent->latest_charge,
                    intent->decline_code, capture_method(intent), intent->received,
                    intent->receipt_email, intent->cancellation_reason, intent->canceled_at,
                    intent->method, intent->future_usage, intent->shown);
}

enum err intent_update(struct store *store, const struct intent *intent)
{
    return stmt_run(store,
                    "UPDATE payment_intents SET amount = ?, currency = ?, status = ?,"
                    " customer = ?, card = ?, description = ?, metadata = ?, latest_charge = ?,"
                    " decline_code = ?, capture_method = ?, received = ?, receipt_email = ?,"
                    " cancellation_reason = ?, canceled_at = ?, payment_method = ?,"
                    " future_usage = ?, shown = ? WHERE id = ?",
                    "itttttttttittitttt", intent->amount, intent->currency,
                    intent_status_name(intent->status), intent->customer, card_name(intent),
                    intent->description, intent->metadata, intent->latest_charge,
                    intent->decline_code, capture_method(intent), intent->received,
                    intent->receipt_email, intent->cancellation_reason, intent->canceled_at,
                    intent->method, intent->future_usage, intent->shown, intent->id);
}

static void from_row(const struct stmt *stmt, struct intent *intent)
{
    *intent = (struct intent){
        .id = stmt_text_copy(stmt, 0),
        .created = stmt_int(stmt, 1),
        .amount = stmt_int(stmt, 2),
        .currency = stmt_text_copy(stmt, 3),
        .status = (enum intent_status)states_parse(&STATES, stmt_text(stmt, 4)),
        .customer = stmt_text_copy(stmt, 5),
        .card = stmt_text(stmt, 6) == NULL ? NULL : card_find(stmt_text(stmt, 6)),
        .description = stmt_text_copy(stmt, 7),
        .metadata = stmt_text_copy(stmt, 8),
        .latest_charge = stmt_text_copy(stmt, 9),
        .decline_code = stmt_text_copy(stmt, 10),
        .manual_capture = strcmp(stmt_text(stmt, 11), "manual") == 0,
        .received = stmt_int(stmt, 12),
        .receipt_email = stmt_text_copy(stmt, 13),
        .cancellation_reason = stmt_text_copy(stmt, 14),
        .canceled_at = stmt_int(stmt, 15),
        .method = stmt_text_copy(stmt, 16),
        .future_usage = stmt_text_copy(stmt, 17),
        .shown = stmt_text_copy(stmt, 18),
    };
}

enum err intent_get(struct store *store, const char *account, const char *id, struct intent *intent)
{
    struct stmt *stmt =
        stmt_query(store, "SELECT " COLUMNS " FROM payment_intents WHERE id = ? AND account = ?",
                   "tt", id, account);
    *intent = (struct intent){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, intent);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err intent_owner(struct store *store, const char *id, char **account)
{
    struct stmt *stmt =
        stmt_query(store, "SELECT account FROM payment_intents WHERE id = ?", "t", id);
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *account = stmt_text_copy(stmt, 0);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err intent_list(struct store *store, const char *account, const struct intent_filter *filter,
                     struct page *page, struct intent *list, int *count)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " COLUMNS " FROM payment_intents WHERE account = ?1"
                   " AND (?2 IS NULL OR customer = ?2)" PAGE_SQL("payment_intents", "created"),
                   "tt" PAGE_TYPES, account, filter->customer, PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

void intent_release(struct intent *intent)
{
    free(intent->id);
    free(intent->currency);
    free(intent->customer);
    free(intent->method);
    free(intent->future_usage);
    free(intent->description);
    free(intent->metadata);
    free(intent->latest_charge);
    free(intent->decline_code);
    free(intent->receipt_email);
    free(intent->cancellation_reason);
    free(intent->shown);
    *intent = (struct intent){0};
}
