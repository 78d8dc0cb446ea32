/* An order: one business intent to charge once. */
#ifndef ORDER_H
#define ORDER_H

#include "err.h"
#include "json.h"

#include <stddef.h>
#include <stdint.h>

#define ORDERS_MOST 1000

struct order {
    char *id;       /* "order_1" */
    int64_t amount; /* minor units, unlike that of any other order of the run */
    char *currency; /* "usd" */
};

/* A zeroed list is empty. */
struct orders {
    struct order *items;
    size_t count;
};

/* COUNT (1 to ORDERS_MOST) orders, the same ones for the same SEED. */
struct orders orders_make(uint64_t seed, int count);
void orders_add(struct orders *orders, const char *id, int64_t amount, const char *currency);
void orders_release(struct orders *orders);

/* NULL when there is none; ID may be NULL. */
const struct order *orders_find(const struct orders *orders, const char *id);
const struct order *orders_with_amount(const struct orders *orders, int64_t amount,
                                       const char *currency);

struct json *orders_to_json(const struct orders *orders);
/* ERR_INVALID leaves ORDERS empty. */
enum err orders_from_json(const struct json *json, struct orders *orders) MUST_CHECK;

#endif
