#include "checkout_session.h"

#include "states.h"
#include "stmt.h"

#include <stdlib.h>

static const char *const NAMES[] = {
#define CHECKOUT_STATUS_NAME(constant, name) name,
    CHECKOUT_STATUS_LIST(CHECKOUT_STATUS_NAME)
#undef CHECKOUT_STATUS_NAME
};

#define TO(status) (1U << (status))

/* From each status, the set that it may move to. */
static const unsigned MOVES[CHECKOUT_STATUS_COUNT] = {
    [CHECKOUT_OPEN] = TO(CHECKOUT_COMPLETE) | TO(CHECKOUT_EXPIRED),
};

static const struct states STATES = {
    .names = NAMES, .moves = MOVES, .count = CHECKOUT_STATUS_COUNT};

const char *checkout_status_name(enum checkout_status status)
{
    return states_name(&STATES, status);
}

bool checkout_session_may_move(enum checkout_status from, enum checkout_status to)
{
    return states_may_move(&STATES, from, to);
}

void checkout_session_move(struct checkout_session *session, enum checkout_status to)
{
    session->status = (enum checkout_status)states_move(&STATES, session->status, to);
}

#define COLUMNS                                                                                    \
    "id, created, expires, status, setup, paid, amount, currency, customer, customer_email,"       \
    " reference, success_url, cancel_url, metadata, items, intent_words, payment_intent,"          \
    " setup_intent, method_types"

enum err checkout_session_insert(struct store *store, const char *account,
                                 const struct checkout_session *session)
{
    return stmt_run(store,
                    "INSERT INTO checkout_sessions (account, " COLUMNS ")"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    "ttiitiiitttttttttttt", account, session->id, session->created,
                    session->expires, checkout_status_name(session->status),
                    (int64_t)session->setup, (int64_t)session->paid, session->amount,
                    session->currency, session->customer, session->customer_email,
                    session->reference, session->success_url, session->cancel_url,
                    session->metadata, session->items, session->intent_words,
                    session->payment_intent, session->setup_intent, session->method_types);
}

enum err checkout_session_update(struct store *store, const struct checkout_session *session)
{
    return stmt_run(store,
                    "UPDATE checkout_sessions SET status = ?, paid = ?, metadata = ?,"
                    " payment_intent = ?, setup_intent = ? WHERE id = ?",
                    "titttt", checkout_status_name(session->status), (int64_t)session->paid,
                    session->metadata, session->payment_intent, session->setup_intent, session->id);
}

static void from_row(const struct stmt *stmt, struct checkout_session *session)
{
    *session = (struct checkout_session){
        .id = stmt_text_copy(stmt, 0),
        .created = stmt_int(stmt, 1),
        .expires = stmt_int(stmt, 2),
        .status = (enum checkout_status)states_parse(&STATES, stmt_text(stmt, 3)),
        .setup = stmt_int(stmt, 4) != 0,
        .paid = stmt_int(stmt, 5) != 0,
        .amount = stmt_int(stmt, 6),
        .currency = stmt_text_copy(stmt, 7),
        .customer = stmt_text_copy(stmt, 8),
        .customer_email = stmt_text_copy(stmt, 9),
        .reference = stmt_text_copy(stmt, 10),
        .success_url = stmt_text_copy(stmt, 11),
        .cancel_url = stmt_text_copy(stmt, 12),
        .metadata = stmt_text_copy(stmt, 13),
        .items = stmt_text_copy(stmt, 14),
        .intent_words = stmt_text_copy(stmt, 15),
        .payment_intent = stmt_text_copy(stmt, 16),
        .setup_intent = stmt_text_copy(stmt, 17),
        .method_types = stmt_text_copy(stmt, 18),
    };
}

static enum err read_one(struct stmt *stmt, struct checkout_session *session)
{
    *session = (struct checkout_session){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, session);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err checkout_session_get(struct store *store, const char *account, const char *id,
                              struct checkout_session *session)
{
    return read_one(stmt_query(store,
                               "SELECT " COLUMNS " FROM checkout_sessions"
                               " WHERE id = ? AND account = ?",
                               "tt", id, account),
                    session);
}

enum err checkout_session_of_intent(struct store *store, const char *account, const char *intent,
                                    struct checkout_session *session)
{
    return read_one(stmt_query(store,
                               "SELECT " COLUMNS " FROM checkout_sessions"
                               " WHERE payment_intent = ? AND account = ?",
                               "tt", intent, account),
                    session);
}

enum err checkout_session_owner(struct store *store, const char *id, char **account)
{
    struct stmt *stmt =
        stmt_query(store, "SELECT account FROM checkout_sessions WHERE id = ?", "t", id);
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *account = stmt_text_copy(stmt, 0);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err checkout_session_next(struct store *store, char **id, char **account, int64_t *expires)
{
    struct stmt *stmt = stmt_query(store,
                                   "SELECT id, account, expires FROM checkout_sessions"
                                   " WHERE status = 'open' ORDER BY expires, row LIMIT 1",
                                   "");
    *id = *account = NULL;
    enum err err = stmt_next(stmt);
    if (err == ERR_OK) {
        *id = stmt_text_copy(stmt, 0);
        *account = stmt_text_copy(stmt, 1);
        *expires = stmt_int(stmt, 2);
    }
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err checkout_session_holds(struct store *store, const char *account, const char *intent,
                                bool *holds)
{
    struct stmt *stmt = stmt_query(store,
                                   "SELECT 1 FROM checkout_sessions WHERE payment_intent = ?"
                                   " AND account = ? AND status = 'open'",
                                   "tt", intent, account);
    enum err err = stmt_next(stmt);
    *holds = err == ERR_OK;
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

enum err checkout_session_list(struct store *store, const char *account,
                               const struct checkout_session_filter *filter, struct page *page,
                               struct checkout_session *list, int *count)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " COLUMNS " FROM checkout_sessions WHERE account = ?1"
                   " AND (?2 IS NULL OR customer = ?2) AND (?3 IS NULL OR payment_intent = ?3)"
                   " AND (?4 IS NULL OR status = ?4)" PAGE_SQL("checkout_sessions", "created"),
                   "tttt" PAGE_TYPES, account, filter->customer, filter->payment_intent,
                   filter->status, PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

void checkout_session_release(struct checkout_session *session)
{
    free(session->id);
    free(session->currency);
    free(session->customer);
    free(session->customer_email);
    free(session->reference);
    free(session->success_url);
    free(session->cancel_url);
    free(session->metadata);
    free(session->items);
    free(session->intent_words);
    free(session->payment_intent);
    free(session->setup_intent);
    free(session->method_types);
    *session = (struct checkout_session){0};
}
