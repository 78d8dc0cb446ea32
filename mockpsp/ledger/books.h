/* The whole ledger at once, for the control plane. */
#ifndef BOOKS_H
#define BOOKS_H

#include "err.h"
#include "json.h"
#include "store.h"

/* {"charges":[…],"refunds":[…],"disputes":[…],"audit":{"wrong":0}}, oldest first, of ACCOUNT or
 * (NULL) of all; owned by the caller. */
enum err books_read(struct store *store, const char *account, struct json **books) MUST_CHECK;

/* Forgets everything of ACCOUNT, or (NULL) of all, in the caller's transaction. */
enum err books_reset(struct store *store, const char *account) MUST_CHECK;

#endif
