/* The database: one file (or memory) that holds everything the provider knows, its journal
 * included.
 *
 * One connection, used by one thread. A transaction is open only while one request is executed and
 * never while one waits, so that a request that hangs cannot hold up the others. */
#ifndef STORE_H
#define STORE_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

struct store;

struct store_options {
    const char *path; /* NULL or ":memory:": gone with the process */
    bool durable;     /* fsync on every commit: survives a power cut. Without it a commit survives
                         a kill of the process, not of the machine */
    bool alone;       /* nobody else ever looks into the file: it need not be shared until it is
                         known to be ours, and its log may stay beside it at the end */
};

/* Opens or creates the database and takes it for itself: ERR_BUSY when another process has it.
 * ERR_CORRUPT when it is no database, a foreign one, or of a newer version. Nothing is changed in a
 * file that is refused. WHY names the file and the remedy. */
enum err store_open(struct store **store, const struct store_options *options,
                    struct err_text *why) MUST_CHECK;
void store_close(struct store *store); /* NULL is fine; an open transaction is rolled back */

/* Takes the write lock at once. Transactions do not nest. */
enum err store_begin(struct store *store) MUST_CHECK;
/* When it fails, the transaction is rolled back and nothing of it stands. */
enum err store_commit(struct store *store) MUST_CHECK;
/* Without a transaction, does nothing. */
void store_rollback(struct store *store);
bool store_in_transaction(const struct store *store);

/* The database's own words about the last failure, valid until the next call. */
const char *store_message(const struct store *store);

/* Named numbers that live as long as the database. */
enum err store_get_number(struct store *store, const char *name, int64_t *number,
                          int64_t missing) MUST_CHECK;
enum err store_set_number(struct store *store, const char *name, int64_t number) MUST_CHECK;

#endif
