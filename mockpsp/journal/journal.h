/* The journal of events, in the provider's database, and whoever listens to it.
 *
 * An event written inside a transaction stands or falls with it, and listeners hear of an event
 * only after it is committed: what they were told has happened. */
#ifndef JOURNAL_H
#define JOURNAL_H

#include "event.h"
#include "store.h"

struct journal;

/* EVENT is borrowed for the call. */
typedef void journal_listener(void *context, const struct event *event);

/* LISTENER may be NULL. STORE is borrowed. */
struct journal *journal_new(struct store *store, journal_listener *listener, void *context);
void journal_free(struct journal *journal); /* NULL is fine */

/* Appends EVENT, which is taken over, for ACCOUNT ("" when nobody knows whose), and gives it its
 * seq. Inside a transaction listeners hear of it at journal_commit, outside at once. */
enum err journal_add(struct journal *journal, const char *account, struct event event) MUST_CHECK;

/* store_commit and store_rollback, with the events that belong to the transaction. */
enum err journal_commit(struct journal *journal) MUST_CHECK;
void journal_rollback(struct journal *journal);

/* Tells the listener of every entry after SEQ that is in the database. */
enum err journal_replay(struct journal *journal, uint64_t after) MUST_CHECK;

/* At most LIMIT entries after SEQ, oldest first, of ACCOUNT or (NULL) of all, as an array. */
enum err journal_read(struct journal *journal, const char *account, uint64_t after, int64_t limit,
                      struct json **entries) MUST_CHECK;

/* The highest attempt number in it, 0 when it is empty. */
enum err journal_last_attempt(struct journal *journal, uint64_t *number) MUST_CHECK;

/* Forgets the entries of ACCOUNT, or (NULL) all of them, in the caller's transaction. */
enum err journal_reset(struct journal *journal, const char *account) MUST_CHECK;

#endif
