/* What the provider's clock brings about: payments of bank accounts and refunds that change by
 * themselves. */
#ifndef DUE_H
#define DUE_H

#include "card.h"
#include "err.h"
#include "store.h"

#include <stdint.h>

/* Strings are owned. */
struct due {
    char *id; /* of a charge or a refund */
    char *account;
    const struct card *card; /* of the charge */
    int64_t at_ms;           /* clock_now_ms */
};

/* The next one of all accounts. ERR_NOT_FOUND, with DUE zeroed, when there is none. */
enum err due_next(struct store *store, struct due *due) MUST_CHECK;
void due_release(struct due *due);

#endif
