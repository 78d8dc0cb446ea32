#include "notice.h"

#include "check.h"
#include "delivery.h"
#include "mem.h"
#include "object_id.h"
#include "stmt.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS "id, created_ms, type, object, request, idempotency_key, previous, order_id"

/* How often old ones are looked for, and how many go then: more than have come since. */
#define FORGET_EVERY 32
#define FORGET_MOST  64

#define API_VERSION "2024-06-20"

/* Keeps these ids apart from those that are made for requests, which come from the same seed. */
#define SALT UINT64_C(0x65767400)

/* The number of the next row, which no reset takes back: an id made from it never comes twice. */
static enum err next_number(struct store *store, uint64_t *number)
{
    struct stmt *stmt =
        stmt_query(store, "SELECT seq FROM sqlite_sequence WHERE name = 'events'", "");
    enum err err = stmt_next(stmt);
    *number = err == ERR_OK ? (uint64_t)stmt_int(stmt, 0) + 1 : 1;
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

static void make_id(uint64_t seed, uint64_t number, char **id)
{
    struct rng rng;
    rng_init(&rng, rng_mix(rng_mix(seed, SALT), number));
    mem_set_string(id, object_id_make(&rng, "evt_").text);
}

#define OLD_EVENTS "FROM events WHERE created_ms < ?1 ORDER BY created_ms LIMIT ?2"

enum err notice_forget_old(struct store *store, int64_t now_ms, int64_t most)
{
    int64_t before_ms = now_ms - NOTICE_LIFE_S * 1000;
    enum err err =
        stmt_run(store, "DELETE FROM deliveries WHERE event IN (SELECT id " OLD_EVENTS ")", "ii",
                 before_ms, most);
    if (err == ERR_OK)
        err = stmt_run(store, "DELETE FROM events WHERE row IN (SELECT row " OLD_EVENTS ")", "ii",
                       before_ms, most);
    return err;
}

enum err notice_record(struct store *store, const char *account, uint64_t seed,
                       struct notice *notice)
{
    uint64_t number = 0;
    enum err err = next_number(store, &number);
    make_id(seed, number, &notice->id);
    if (err == ERR_OK)
        err = stmt_run(
            store, "INSERT INTO events (account, " COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            "ttitttttt", account, notice->id, notice->created_ms, notice->type, notice->object,
            notice->request, notice->key, notice->previous, notice->order);
    if (err == ERR_OK)
        err = delivery_plan(store, account, notice->id, notice->type, notice->created_ms);
    if (err == ERR_OK && number % FORGET_EVERY == 0)
        err = notice_forget_old(store, notice->created_ms, FORGET_MOST);
    return err;
}

static void from_row(const struct stmt *stmt, struct notice *notice)
{
    *notice = (struct notice){
        .id = stmt_text_copy(stmt, 0),
        .created_ms = stmt_int(stmt, 1),
        .type = stmt_text_copy(stmt, 2),
        .object = stmt_text_copy(stmt, 3),
        .request = stmt_text_copy(stmt, 4),
        .key = stmt_text_copy(stmt, 5),
        .previous = stmt_text_copy(stmt, 6),
        .order = stmt_text_copy(stmt, 7),
    };
}

enum err notice_get(struct store *store, const char *account, const char *id, struct notice *notice)
{
    struct stmt *stmt = stmt_query(store,
                                   "SELECT " COLUMNS " FROM events"
                                   " WHERE id = ?1 AND (?2 IS NULL OR account = ?2)",
                                   "tt", id, account);
    *notice = (struct notice){0};
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        from_row(stmt, notice);
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err notice_account(struct store *store, const char *id, char **account)
{
    struct stmt *stmt = stmt_query(store, "SELECT account FROM events WHERE id = ?", "t", id);
    enum err err = stmt_next(stmt);
    *account = err == ERR_OK ? stmt_text_copy(stmt, 0) : NULL;
    stmt_end(stmt);
    return err == ERR_END ? ERR_NOT_FOUND : err;
}

enum err notice_list(struct store *store, const char *account, const struct notice_filter *filter,
                     struct page *page, struct notice *list, int *count)
{
    struct stmt *stmt = stmt_query(
        store,
        "SELECT " COLUMNS " FROM events WHERE account = ?1 AND created_ms >= ?2 * 1000"
        " AND (?4 < 0 OR ?4 = NOT EXISTS (SELECT 1 FROM deliveries"
        "  WHERE event = events.id AND state <> 'delivered'))"
        " AND (?3 IS NULL OR EXISTS"
        "  (SELECT 1 FROM json_each(?3) WHERE events.type GLOB json_each.value))" PAGE_SQL(
            "events", "created_ms / 1000"),
        "titi" PAGE_TYPES, account, filter->since_s, filter->types, (int64_t)filter->delivered,
        PAGE_VALUES(page));
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

static struct json *parse(const char *text)
{
    struct json *json = NULL;
    CHECK(json_parse(text, strlen(text), &json, NULL) == ERR_OK); /* we wrote it */
    return json;
}

static struct json *render_data(const struct notice *notice)
{
    struct json *data = json_object();
    json_set(data, "object", parse(notice->object));
    if (notice->previous != NULL)
        json_set(data, "previous_attributes", parse(notice->previous));
    return data;
}

struct json *notice_render(const struct notice *notice, int64_t pending)
{
    struct json *json = json_object(), *request = json_object();
    json_set_string(request, "id", notice->request);
    json_set_string(request, "idempotency_key", notice->key);
    json_set_string(json, "id", notice->id);
    json_set_string(json, "object", "event");
    json_set_string(json, "api_version", API_VERSION);
    json_set_int(json, "created", notice->created_ms / 1000);
    json_set(json, "data", render_data(notice));
    json_set_bool(json, "livemode", false);
    json_set_int(json, "pending_webhooks", pending);
    json_set(json, "request", request);
    json_set_string(json, "type", notice->type);
    return json;
}

enum err notice_reset(struct store *store, const char *account)
{
    enum err err =
        stmt_run(store, "DELETE FROM deliveries WHERE ?1 IS NULL OR account = ?1", "t", account);
    if (err == ERR_OK)
        err = stmt_run(store, "DELETE FROM events WHERE ?1 IS NULL OR account = ?1", "t", account);
    return err;
}

void notice_release(struct notice *notice)
{
    free(notice->id);
    free(notice->type);
    free(notice->object);
    free(notice->previous);
    free(notice->request);
    free(notice->key);
    free(notice->order);
    *notice = (struct notice){0};
}
