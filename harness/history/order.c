#include "order.h"

#include "check.h"
#include "mem.h"
#include "rng.h"

#include <stdlib.h>
#include <string.h>

#define LOWEST_AMOUNT  1000
#define HIGHEST_AMOUNT 99999

struct orders orders_make(uint64_t seed, int count)
{
    struct orders orders = {0};
    struct rng rng;
    CHECK(count >= 1 && count <= ORDERS_MOST);
    rng_init(&rng, rng_mix(seed, 1));
    for (int i = 1; i <= count; i++) {
        int64_t amount;
        do {
            amount = LOWEST_AMOUNT + (int64_t)rng_below(&rng, HIGHEST_AMOUNT - LOWEST_AMOUNT + 1);
        } while (orders_with_amount(&orders, amount, "usd") != NULL);
        char *id = mem_printf("order_%d", i);
        orders_add(&orders, id, amount, "usd");
        free(id);
    }
    return orders;
}

void orders_add(struct orders *orders, const char *id, int64_t amount, const char *currency)
{
    orders->items = mem_resize(orders->items, orders->count + 1, sizeof *orders->items);
    orders->items[orders->count++] =
        (struct order){.id = mem_strdup(id), .amount = amount, .currency = mem_strdup(currency)};
}

void orders_release(struct orders *orders)
{
    for (size_t i = 0; i < orders->count; i++) {
        free(orders->items[i].id);
        free(orders->items[i].currency);
    }
    free(orders->items);
    *orders = (struct orders){0};
}

const struct order *orders_find(const struct orders *orders, const char *id)
{
    for (size_t i = 0; id != NULL && i < orders->count; i++)
        if (strcmp(orders->items[i].id, id) == 0)
            return &orders->items[i];
    return NULL;
}

const struct order *orders_with_amount(const struct orders *orders, int64_t amount,
                                       const char *currency)
{
    for (size_t i = 0; currency != NULL && i < orders->count; i++)
        if (orders->items[i].amount == amount && strcmp(orders->items[i].currency, currency) == 0)
            return &orders->items[i];
    return NULL;
}

struct json *orders_to_json(const struct orders *orders)
{
    struct json *list = json_array();
    for (size_t i = 0; i < orders->count; i++) {
        struct json *one = json_object();
        json_set_string(one, "order", orders->items[i].id);
        json_set_int(one, "amount", orders->items[i].amount);
        json_set_string(one, "currency", orders->items[i].currency);
        json_push(list, one);
    }
    return list;
}

enum err orders_from_json(const struct json *json, struct orders *orders)
{
    *orders = (struct orders){0};
    for (const struct json *one = json_first(json); one != NULL; one = json_next(one)) {
        const char *id = json_get_string(one, "order");
        const char *currency = json_get_string(one, "currency");
        if (id == NULL || currency == NULL) {
            orders_release(orders);
            return ERR_INVALID;
        }
        orders_add(orders, id, json_get_int(one, "amount", -1), currency);
    }
    return ERR_OK;
}
