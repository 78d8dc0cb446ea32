#include "access_token.h"

#include "stmt.h"

#include <string.h>

#define REMEMBERED_MS INT64_C(86400000)

bool access_token_is(const char *text)
{
    return strncmp(text, ACCESS_TOKEN_PREFIX, strlen(ACCESS_TOKEN_PREFIX)) == 0;
}

enum err access_token_insert(struct store *store, const char *token, const char *account,
                             int64_t now_ms, int64_t expires_ms)
{
    enum err err = stmt_run(store, "DELETE FROM access_tokens WHERE expires_ms < ?", "i",
                            now_ms - REMEMBERED_MS);
    if (err != ERR_OK)
        return err;
    return stmt_run(store,
                    "INSERT INTO access_tokens (token, account, expires_ms) VALUES (?, ?, ?)",
                    "tti", token, account, expires_ms);
}

enum err access_token_get(struct store *store, const char *token, char **account,
                          int64_t *expires_ms)
{
    struct stmt *stmt = stmt_query(
        store, "SELECT account, expires_ms FROM access_tokens WHERE token = ?", "t", token);
    *account = NULL;
    enum err err = stmt_next(stmt);
    if (err == ERR_OK) {
        *account = stmt_text_copy(stmt, 0);
        *expires_ms = stmt_int(stmt, 1);
    }
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}
