#include "lag.h"

#include "check.h"
#include "object_id.h"
#include "stale.h"

#define MOST_IDS 1000 /* a request makes far fewer */

static int64_t end_of(const struct exchange *x, int64_t lag_ms)
{
    int64_t ms = x->stale_ms > lag_ms ? x->stale_ms : lag_ms;
    return ms == 0 ? INT64_MAX : (clock_now_ms(x->core->clock) - ms) / 1000;
}

void lag_limit_page(const struct exchange *x, struct page *page)
{
    int64_t end = end_of(x, x->core->limits.list_lag_ms);
    if (page->created_before == 0 || page->created_before > end)
        page->created_before = end;
    page->seen_ms = clock_now_ms(x->core->clock);
}

bool lag_hides(const struct exchange *x, const char *id, int64_t created)
{
    bool hidden = false;
    if (created >= end_of(x, x->core->limits.read_lag_ms))
        return true;
    if (stale_hides(x->core->store, id, clock_now_ms(x->core->clock), &hidden) != ERR_OK)
        core_broken(x->core);
    return hidden;
}

/* All ids of a request come from one seed, one after the other: the same ones come again, up to
 * where it stands now. */
static enum err hide_ids(struct exchange *x, int64_t until_ms)
{
    struct rng again;
    enum err err = ERR_OK;
    rng_init(&again, rng_mix(x->core->seed, x->attempt.number));
    for (int i = 0; again.state != x->ids.state && err == ERR_OK; i++) {
        CHECK(i < MOST_IDS);
        err = stale_hide(x->core->store, x->attempt.account, object_id_make(&again, "").text,
                         until_ms);
    }
    return err;
}

enum err lag_hide_made(struct exchange *x, int64_t ms)
{
    int64_t now_ms = clock_now_ms(x->core->clock);
    enum err err = store_begin(x->core->store);
    if (err == ERR_OK)
        err = stale_forget(x->core->store, now_ms);
    if (err == ERR_OK)
        err = hide_ids(x, now_ms + ms);
    if (err == ERR_OK)
        err = stale_hide_events(x->core->store, x->attempt.account, x->attempt.request_id,
                                now_ms + ms);
    if (err == ERR_OK)
        return store_commit(x->core->store);
    store_rollback(x->core->store);
    return err;
}
