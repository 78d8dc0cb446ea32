/* /v1/balance and /v1/balance_transactions */
#include "balance.h"
#include "fields.h"
#include "listing.h"
#include "objects.h"
#include "render.h"
#include "resources.h"

static void push_sum(struct json *list, const char *currency, int64_t amount)
{
    struct json *one = json_object();
    struct json *types = json_object();
    json_set_int(types, "card", amount);
    json_set_int(one, "amount", amount);
    json_set_string(one, "currency", currency);
    json_set(one, "source_types", types);
    json_push(list, one);
}

/* There is a number to look at before the first payment, too. Nothing is ever pending. */
static struct json *render_balance(const struct json *sums)
{
    struct json *json = json_object(), *available = json_array(), *pending = json_array();
    if (json_count(sums) == 0) {
        push_sum(available, "usd", 0);
        push_sum(pending, "usd", 0);
    }
    for (const struct json *sum = json_first(sums); sum != NULL; sum = json_next(sum)) {
        push_sum(available, json_name(sum), json_get_int(sums, json_name(sum), 0));
        push_sum(pending, json_name(sum), 0);
    }
    json_set_string(json, "object", "balance");
    json_set(json, "available", available);
    json_set_bool(json, "livemode", false);
    json_set(json, "pending", pending);
    return json;
}

enum err balance_retrieve(struct exchange *x)
{
    static const char *const known[] = {NULL};
    struct json *sums;
    if (!fields_only(x, known))
        return ERR_OK;
    enum err err = balance_read(x->core->store, x->attempt.account, &sums);
    if (err == ERR_OK)
        reply_object(&x->reply, 200, render_balance(sums));
    json_free(sums);
    return err;
}

enum err balance_transactions_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "balance_transaction", "txn_");
}

static struct json *item(const void *movement)
{
    return render_movement(movement);
}

static void release(void *movement)
{
    movement_release(movement);
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    struct movement_filter filter = {0};
    if (!fields_choice(x, "type", MOVEMENT_TYPES, &filter.type) ||
        !fields_text(x, "source", 255, &filter.source) ||
        !fields_text(x, "currency", 255, &filter.currency))
        return ERR_OK;
    return movement_list(x->core->store, x->attempt.account, &filter, page, list, count);
}

enum err balance_transactions_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "balance_transaction",
                                             .filters = {"type", "source", "currency"},
                                             .size = sizeof(struct movement),
                                             .fetch = fetch,
                                             .item = item,
                                             .release = release});
}
