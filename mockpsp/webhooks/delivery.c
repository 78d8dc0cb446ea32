#include "delivery.h"

#include "check.h"
#include "stmt.h"

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
        [DELIVERY_PENDING] =
            {[DELIVERY_PENDING] = true, [DELIVERY_DELIVERED] = true, [DELIVERY_GIVEN_UP] = true},
        [DELIVERY_DELIVERED] = {[DELIVERY_PENDING] = true},
        [DELIVERY_GIVEN_UP] = {[DELIVERY_PENDING] = true},
    };
    return may[from][to];
}

enum err delivery_plan(struct store *store, const char *account, const char *event,
                       const char *type, int64_t now_ms)
{
    return stmt_run(store,
                    "INSERT INTO deliveries (event, endpoint, account, state, first_ms, next_ms)"
                    " SELECT ?2, id, ?1, 'pending', ?4, ?4 FROM webhook_endpoints"
                    " WHERE account IN (?1, '') AND status = 'enabled' AND EXISTS"
                    " (SELECT 1 FROM json_each(enabled_events) WHERE value IN ('*', ?3))",
                    "ttti", account, event, type, now_ms);
}

enum err delivery_pending(struct store *store, const char *event, int64_t *count)
{
    struct stmt *stmt = stmt_query(
        store, "SELECT count(*) FROM deliveries WHERE event = ? AND state = 'pending'", "t", event);
    enum err err = stmt_next(stmt);
    if (err == ERR_OK)
        *count = stmt_int(stmt, 0);
    stmt_end(stmt);
    return err;
}
