/* Payment methods: test cards that somebody has given us, each under an id of its own, and whose
 * they are. One that was used without belonging to a customer, or that was detached from its
 * customer, is spent: it is never used any more. */
#ifndef PAYMENT_METHOD_H
#define PAYMENT_METHOD_H

#include "card.h"
#include "err.h"
#include "page.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

/* Strings are owned; NULL means not set. */
struct payment_method {
    char *id;        /* "pm_…" */
    int64_t created; /* Unix time, s */
    const struct card *card;
    char *customer;
    bool spent;
    bool detached;  /* from its customer: spent for good */
    char *billing;  /* a JSON object, see api/details.h */
    char *metadata; /* a JSON object of strings */
};

/* Which payment methods a list shows; NULL: all. */
struct payment_method_filter {
    const char *customer;
    const char *cards; /* a pattern (GLOB) of test cards' names */
};

enum err payment_method_insert(struct store *store, const char *account,
                               const struct payment_method *method) MUST_CHECK;

/* Writes what changes: customer, spent, detached, billing, metadata. */
enum err payment_method_update(struct store *store, const struct payment_method *method) MUST_CHECK;

/* It has paid, and is spent unless it belongs to a customer. */
enum err payment_method_spend(struct store *store, const char *account, const char *id) MUST_CHECK;

/* All that CUSTOMER has are detached: the customer is no more. */
enum err payment_method_detach_all(struct store *store, const char *account,
                                   const char *customer) MUST_CHECK;

/* ERR_NOT_FOUND leaves METHOD zeroed. */
enum err payment_method_get(struct store *store, const char *account, const char *id,
                            struct payment_method *method) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err payment_method_list(struct store *store, const char *account,
                             const struct payment_method_filter *filter, struct page *page,
                             struct payment_method *list, int *count) MUST_CHECK;

void payment_method_release(struct payment_method *method);

#endif
