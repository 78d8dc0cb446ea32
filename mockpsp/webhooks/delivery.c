#include "delivery.h"

#include "check.h"
#include "stmt.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_WAIT_MS   INT64_C(10000)
#define LONGEST_WAIT_MS INT64_C(43200000)

static const char *const STATES[] = {
#define DELIVERY_NAME(constant, name) [constant] = (name),
    DELIVERY_STATE_LIST(DELIVERY_NAME)
#undef DELIVERY_NAME
};

const char *delivery_state_name(enum delivery_state state)
{
    CHECK(state < DELIVERY_STATE_COUNT);
    return STATES[state];
}

bool delivery_may_move(enum delivery_state from, enum delivery_state to)
{
    static const bool may[DELIVERY_STATE_COUNT][DELIVERY_STATE_COUNT] = {
        [DELIVERY_PENDING] = {[DELIVERY_PENDING] = true,
                              [DELIVERY_DELIVERED] = true,
                              [DELIVERY_GIVEN_UP] = true,
                              [DELIVERY_LOST] = true},
        [DELIVERY_DELIVERED] = {[DELIVERY_PENDING] = true},
        [DELIVERY_GIVEN_UP] = {[DELIVERY_PENDING] = true},
        [DELIVERY_LOST] = {[DELIVERY_PENDING] = true},
    };
    return may[from][to];
}

int64_t delivery_wait_ms(int64_t attempts)
{
    int64_t wait = FIRST_WAIT_MS;
    CHECK(attempts >= 1);
    for (int64_t i = 1; i < attempts && wait < LONGEST_WAIT_MS; i++)
        wait *= 2;
    return wait < LONGEST_WAIT_MS ? wait : LONGEST_WAIT_MS;
}

enum err delivery_plan(struct store *store, const char *account, const char *event,
                       const char *type, int64_t now_ms)
{
    return stmt_run(store,
                    "INSERT INTO deliveries (event, endpoint, account, state, first_ms, next_ms)"
                    " SELECT ?2, id, ?1, 'pending', ?4, ?4 FROM webhook_endpoints"
                    " WHERE account IN (?1, '') AND status = 'enabled' AND EXISTS"
                    " (SELECT 1 FROM json_each(enabled_events) WHERE value IN ('*', ?3))"
                    " ON CONFLICT DO NOTHING",
                    "ttti", account, event, type, now_ms);
}

static void from_row(const struct stmt *stmt, struct delivery *delivery)
{
    *delivery = (struct delivery){
        .row = stmt_int(stmt, 0),
        .account = stmt_text_copy(stmt, 1),
        .event = stmt_text_copy(stmt, 2),
        .endpoint = stmt_text_copy(stmt, 3),
        .attempts = stmt_int(stmt, 4),
        .first_ms = stmt_int(stmt, 5),
        .decided = stmt_int(stmt, 6) != 0,
        .fate = {.duplicated = stmt_int(stmt, 7) != 0, .forged = stmt_int(stmt, 8) != 0},
    };
}

enum err delivery_due(struct store *store, const char *endpoint, int64_t now_ms, int most,
                      struct delivery *list, int *count)
{
    struct stmt *stmt = stmt_query(store,
                                   "SELECT row, account, event, endpoint, attempts, first_ms,"
                                   " decided, duplicated, forged FROM deliveries"
                                   " WHERE endpoint = ? AND state = 'pending' AND next_ms <= ?"
                                   " ORDER BY next_ms, row LIMIT ?",
                                   "tii", endpoint, now_ms, (int64_t)most);
    enum err err;
    *count = 0;
    while ((err = stmt_next(stmt)) == ERR_OK)
        from_row(stmt, &list[(*count)++]);
    stmt_end(stmt);
    return err == ERR_END ? ERR_OK : err;
}

/* The first column of the only row, or MISSING when it is NULL. */
static enum err one_number(struct stmt *stmt, int64_t *number, int64_t missing)
{
    enum err err = stmt_next(stmt);
    *number = missing;
    if (err == ERR_OK && stmt_text(stmt, 0) != NULL)
        *number = stmt_int(stmt, 0);
    stmt_end(stmt);
    return err;
}

enum err delivery_next(struct store *store, int64_t now_ms, int64_t *next_ms)
{
    return one_number(
        stmt_query(store,
                   "SELECT min((SELECT min(next_ms) FROM deliveries WHERE endpoint = id"
                   " AND state = 'pending' AND next_ms > ?))"
                   " FROM webhook_endpoints WHERE status = 'enabled'",
                   "i", now_ms),
        next_ms, INT64_MAX);
}

/* What was decided held for the attempt that is over. */
#define UNDECIDED "decided = 0, held_ms = 0, duplicated = 0, forged = 0"

