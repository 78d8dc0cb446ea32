/* Customers. */
#ifndef CUSTOMER_H
#define CUSTOMER_H

#include "err.h"
#include "page.h"
#include "store.h"

#include <stdint.h>

/* Strings are owned; NULL means not set. */
struct customer {
    char *id;        /* "cus_…" */
    int64_t created; /* Unix time, s */
    char *email;
    char *name;
    char *phone;
    char *description;
    char *metadata; /* a JSON object of strings */
};

enum err customer_insert(struct store *store, const char *account,
                         const struct customer *customer) MUST_CHECK;

/* ERR_NOT_FOUND leaves CUSTOMER zeroed. */
enum err customer_get(struct store *store, const char *account, const char *id,
                      struct customer *customer) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err customer_list(struct store *store, const char *account, struct page *page,
                       struct customer *list, int *count) MUST_CHECK;

void customer_release(struct customer *customer);

#endif
