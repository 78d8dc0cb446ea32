#include "journal.h"

#include "mem.h"
#include "stmt.h"

#include <stdlib.h>
#include <string.h>

struct journal {
    struct store *store;
    journal_listener *listener;
    void *context;
    struct event *pending; /* written, not committed yet */
    size_t pending_count;
};

struct journal *journal_new(struct store *store, journal_listener *listener, void *context)
{
    struct journal *journal = mem_alloc(sizeof *journal);
    journal->store = store;
    journal->listener = listener;
    journal->context = context;
    return journal;
}

static void forget_pending(struct journal *journal)
{
    for (size_t i = 0; i < journal->pending_count; i++)
        event_release(&journal->pending[i]);
    free(journal->pending);
    journal->pending = NULL;
    journal->pending_count = 0;
}

void journal_free(struct journal *journal)
{
    if (journal == NULL)
        return;
    forget_pending(journal);
    free(journal);
}

static void tell_pending(struct journal *journal)
{
    for (size_t i = 0; i < journal->pending_count; i++)
        if (journal->listener != NULL)
            journal->listener(journal->context, &journal->pending[i]);
    forget_pending(journal);
}

static enum err insert(struct journal *journal, const char *account, struct event *event)
{
    char *data = json_print(event->data);
    struct stmt *stmt =
        stmt_query(journal->store,
                   "INSERT INTO journal (at_ms, account, kind, request, order_id, data)"
                   " VALUES (?, ?, ?, ?, ?, ?) RETURNING seq",
                   "ittitt", event->at_ms, account, event_name(event->kind),
                   (int64_t)event->request, event->order, data);
    enum err err = stmt_next(stmt);
    if (err == ERR_OK) {
        event->seq = (uint64_t)stmt_int(stmt, 0);
        err = stmt_next(stmt); /* to the end: an INSERT counts only then */
    }
    stmt_end(stmt);
    free(data);
    return err == ERR_END ? ERR_OK : err;
}

enum err journal_add(struct journal *journal, const char *account, struct event event)
{
    enum err err = insert(journal, account, &event);
    if (err != ERR_OK) {
        event_release(&event);
        return err;
    }
    journal->pending =
        mem_resize(journal->pending, journal->pending_count + 1, sizeof *journal->pending);
    journal->pending[journal->pending_count++] = event;
    if (!store_in_transaction(journal->store))
        tell_pending(journal);
    return ERR_OK;
}

enum err journal_commit(struct journal *journal)
{
    enum err err = store_commit(journal->store);
    if (err == ERR_OK)
        tell_pending(journal);
    else
        forget_pending(journal);
    return err;
}

void journal_rollback(struct journal *journal)
{
    store_rollback(journal->store);
    forget_pending(journal);
}

#define COLUMNS "seq, at_ms, kind, request, order_id, data"

/* ERR_CORRUPT when the row holds what no version of ours ever wrote. */
static enum err from_row(const struct stmt *stmt, struct event *event)
{
    const char *data = stmt_text(stmt, 5);
    *event = (struct event){.seq = (uint64_t)stmt_int(stmt, 0),
                            .at_ms = stmt_int(stmt, 1),
                            .request = (uint64_t)stmt_int(stmt, 3)};
    if (!event_parse_kind(stmt_text(stmt, 2), &event->kind))
        return ERR_CORRUPT;
    if (json_parse(data, strlen(data), &event->data, NULL) != ERR_OK)
        return ERR_CORRUPT;
    event->order = stmt_text_copy(stmt, 4);
    return ERR_OK;
}

enum err journal_replay(struct journal *journal, uint64_t after)
{
    struct stmt *stmt =
        stmt_query(journal->store, "SELECT " COLUMNS " FROM journal WHERE seq > ? ORDER BY seq",
                   "i", (int64_t)after);
    enum err err;
    while ((err = stmt_next(stmt)) == ERR_OK) {
        struct event event;
        err = from_row(stmt, &event);
        if (err != ERR_OK)
            break;
        if (journal->listener != NULL)
            journal->listener(journal->context, &event);
        event_release(&event);
    }
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

enum err journal_read(struct journal *journal, const char *account, uint64_t after, int64_t limit,
                      struct json **entries)
{
    struct stmt *stmt = stmt_query(journal->store,
                                   "SELECT " COLUMNS " FROM journal WHERE seq > ?1 AND"
                                   " (?2 IS NULL OR account = ?2) ORDER BY seq LIMIT ?3",
                                   "iti", (int64_t)after, account, limit);
    enum err err;
    *entries = json_array();
    while ((err = stmt_next(stmt)) == ERR_OK) {
        struct event event;
        err = from_row(stmt, &event);
        if (err != ERR_OK)
            break;
        json_push(*entries, event_to_json(&event));
        event_release(&event);
    }
    stmt_end(stmt);
    if (err == ERR_END)
        return ERR_OK;
    json_free(*entries);
    *entries = NULL;
    return err;
}

enum err journal_last_attempt(struct journal *journal, uint64_t *number)
{
    struct stmt *stmt =
        stmt_query(journal->store, "SELECT coalesce(max(request), 0) FROM journal", "");
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *number = (uint64_t)stmt_int(stmt, 0);
    stmt_end(stmt);
    return err;
}

enum err journal_reset(struct journal *journal, const char *account)
{
    return stmt_run(journal->store, "DELETE FROM journal WHERE ?1 IS NULL OR account = ?1", "t",
                    account);
}