/* Any 2xx acknowledges; a redirect is a failure like any other. */
static enum delivery_state state_after(const struct delivery *delivery,
                                       const struct delivery_outcome *outcome)
{
    if (outcome->status >= 200 && outcome->status < 300)
        return DELIVERY_DELIVERED;
    int64_t next_ms = outcome->at_ms + delivery_wait_ms(delivery->attempts + 1);
    return next_ms > delivery->first_ms + DELIVERY_GIVE_UP_MS ? DELIVERY_GIVEN_UP
                                                              : DELIVERY_PENDING;
}

enum err delivery_finish(struct store *store, const struct delivery *delivery,
                         const struct delivery_outcome *outcome)
{
    enum delivery_state state = state_after(delivery, outcome);
    CHECK(delivery_may_move(DELIVERY_PENDING, state));
    return stmt_run(store,
                    "UPDATE deliveries SET state = ?, attempts = attempts + 1, last_ms = ?,"
                    " last_status = ?, last_error = ?, next_ms = ?, " UNDECIDED
                    " WHERE row = ? AND first_ms = ?",
                    "tiitiii", delivery_state_name(state), outcome->at_ms, (int64_t)outcome->status,
                    outcome->error, outcome->at_ms + delivery_wait_ms(delivery->attempts + 1),
                    delivery->row, delivery->first_ms);
}

enum err delivery_again(struct store *store, const char *account, const char *event,
                        const char *type, int64_t now_ms)
{
    enum err err = delivery_plan(store, account, event, type, now_ms);
    if (err == ERR_OK)
        err = stmt_run(store,
                       "UPDATE deliveries SET state = 'pending', next_ms = ?1,"
                       " first_ms = max(?1, first_ms + 1), " UNDECIDED " WHERE event = ?2",
                       "it", now_ms, event);
    return err;
}

enum err delivery_pending(struct store *store, const char *event, int64_t *count)
{
    return one_number(
        stmt_query(store, "SELECT count(*) FROM deliveries WHERE event = ? AND state = 'pending'",
                   "t", event),
        count, 0);
}

#define REPORT_COLUMNS                                                                             \
    "deliveries.event, events.type, deliveries.account, deliveries.endpoint, url, state, "         \
    "attempts,"                                                                                    \
    " last_status, last_error, next_ms, faults"

/* What was done to it, attempt by attempt; TEXT is what delivery_note has made. */
static struct json *faults_of(const char *text)
{
    struct json *faults = NULL;
    if (text == NULL)
        return json_array();
    CHECK(json_parse(text, strlen(text), &faults, NULL) == ERR_OK);
    return faults;
}

static struct json *report_row(const struct stmt *stmt)
{
    static const char *const texts[] = {"event", "type", "account", "endpoint", "url", "state"};
    struct json *json = json_object();
    for (int i = 0; i < 6; i++)
        json_set_string(json, texts[i], stmt_text(stmt, i));
    json_set_int(json, "attempts", stmt_int(stmt, 6));
    bool answered = stmt_int(stmt, 7) != 0; /* NULL, before the first attempt, is 0 as well */
    json_set(json, "last_status", answered ? json_int(stmt_int(stmt, 7)) : json_null());
    json_set_string(json, "last_error", stmt_text(stmt, 8));
    bool waits = json_get_string(json, "state")[0] == 'p';
    json_set(json, "next_attempt_ms", waits ? json_int(stmt_int(stmt, 9)) : json_null());
    json_set(json, "faults", faults_of(stmt_text(stmt, 10)));
    return json;
}

enum err delivery_report(struct store *store, const char *account, const char *event, int64_t most,
                         struct json **array)
{
    struct stmt *stmt =
        stmt_query(store,
                   "SELECT " REPORT_COLUMNS " FROM deliveries"
                   " JOIN events ON events.id = deliveries.event"
                   " JOIN webhook_endpoints ON webhook_endpoints.id = deliveries.endpoint"
                   " WHERE (?1 IS NULL OR deliveries.account = ?1)"
                   " AND (?2 IS NULL OR deliveries.event = ?2)"
                   " ORDER BY deliveries.row DESC LIMIT ?3",
                   "tti", account, event, most);
    enum err err;
    *array = json_array();
    while ((err = stmt_next(stmt)) == ERR_OK)
        json_push(*array, report_row(stmt));
    stmt_end(stmt);
    if (err == ERR_END)
        return ERR_OK;
    json_free(*array);
    *array = NULL;
    return err;
}

void delivery_release(struct delivery *delivery)
{
    free(delivery->account);
    free(delivery->event);
    free(delivery->endpoint);
    *delivery = (struct delivery){0};
}
