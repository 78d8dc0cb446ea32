#include "stale.h"

#include "stmt.h"

enum err stale_hide(struct store *store, const char *account, const char *part, int64_t until_ms)
{
    return stmt_run(store, "INSERT OR REPLACE INTO stale_objects VALUES (?, ?, ?)", "tti", part,
                    account, until_ms);
}

enum err stale_hide_events(struct store *store, const char *account, const char *request_id,
                           int64_t until_ms)
{
    return stmt_run(store,
                    "INSERT OR REPLACE INTO stale_objects"
                    " SELECT substr(id, -24), account, ?3 FROM events"
                    " WHERE account = ?1 AND request = ?2",
                    "tti", account, request_id, until_ms);
}

enum err stale_forget(struct store *store, int64_t now_ms)
{
    return stmt_run(store, "DELETE FROM stale_objects WHERE until_ms <= ?", "i", now_ms);
}

enum err stale_hides(struct store *store, const char *id, int64_t now_ms, bool *hidden)
{
    struct stmt *stmt = stmt_query(
        store, "SELECT 1 FROM stale_objects WHERE part = substr(?, -24) AND until_ms > ?", "ti", id,
        now_ms);
    enum err err = stmt_next(stmt);
    *hidden = err == ERR_OK;
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}
