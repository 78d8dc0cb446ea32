/* Charges: money taken from a card, or the issuer's refusal of it. */
#ifndef CHARGE_H
#define CHARGE_H

#include "card.h"
#include "err.h"
#include "page.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

/* Strings are owned; NULL means not set. */
struct charge {
    char *id;         /* "ch_…" */
    int64_t created;  /* Unix time, s */
    int64_t amount;   /* minor units */
    int64_t refunded; /* of it, given back so far */
    char *currency;
    char *intent; /* the PaymentIntent it was made for */
    char *customer;
    const struct card *card;
    char *description;
    char *metadata;     /* a JSON object of strings */
    char *decline_code; /* NULL: it paid; else nothing moved */
    char *transaction;  /* "txn_…", NULL when nothing moved */
};

/* Which charges a list shows; NULL: all. */
struct charge_filter {
    const char *customer;
    const char *intent;
};

bool charge_paid(const struct charge *charge);

/* Writes CHARGE and, if it paid, its postings, in the caller's transaction. */
enum err charge_insert(struct store *store, const char *account,
                       const struct charge *charge) MUST_CHECK;

/* ERR_NOT_FOUND leaves CHARGE zeroed. */
enum err charge_get(struct store *store, const char *account, const char *id,
                    struct charge *charge) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err charge_list(struct store *store, const char *account, const struct charge_filter *filter,
                     struct page *page, struct charge *list, int *count) MUST_CHECK;

/* Adds AMOUNT to what was given back. The caller has seen that it fits. */
enum err charge_add_refund(struct store *store, const char *id, int64_t amount) MUST_CHECK;

void charge_release(struct charge *charge);

#endif
