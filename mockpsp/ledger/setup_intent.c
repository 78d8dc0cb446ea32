#include "setup_intent.h"

#include "mem.h"
#include "states.h"
#include "stmt.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {
#define SETUP_STATUS_NAME(constant, name) name,
    SETUP_STATUS_LIST(SETUP_STATUS_NAME)
#undef SETUP_STATUS_NAME
};

#define TO(status) (1U << (status))

/* From each status, the set that it may move to. */
static const unsigned MOVES[SETUP_STATUS_COUNT] = {
    [SETUP_REQUIRES_PAYMENT_METHOD] = TO(SETUP_REQUIRES_CONFIRMATION) | TO(SETUP_CANCELED),
    [SETUP_REQUIRES_CONFIRMATION] = TO(SETUP_REQUIRES_ACTION) | TO(SETUP_SUCCEEDED) |
                                    TO(SETUP_REQUIRES_PAYMENT_METHOD) | TO(SETUP_CANCELED),
    [SETUP_REQUIRES_ACTION] = TO(SETUP_SUCCEEDED) | TO(SETUP_REQUIRES_PAYMENT_METHOD) |
                              TO(SETUP_REQUIRES_CONFIRMATION) | TO(SETUP_CANCELED),
};

static const struct states STATES = {.names = NAMES, .moves = MOVES, .count = SETUP_STATUS_COUNT};

const char *setup_intent_status_name(enum setup_status status)
{
    return states_name(&STATES, status);
}

bool setup_intent_may_move(enum setup_status from, enum setup_status to)
{
    return states_may_move(&STATES, from, to);
}

void setup_intent_move(struct setup_intent *intent, enum setup_status to)
{
    intent->status = (enum setup_status)states_move(&STATES, intent->status, to);
}

void setup_intent_use(struct setup_intent *intent, const struct card *card, const char *method)
{
    intent->card = card;
    mem_set_string(&intent->method, method);
}

#define COLUMNS                                                                                    \
    "id, created, status, customer, card, payment_method, usage, description, metadata,"           \
    " decline_code, cancellation_reason"

static const char *card_name(const struct setup_intent *intent)
{
    return intent->card == NULL ? NULL : intent->card->method;
}

enum err setup_intent_insert(struct store *store, const char *account,
                             const struct setup_intent *intent)
{
    return stmt_run(store,
                    "INSERT INTO setup_intents (account, " COLUMNS ")"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    "ttittttttttt", account, intent->id, intent->created,
                    setup_intent_status_name(intent->status), intent->customer, card_name(intent),
                    intent->method, intent->on_session ? "on_session" : "off_session",
                    intent->description, intent->metadata, intent->decline_code,
                    intent->cancellation_reason);
}

enum err setup_intent_update(struct store *store, const struct setup_intent *intent)
{
    return stmt_run(store,
                    "UPDATE setup_intents SET status = ?, customer = ?, card = ?,"
                    " payment_method = ?, description = ?, metadata = ?, decline_code = ?,"
                    " cancellation_reason = ? WHERE id = ?",
                    "ttttttttt", setup_intent_status_name(intent->status), intent->customer,
                    card_name(intent), intent->method, intent->description, intent->metadata,
                    intent->decline_code, intent->cancellation_reason, intent->id);
}

static void from_row(const struct stmt *stmt, struct setup_intent *intent)
{
    *intent = (struct setup_intent){
        .id = stmt_text_copy(stmt, 0),
        .created = stmt_int(stmt, 1),
        .status = (enum setup_status)states_parse(&STATES, stmt_text(stmt, 2)),
        .customer = stmt_text_copy(stmt, 3),
        .card = stmt_text(stmt, 4) == NULL ? NULL : card_find(stmt_text(stmt, 4)),
        .method = stmt_text_copy(stmt, 5),
        .on_session = strcmp(stmt_text(stmt, 6), "on_session") == 0,
        .description = stmt_text_copy(stmt, 7),
        .metadata = stmt_text_copy(stmt, 8),
        .decline_code = stmt_text_copy(stmt, 9),
        .cancellation_reason = stmt_text_copy(stmt, 10),
    };
}

enum err setup_intent_get(struct store *store, const char *account, const char *id,
                          struct setup_intent *intent)
{
    struct stmt *stmt =
        stmt_query(store, "SELECT " COLUMNS " FROM setup_intents WHERE id = ? AND account = ?",
                   "tt", id, account);
    *intent = (struct setup_intent){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, intent);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err setup_intent_owner(struct store *store, const char *id, char **account)
{
    struct stmt *stmt =
        stmt_query(store, "SELECT account FROM setup_intents WHERE id = ?", "t", id);
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *account = stmt_text_copy(stmt, 0);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err setup_intent_list(struct store *store, const char *account,
                           const struct setup_intent_filter *filter, struct page *page,
                           struct setup_intent *list, int *count)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " COLUMNS " FROM setup_intents WHERE account = ?1"
                   " AND (?2 IS NULL OR customer = ?2)"
                   " AND (?3 IS NULL OR payment_method = ?3)" PAGE_SQL("setup_intents", "created"),
                   "ttt" PAGE_TYPES, account, filter->customer, filter->method, PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

void setup_intent_release(struct setup_intent *intent)
{
    free(intent->id);
    free(intent->customer);
    free(intent->method);
    free(intent->description);
    free(intent->metadata);
    free(intent->decline_code);
    free(intent->cancellation_reason);
    *intent = (struct setup_intent){0};
}
