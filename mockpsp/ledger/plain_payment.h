/* Payments of the plain face, what a bank or an acquirer calls one: a charge of the one ledger,
 * with the names that the merchant gave it. What becomes of it is the charge's business. */
#ifndef PLAIN_PAYMENT_H
#define PLAIN_PAYMENT_H

#include "charge.h"
#include "err.h"
#include "page.h"
#include "store.h"

/* Strings are owned; NULL means not set. */
struct plain_payment {
    char *operation;      /* the merchant's operation_id */
    char *reference;      /* the merchant's name for what is paid */
    struct charge charge; /* all the rest, its id included */
};

/* Writes the payment of a charge that is written already, in the caller's transaction. */
enum err plain_payment_insert(struct store *store, const char *account,
                              const struct plain_payment *payment) MUST_CHECK;

/* By its id, or the latest one of an operation. ERR_NOT_FOUND leaves PAYMENT zeroed. */
enum err plain_payment_get(struct store *store, const char *account, const char *id,
                           struct plain_payment *payment) MUST_CHECK;
enum err plain_payment_of_operation(struct store *store, const char *account, const char *operation,
                                    struct plain_payment *payment) MUST_CHECK;

/* Whose it is, to be freed. ERR_NOT_FOUND leaves *ACCOUNT alone. */
enum err plain_payment_owner(struct store *store, const char *id, char **account) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first, with those of REFERENCE or (NULL)
 * all; the caller releases COUNT. */
enum err plain_payment_list(struct store *store, const char *account, const char *reference,
                            struct page *page, struct plain_payment *list, int *count) MUST_CHECK;

void plain_payment_release(struct plain_payment *payment);

#endif
