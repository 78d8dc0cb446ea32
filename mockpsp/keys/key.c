#include "key.h"

#include "mem.h"
#include "stmt.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct row {
    char *fingerprint;
    bool in_flight;
    int64_t created_ms;
};

static enum err read_row(struct store *store, const struct key_use *use, struct row *row,
                         struct key_record *record)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT fingerprint, state, created_ms, status, body, request_id, method, path"
                   " FROM idempotency_keys WHERE account = ? AND key = ?",
                   "tt", use->account, use->key);
    enum err err = stmt_next(stmt);
    if (err == ERR_OK) {
        row->fingerprint = stmt_text_copy(stmt, 0);
        row->in_flight = strcmp(stmt_text(stmt, 1), "in_flight") == 0;
        row->created_ms = stmt_int(stmt, 2);
        record->status = (int)stmt_int(stmt, 3);
        record->body = stmt_text_copy(stmt, 4);
        record->request_id = stmt_text_copy(stmt, 5);
        record->method = stmt_text_copy(stmt, 6);
        record->path = stmt_text_copy(stmt, 7);
    }
    stmt_end(stmt);
    return err;
}

static enum key_verdict judge(const struct dialect *dialect, const struct key_use *use,
                              const struct row *row, const struct key_record *record)
{
    bool same_url =
        strcmp(use->path, record->path) == 0 && strcmp(use->method, record->method) == 0;
    if (dialect->scope != SCOPE_ANY_ROUTE && !same_url)
        return KEY_OTHER_URL;
    if (dialect->mismatch != 0 && strcmp(use->fingerprint, row->fingerprint) != 0)
        return KEY_MISMATCH;
    return row->in_flight ? KEY_IN_FLIGHT : KEY_REPLAY;
}

enum err key_look_up(struct store *store, const struct dialect *dialect, const struct key_use *use,
                     int64_t now_ms, enum key_verdict *verdict, struct key_record *record)
{
    struct row row = {0};
    *record = (struct key_record){0};
    *verdict = KEY_NEW;
    enum err err = read_row(store, use, &row, record);
    if (err == ERR_OK && (row.in_flight || now_ms - row.created_ms < dialect->ttl_ms))
        *verdict = judge(dialect, use, &row, record);
    else
        key_record_release(record);
    free(row.fingerprint);
    return err == ERR_END ? ERR_OK : err;
}

bool key_remembers(const struct dialect *dialect, int status)
{
    switch (dialect->store) {
    case STORE_SUCCESS:
        return status >= 200 && status < 300;
    case STORE_NOT_5XX:
        return status < 500;
    case STORE_EXECUTED:
    case STORE_COUNT:
        break;
    }
    return true;
}

/* Two for each one that comes: the old ones go faster than new ones arrive. */
static enum err remove_old(struct store *store, int64_t before_ms)
{
    return stmt_run(store,
                    "DELETE FROM idempotency_keys WHERE (account, key) IN"
                    " (SELECT account, key FROM idempotency_keys"
                    "   WHERE state = 'done' AND created_ms <= ? LIMIT 2)",
                    "i", before_ms);
}

enum err key_claim(struct store *store, const struct key_use *use, int64_t now_ms, int64_t ttl_ms)
{
    enum err err = remove_old(store, now_ms - ttl_ms);
    if (err != ERR_OK)
        return err;
    return stmt_run(store,
                    "INSERT OR REPLACE INTO idempotency_keys"
                    " (account, key, method, path, fingerprint, request_id, state, created_ms)"
                    " VALUES (?, ?, ?, ?, ?, ?, 'in_flight', ?)",
                    "tttttti", use->account, use->key, use->method, use->path, use->fingerprint,
                    use->request_id, now_ms);
}

enum err key_finish(struct store *store, const struct key_use *use, int status, const char *body)
{
    return stmt_run(store,
                    "UPDATE idempotency_keys SET state = 'done', status = ?, body = ?"
                    " WHERE account = ? AND key = ? AND request_id = ?",
                    "itttt", (int64_t)status, body, use->account, use->key, use->request_id);
}

enum err key_release(struct store *store, const struct key_use *use)
{
    return stmt_run(store,
                    "DELETE FROM idempotency_keys WHERE account = ? AND key = ?"
                    " AND request_id = ? AND state = 'in_flight'",
                    "ttt", use->account, use->key, use->request_id);
}

enum err key_recover(struct store *store, int64_t *released)
{
    enum err err = stmt_run(store, "DELETE FROM idempotency_keys WHERE state = 'in_flight'", "");
    *released = err == ERR_OK ? stmt_changes(store) : 0;
    return err;
}

enum err key_reset(struct store *store, const char *account)
{
    return stmt_run(store,
                    "DELETE FROM idempotency_keys"
                    " WHERE (?1 IS NULL OR account = ?1) AND state = 'done'",
                    "t", account);
}

void key_record_release(struct key_record *record)
{
    free(record->body);
    free(record->request_id);
    free(record->method);
    free(record->path);
    *record = (struct key_record){0};
}
