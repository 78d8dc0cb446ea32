/* Refunds: money given back, of one charge, never more than it took.
 *
 *   PENDING --arrives--> SUCCEEDED --the customer's bank sends it back--> FAILED
 *      |
 *      +----cancel----> CANCELED
 *
 * A refund begins in PENDING or SUCCEEDED. The money leaves the merchant at once, and comes back
 * when the refund ends in FAILED or CANCELED. That of a charge that was only authorized moves none.
 */
#ifndef REFUND_H
#define REFUND_H

#include "err.h"
#include "page.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

#define REFUND_STATE_LIST(X)                                                                       \
    X(REFUND_SUCCEEDED, "succeeded")                                                               \
    X(REFUND_PENDING, "pending")                                                                   \
    X(REFUND_FAILED, "failed")                                                                     \
    X(REFUND_CANCELED, "canceled")

#define REFUND_STATE_ENUM(constant, name) constant,
enum refund_state { REFUND_STATE_LIST(REFUND_STATE_ENUM) REFUND_STATE_COUNT };
#undef REFUND_STATE_ENUM

/* Strings are owned; NULL means not set. */
struct refund {
    char *id;        /* "re_…" */
    int64_t created; /* Unix time, s */
    enum refund_state state;
    int64_t settle_ms; /* when its state changes by itself (clock_now_ms), 0: never */
    int64_t amount;    /* minor units */
    char *currency;
    char *charge;
    char *intent;
    char *reason;
    char *metadata;    /* a JSON object of strings */
    char *transaction; /* "txn_…", NULL when no money moved */
    char *failure_reason;
    char *failure_transaction; /* "txn_…" that brought the money back */
};

struct refund_filter {
    const char *charge;
    const char *intent;
};

const char *refund_state_name(enum refund_state state);

/* Whether the table of moves has FROM -> TO. */
bool refund_may_move(enum refund_state from, enum refund_state to);

/* Writes REFUND, its postings and the charge's new sum, in the caller's transaction. The caller has
 * seen that the amount fits. */
enum err refund_insert(struct store *store, const char *account,
                       const struct refund *refund) MUST_CHECK;

/* The money of a PENDING one has arrived. */
enum err refund_arrive(struct store *store, struct refund *refund) MUST_CHECK;

/* How a refund's money comes back. */
struct refund_end {
    enum refund_state to;    /* FAILED or CANCELED */
    const char *reason;      /* of a failure, NULL otherwise */
    const char *transaction; /* "txn_…" */
    int64_t created;         /* Unix time, s */
};

/* Moves REFUND there and its money to the merchant, in the caller's transaction. */
enum err refund_undo(struct store *store, const char *account, struct refund *refund,
                     const struct refund_end *end) MUST_CHECK;

/* Writes what clients may change: metadata. */
enum err refund_update(struct store *store, const struct refund *refund) MUST_CHECK;

/* ERR_NOT_FOUND leaves REFUND zeroed. */
enum err refund_get(struct store *store, const char *account, const char *id,
                    struct refund *refund) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err refund_list(struct store *store, const char *account, const struct refund_filter *filter,
                     struct page *page, struct refund *list, int *count) MUST_CHECK;

void refund_release(struct refund *refund);

#endif
