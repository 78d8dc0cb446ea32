/* How often each of many things has come: the orders, keys or connections that a fault counts by.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stddef.h>
#include <stdint.h>

/* A zeroed one has seen nothing. */
struct tally {
    struct tally_entry *entries; /* a hash table, SIZE places */
    size_t size;                 /* a power of two, or 0 */
    size_t count;
};

/* Counts WHAT of ACCOUNT (NULL of either is a thing like any other): 1 for the first time. Accounts
 * share nothing. */
uint64_t tally_next(struct tally *tally, const char *account, const char *what);

void tally_release(struct tally *tally);

#endif
