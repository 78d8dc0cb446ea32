#include "delivery_faults.h"

#include "check.h"
#include "stmt.h"

/* A count is never NULL. */
static enum err count_of(struct stmt *stmt, int64_t *count)
{
    enum err err = stmt_next(stmt);
    *count = err == ERR_OK ? stmt_int(stmt, 0) : 0;
    stmt_end(stmt);
    return err;
}

enum err delivery_stands(struct store *store, const struct delivery *delivery, bool *stands)
{
    int64_t count = 0;
    enum err err =
        count_of(stmt_query(store,
                            "SELECT count(*) FROM deliveries"
                            " JOIN webhook_endpoints ON id = endpoint AND status = 'enabled'"
                            " WHERE deliveries.row = ? AND first_ms = ? AND state = 'pending'",
                            "ii", delivery->row, delivery->first_ms),
                 &count);
    *stands = count > 0;
    return err;
}

enum err delivery_note(struct store *store, const struct delivery *delivery, const char *act)
{
    return stmt_run(store,
                    "UPDATE deliveries SET faults = json_insert(coalesce(faults, '[]'), '$[#]',"
                    " json_object('attempt', attempts + 1, 'act', ?)) WHERE row = ?",
                    "ti", act, delivery->row);
}

enum err delivery_decide(struct store *store, const struct delivery *delivery,
                         const struct delivery_fate *fate, int64_t now_ms)
{
    enum delivery_state state = fate->lost ? DELIVERY_LOST : DELIVERY_PENDING;
    CHECK(delivery_may_move(DELIVERY_PENDING, state));
    return stmt_run(store,
                    "UPDATE deliveries SET decided = 1, state = ?, next_ms = ?, held_ms = ?,"
                    " duplicated = ?, forged = ? WHERE row = ? AND first_ms = ?",
                    "tiiiiii", delivery_state_name(state), now_ms + fate->delay_ms + fate->held_ms,
                    fate->held_ms, (int64_t)fate->duplicated, (int64_t)fate->forged, delivery->row,
                    delivery->first_ms);
}

enum err delivery_let_go(struct store *store, const struct delivery *delivery)
{
    return stmt_run(store,
                    "UPDATE deliveries SET next_ms = next_ms - held_ms, held_ms = 0"
                    " WHERE endpoint = ? AND row < ? AND held_ms > 0 AND state = 'pending'",
                    "ti", delivery->endpoint, delivery->row);
}

enum err delivery_let_all_go(struct store *store, int64_t now_ms)
{
    return stmt_run(store,
                    "UPDATE deliveries SET next_ms = ?1, held_ms = 0"
                    " WHERE next_ms > ?1 AND state = 'pending'",
                    "i", now_ms);
}

enum err delivery_unsent(struct store *store, const char *request, int64_t *count)
{
    return count_of(stmt_query(store,
                               "SELECT count(*) FROM events"
                               " JOIN deliveries ON event = events.id"
                               " JOIN webhook_endpoints ON webhook_endpoints.id = endpoint"
                               " WHERE request = ? AND state = 'pending' AND attempts = 0"
                               " AND webhook_endpoints.status = 'enabled'",
                               "t", request),
                    count);
}
