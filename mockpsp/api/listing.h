/* Lists as clients see them: {object, url, has_more, data}, newest first. */
#ifndef LISTING_H
#define LISTING_H

#include "exchange.h"
#include "page.h"

/* Reads limit, starting_after, ending_before, created (also created[gte], [gt], [lte], [lt]; Unix
 * time) and expand of a list of KIND. FILTERS (ends with NULL)
 * are the parameters allowed beside them. False after refusing. */
bool listing_open(struct exchange *x, const char *kind, const char *const *filters,
                  struct page *page);

/* Replies with COUNT objects. ITEM(LIST, i) renders the i-th, owned by the caller. */
enum err listing_reply(struct exchange *x, const struct page *page, const void *list, int count,
                       struct json *(*item)(const void *list, int i)) MUST_CHECK;

#endif
