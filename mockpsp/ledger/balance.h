/* What a merchant has, and how it came about: the postings of the merchant's book, as movements.
 *
 * Nothing is stored for it. A balance transaction is the merchant's half of a posted transaction,
 * and the balance is the sum of them; all of it is available at once, and nothing costs a fee. */
#ifndef BALANCE_H
#define BALANCE_H

#include "err.h"
#include "json.h"
#include "page.h"
#include "store.h"

#include <stdint.h>

/* Strings are owned. */
struct movement {
    char *id;        /* "txn_…" */
    int64_t created; /* Unix time, s */
    int64_t amount;  /* minor units; less than 0 when it was taken from the merchant */
    char *currency;
    char *source; /* the object that it comes from */
    char *type;   /* one of MOVEMENT_TYPES */
};

/* What can be the type of one, as its source tells; ends with NULL. */
extern const char *const MOVEMENT_TYPES[];

/* Which ones a list shows; NULL: all. */
struct movement_filter {
    const char *type;
    const char *source;
    const char *currency;
};

/* ERR_NOT_FOUND leaves MOVEMENT zeroed. */
enum err movement_get(struct store *store, const char *account, const char *id,
                      struct movement *movement) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err movement_list(struct store *store, const char *account,
                       const struct movement_filter *filter, struct page *page,
                       struct movement *list, int *count) MUST_CHECK;

void movement_release(struct movement *movement);

/* {"usd":1200,"jpy":-3}: the sum in each currency that ever moved, by name; owned by the caller. */
enum err balance_read(struct store *store, const char *account, struct json **sums) MUST_CHECK;

#endif
