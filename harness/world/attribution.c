#include "attribution.h"

#include "mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct known_id {
    char *id;
    const char *order; /* of ORDERS */
};

struct attribution {
    const struct orders *orders;
    struct known_id *ids;
    size_t count;
};

struct attribution *attribution_new(const struct orders *orders)
{
    struct attribution *attribution = mem_alloc(sizeof *attribution);
    attribution->orders = orders;
    return attribution;
}

void attribution_free(struct attribution *attribution)
{
    if (attribution == NULL)
        return;
    for (size_t i = 0; i < attribution->count; i++)
        free(attribution->ids[i].id);
    free(attribution->ids);
    free(attribution);
}

static const char *known(const struct attribution *attribution, const char *id, size_t length)
{
    for (size_t i = 0; i < attribution->count; i++)
        if (strlen(attribution->ids[i].id) == length &&
            memcmp(attribution->ids[i].id, id, length) == 0)
            return attribution->ids[i].order;
    return NULL;
}

/* Customers and cards may serve many orders; payments, charges and refunds serve one. */
static bool belongs_to_one(const char *id)
{
    static const char *const prefixes[] = {"pi_", "ch_", "re_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(id, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static void remember(struct attribution *attribution, const char *id, const char *order)
{
    if (id == NULL || known(attribution, id, strlen(id)) != NULL)
        return;
    attribution->ids =
        mem_resize(attribution->ids, attribution->count + 1, sizeof *attribution->ids);
    attribution->ids[attribution->count++] = (struct known_id){mem_strdup(id), order};
}

static void learn(struct attribution *attribution, const char *id, const char *order)
{
    if (id != NULL && belongs_to_one(id))
        remember(attribution, id, order);
}

void attribution_learn(struct attribution *attribution, const struct event *event)
{
    const struct order *order = orders_find(attribution->orders, event->order);
    if (order == NULL)
        return;
    learn(attribution, event_string(event, "id"), order->id);
    learn(attribution, event_string(event, "payment_intent"), order->id);
    learn(attribution, event_string(event, "charge"), order->id);
    if (event->kind == EVENT_INVOKE)
        remember(attribution, json_get_string(json_get(event->data, "params"), "operation_id"),
                 order->id);
}

/* The id of an order itself, where the plain face has a place for it. */
static const char *by_name(const struct attribution *attribution, const struct attempt *attempt)
{
    const char *names[] = {attempt->order, json_get_string(attempt->params, "reference"),
                           json_get_string(attempt->params, "operation_id"),
                           strrchr(attempt->path, '/')};
    if (names[3] != NULL)
        names[3]++;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct order *order = orders_find(attribution->orders, names[i]);
        if (order != NULL)
            return order->id;
    }
    return NULL;
}

static const char *by_path(const struct attribution *attribution, const char *path)
{
    while (*path != '\0') {
        size_t length = strcspn(path, "/");
        const char *order = known(attribution, path, length);
        if (order != NULL)
            return order;
        path += length + (path[length] == '/');
    }
    return NULL;
}

static const char *by_params(const struct attribution *attribution, const struct json *params)
{
    for (const struct json *one = json_first(params); one != NULL; one = json_next(one)) {
        const char *value = json_as_string(one);
        const char *order = value == NULL ? NULL : known(attribution, value, strlen(value));
        if (order != NULL)
            return order;
    }
    return NULL;
}

const char *attribution_order(const struct attribution *attribution, const struct attempt *attempt,
                              const char *running)
{
    const char *name = by_name(attribution, attempt);
    if (name != NULL)
        return name;
    const char *by_id = by_path(attribution, attempt->path);
    if (by_id == NULL)
        by_id = by_params(attribution, attempt->params);
    if (by_id != NULL)
        return by_id;
    const struct order *order =
        orders_with_amount(attribution->orders, attempt->amount, attempt->currency);
    return order != NULL ? order->id : running;
}

static const char *by_member(const struct attribution *attribution, const struct event *effect,
                             const char *name)
{
    const char *id = event_string(effect, name);
    return id == NULL ? NULL : known(attribution, id, strlen(id));
}

const char *attribution_of_effect(const struct attribution *attribution, const struct event *effect)
{
    const struct order *order = orders_find(attribution->orders, effect->order);
    if (order != NULL)
        return order->id;
    const char *by_id = by_member(attribution, effect, "payment_intent");
    if (by_id == NULL)
        by_id = by_member(attribution, effect, "charge");
    if (by_id != NULL)
        return by_id;
    order = orders_with_amount(attribution->orders, event_int(effect, "amount", -1),
                               event_string(effect, "currency"));
    return order == NULL ? NULL : order->id;
}
