#include "attribution.h"

#include "mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct known_id {
    char *id;          /* NULL: the place is free */
    const char *order; /* of ORDERS */
};

struct attribution {
    const struct orders *orders;
    struct known_id *ids; /* open addressing: a long journal knows tens of thousands */
    size_t size;          /* 0 or a power of two */
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
    for (size_t i = 0; i < attribution->size; i++)
        free(attribution->ids[i].id);
    free(attribution->ids);
    free(attribution);
}

/* Where ID of LENGTH is, or where it would go. FNV-1a. */
static struct known_id *place_of(const struct attribution *attribution, const char *id,
                                 size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)id[i]) * UINT64_C(1099511628211);
    size_t at = (size_t)hash & (attribution->size - 1);
    while (attribution->ids[at].id != NULL && (strncmp(attribution->ids[at].id, id, length) != 0 ||
                                               attribution->ids[at].id[length] != '\0'))
        at = (at + 1) & (attribution->size - 1);
    return &attribution->ids[at];
}

static const char *known(const struct attribution *attribution, const char *id, size_t length)
{
    return attribution->size == 0 ? NULL : place_of(attribution, id, length)->order;
}

static void grow(struct attribution *attribution)
{
    struct attribution old = *attribution;
    attribution->size = old.size == 0 ? 16 : old.size * 2;
    attribution->ids = mem_alloc(attribution->size * sizeof *attribution->ids);
    for (size_t i = 0; i < old.size; i++)
        if (old.ids[i].id != NULL)
            *place_of(attribution, old.ids[i].id, strlen(old.ids[i].id)) = old.ids[i];
    free(old.ids);
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
    if (attribution->count * 2 >= attribution->size)
        grow(attribution);
    attribution->count++;
    *place_of(attribution, id, strlen(id)) = (struct known_id){mem_strdup(id), order};
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
