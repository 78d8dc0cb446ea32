/* What a Checkout Session sells: line_items[0][price_data][unit_amount]=… and so on. */
#ifndef LINE_ITEMS_H
#define LINE_ITEMS_H

#include "exchange.h"

#include <stdbool.h>
#include <stdint.h>

#define LINE_ITEMS_MOST 100

/* Reads the request's line items: a JSON array of them as clients see them (text, owned), their sum
 * in minor units, and their currency (owned). All are left alone when there are none. False after
 * refusing: a price that is not given in place, two currencies, a sum that is no amount. */
bool line_items_read(struct exchange *x, char **items, int64_t *amount, char **currency);

/* Gives each of ITEMS, such text, the id that is due to it. */
void line_items_name(struct exchange *x, char **items);

/* Replies with the page of TEXT, such items, that the request asks for, in the order they came. */
void line_items_reply(struct exchange *x, const char *items);

/* The whole list, {object, data, has_more, url}, of session ID; owned by the caller. */
struct json *line_items_render(const char *items, const char *id);

#endif
