/* Lists as clients see them: {object, url, has_more, data}, newest first. */
#ifndef LISTING_H
#define LISTING_H

#include "exchange.h"
#include "page.h"

#include <stddef.h>

#define LISTING_FILTERS_MOST 8

/* What the list of one resource is made of. */
struct listing {
    const char *kind; /* "charge" */
    /* The parameters that it takes beside limit, starting_after, ending_before, created and
     * expand. */
    const char *filters[LISTING_FILTERS_MOST];
    size_t size; /* of an entry, bytes */
    /* Reads the filters and fills LIST, PAGE_LARGEST + 1 zeroed entries, as PAGE asks. COUNT is 0
     * before, and how many are to be released after. A reply that it sets is a refusal. */
    enum err (*fetch)(struct exchange *x, struct page *page, void *list, int *count);
    /* ENTRY as clients see it, owned by the caller. */
    struct json *(*item)(const void *entry);
    /* In the place of ITEM, where the ledger has to be asked; an error leaves *JSON alone. */
    enum err (*look_up)(struct exchange *x, const void *entry, struct json **json);
    void (*release)(void *entry);
};

/* Replies with the page that the request asks for: limit, starting_after, ending_before, created
 * (also created[gte], [gt], [lte], [lt]; Unix time) and expand; or refuses. */
enum err listing_show(struct exchange *x, const struct listing *listing) MUST_CHECK;

#endif
