/* Double entry: every movement of money is one transaction of postings that add up to zero. */
#ifndef POSTING_H
#define POSTING_H

#include "err.h"
#include "store.h"

#include <stdint.h>

/* The books. What customers' cards owe us, and what we owe the merchant. */
#define BOOK_CARDS    "cards"
#define BOOK_MERCHANT "merchant"

struct posting {
    const char *transaction; /* "txn_…" */
    const char *account;
    const char *from; /* the book that gives */
    const char *to;   /* the book that receives */
    int64_t amount;   /* minor units, at least 1 */
    const char *currency;
    const char *source; /* the charge or refund it comes from */
    int64_t created;    /* Unix time, s */
};

/* Writes both halves, in the caller's transaction. */
enum err posting_record(struct store *store, const struct posting *posting) MUST_CHECK;

/* What BOOK of ACCOUNT holds in CURRENCY. */
enum err posting_balance(struct store *store, const char *account, const char *book,
                         const char *currency, int64_t *amount) MUST_CHECK;

/* Counts what must never be: transactions that do not add up to zero, charges that paid, refunds
 * and disputes without their postings, postings of charges that did not pay. 0 in every honest
 * ledger. */
enum err posting_audit(struct store *store, int64_t *wrong) MUST_CHECK;

#endif
