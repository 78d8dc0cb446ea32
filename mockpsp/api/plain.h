/* What the operations of the plain face share: objects as that face writes them. */
#ifndef PLAIN_H
#define PLAIN_H

#include "exchange.h"
#include "json.h"
#include "page.h"
#include "plain_payment.h"
#include "refund.h"

#include <stdbool.h>

/* Whether PATH belongs to the plain face: its paths have no version in front. */
bool plain_path(const char *path);

/* The order of the payment that the path of X names, by its id or its operation; NULL when there is
 * none. To be freed. */
char *plain_order(const struct exchange *x);

/* SECONDS as RFC 3339 has them, in UTC; to be freed. */
char *plain_time(int64_t seconds);

/* The payment as clients see it, owned by the caller. */
struct json *plain_render_payment(const struct plain_payment *payment);

/* Likewise. */
struct json *plain_render_refund(const struct refund *refund);

/* Reads limit and cursor. FIND says whether the cursor is the id of a KIND: ERR_NOT_FOUND when it
 * is not. False after refusing. */
bool plain_page(struct exchange *x, const char *kind,
                enum err (*find)(struct exchange *x, const char *id), struct page *page);

/* Replies with SHOWN objects: {data, next_cursor}. ITEM(LIST, i) renders the i-th, owned by the
 * caller. */
void plain_reply_list(struct exchange *x, const struct page *page, const void *list, int shown,
                      struct json *(*item)(const void *list, int i));

#endif
