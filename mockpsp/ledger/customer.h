/* Customers. One that is deleted is remembered, but is in no list and takes part in nothing. */
#ifndef CUSTOMER_H
#define CUSTOMER_H

#include "err.h"
#include "page.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

/* Strings are owned; NULL means not set. */
struct customer {
    char *id;        /* "cus_…" */
    int64_t created; /* Unix time, s */
    char *email;
    char *name;
    char *phone;
    char *description;
    char *metadata;       /* a JSON object of strings */
    char *address;        /* a JSON object, see api/details.h */
    char *shipping;       /* the same */
    char *default_method; /* "pm_…": pays invoices */
    char *default_source; /* "pm_…": pays charges that name none */
    bool deleted;
};

/* Which customers a list shows; NULL: all. */
struct customer_filter {
    const char *email;
};

enum err customer_insert(struct store *store, const char *account,
                         const struct customer *customer) MUST_CHECK;

/* Writes all but id and created. */
enum err customer_update(struct store *store, const struct customer *customer) MUST_CHECK;

/* METHOD is nobody's default any more. */
enum err customer_forget_method(struct store *store, const char *account,
                                const char *method) MUST_CHECK;

/* ERR_NOT_FOUND leaves CUSTOMER zeroed. Finds deleted ones as well. */
enum err customer_get(struct store *store, const char *account, const char *id,
                      struct customer *customer) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err customer_list(struct store *store, const char *account,
                       const struct customer_filter *filter, struct page *page,
                       struct customer *list, int *count) MUST_CHECK;

void customer_release(struct customer *customer);

#endif
