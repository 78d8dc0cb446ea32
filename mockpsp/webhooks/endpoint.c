#include "endpoint.h"

#include "check.h"
#include "mem.h"
#include "stmt.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                                    \
    "id, created, url, enabled_events, description, metadata, api_version, status, secret,"        \
    " old_secret, old_secret_until_ms"

static const char *status_name(const struct endpoint *endpoint)
{
    return endpoint->disabled ? "disabled" : "enabled";
}

enum err endpoint_insert(struct store *store, const char *account, const struct endpoint *endpoint)
{
    return stmt_run(store,
                    "INSERT INTO webhook_endpoints (account, " COLUMNS ")"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    "ttitttttttti", account, endpoint->id, endpoint->created, endpoint->url,
                    endpoint->events, endpoint->description, endpoint->metadata,
                    endpoint->api_version, status_name(endpoint), endpoint->secret,
                    endpoint->old_secret, endpoint->old_secret_until_ms);
}

static void from_row(const struct stmt *stmt, struct endpoint *endpoint)
{
    *endpoint = (struct endpoint){
        .id = stmt_text_copy(stmt, 0),
        .created = stmt_int(stmt, 1),
        .url = stmt_text_copy(stmt, 2),
        .events = stmt_text_copy(stmt, 3),
        .description = stmt_text_copy(stmt, 4),
        .metadata = stmt_text_copy(stmt, 5),
        .api_version = stmt_text_copy(stmt, 6),
        .disabled = strcmp(stmt_text(stmt, 7), "disabled") == 0,
        .secret = stmt_text_copy(stmt, 8),
        .old_secret = stmt_text_copy(stmt, 9),
        .old_secret_until_ms = stmt_int(stmt, 10),
    };
}

enum err endpoint_get(struct store *store, const char *account, const char *id,
                      struct endpoint *endpoint)
{
    struct stmt *stmt = stmt_query(store,
                                   "SELECT " COLUMNS " FROM webhook_endpoints"
                                   " WHERE id = ?1 AND (?2 IS NULL OR account = ?2)",
                                   "tt", id, account);
    *endpoint = (struct endpoint){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, endpoint);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err endpoint_update(struct store *store, const struct endpoint *endpoint)
{
    return stmt_run(store,
                    "UPDATE webhook_endpoints SET url = ?2, enabled_events = ?3, description = ?4,"
                    " metadata = ?5, status = ?6, secret = ?7, old_secret = ?8,"
                    " old_secret_until_ms = ?9 WHERE id = ?1",
                    "tttttttti", endpoint->id, endpoint->url, endpoint->events,
                    endpoint->description, endpoint->metadata, status_name(endpoint),
                    endpoint->secret, endpoint->old_secret, endpoint->old_secret_until_ms);
}

enum err endpoint_count(struct store *store, const char *account, int64_t *count)
{
    struct stmt *stmt =
        stmt_query(store, "SELECT count(*) FROM webhook_endpoints WHERE account = ?", "t", account);
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *count = stmt_int(stmt, 0);
    stmt_end(stmt);
    return err;
}

enum err endpoint_list(struct store *store, const char *account, struct page *page,
                       struct endpoint *list, int *count)
{
    struct stmt *stmt = stmt_query(
        store,
        "SELECT " COLUMNS
        " FROM webhook_endpoints WHERE account = ?1" PAGE_SQL("webhook_endpoints", "created"),
        "t" PAGE_TYPES, account, PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

enum err endpoint_with_due(struct store *store, int64_t now_ms, const char *after, int most,
                           struct endpoint *list, int *count)
{
    struct stmt *stmt = stmt_query(store,
                                   "SELECT " COLUMNS " FROM webhook_endpoints"
                                   " WHERE id > ? AND status = 'enabled'"
                                   " AND EXISTS (SELECT 1 FROM deliveries"
                                   " WHERE deliveries.endpoint = webhook_endpoints.id"
                                   " AND state = 'pending' AND next_ms <= ?)"
                                   " ORDER BY id LIMIT ?",
                                   "tii", after, now_ms, (int64_t)most);
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

static void push_report(const struct stmt *stmt, struct json *array)
{
    struct endpoint endpoint;
    from_row(stmt, &endpoint);
    struct json *json = endpoint_render(&endpoint);
    const char *account = stmt_text(stmt, 11);
    json_set_string(json, "account", strcmp(account, ENDPOINT_ALL) == 0 ? NULL : account);
    json_push(array, json);
    endpoint_release(&endpoint);
}

enum err endpoint_report(struct store *store, const char *account, struct json **array)
{
    struct stmt *stmt = stmt_query(store,
                                   "SELECT " COLUMNS ", account FROM webhook_endpoints"
                                   " WHERE ?1 IS NULL OR account IN (?1, '') ORDER BY row",
                                   "t", account);
    enum err err;
    *array = json_array();
    while ((err = stmt_next(stmt)) == ERR_OK)
        push_report(stmt, *array);
    stmt_end(stmt);
    if (err == ERR_END)
        return ERR_OK;
    json_free(*array);
    *array = NULL;
    return err;
}

enum err endpoint_delete(struct store *store, const char *id)
{
    enum err err = stmt_run(store, "DELETE FROM deliveries WHERE endpoint = ?", "t", id);
    if (err == ERR_OK)
        err = stmt_run(store, "DELETE FROM webhook_endpoints WHERE id = ?", "t", id);
    return err;
}

enum err endpoint_reset(struct store *store, const char *account)
{
    return stmt_run(store,
                    "DELETE FROM webhook_endpoints WHERE account <> ''"
                    " AND (?1 IS NULL OR account = ?1)",
                    "t", account);
}

void endpoint_roll(struct endpoint *endpoint, const char *secret, int64_t until_ms)
{
    free(endpoint->old_secret);
    endpoint->old_secret = endpoint->secret;
    endpoint->old_secret_until_ms = until_ms;
    endpoint->secret = mem_strdup(secret);
}

/* TEXT is JSON that we wrote ourselves. */
static struct json *parsed(const char *text)
{
    struct json *json = NULL;
    CHECK(json_parse(text, strlen(text), &json, NULL) == ERR_OK);
    return json;
}

struct json *endpoint_render(const struct endpoint *endpoint)
{
    struct json *json = json_object();
    json_set_string(json, "id", endpoint->id);
    json_set_string(json, "object", "webhook_endpoint");
    json_set_string(json, "api_version", endpoint->api_version);
    json_set_null(json, "application");
    json_set_int(json, "created", endpoint->created);
    json_set_string(json, "description", endpoint->description);
    json_set(json, "enabled_events", parsed(endpoint->events));
    json_set_bool(json, "livemode", false);
    json_set(json, "metadata", parsed(endpoint->metadata));
    json_set_string(json, "status", status_name(endpoint));
    json_set_string(json, "url", endpoint->url);
    return json;
}

void endpoint_release(struct endpoint *endpoint)
{
    free(endpoint->id);
    free(endpoint->url);
    free(endpoint->events);
    free(endpoint->description);
    free(endpoint->metadata);
    free(endpoint->api_version);
    free(endpoint->secret);
    free(endpoint->old_secret);
    *endpoint = (struct endpoint){0};
}
