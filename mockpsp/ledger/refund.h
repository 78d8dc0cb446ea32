/* Refunds: money given back, of one charge, never more than it took. */
#ifndef REFUND_H
#define REFUND_H

#include "err.h"
#include "page.h"
#include "store.h"

#include <stdint.h>

/* Strings are owned; NULL means not set. */
struct refund {
    char *id;        /* "re_…" */
    int64_t created; /* Unix time, s */
    int64_t amount;  /* minor units */
    char *currency;
    char *charge;
    char *intent;
    char *reason;
    char *metadata;    /* a JSON object of strings */
    char *transaction; /* "txn_…" */
};

struct refund_filter {
    const char *charge;
    const char *intent;
};

/* Writes REFUND, its postings and the charge's new sum, in the caller's transaction. The caller has
 * seen that the amount fits. */
enum err refund_insert(struct store *store, const char *account,
                       const struct refund *refund) MUST_CHECK;

/* Writes what clients may change: metadata. */
enum err refund_update(struct store *store, const struct refund *refund) MUST_CHECK;

/* ERR_NOT_FOUND leaves REFUND zeroed. */
enum err refund_get(struct store *store, const char *account, const char *id,
                    struct refund *refund) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err refund_list(struct store *store, const char *account, const struct refund_filter *filter,
                     struct page *page, struct refund *list, int *count) MUST_CHECK;

void refund_release(struct refund *refund);

#endif
