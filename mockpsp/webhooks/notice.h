/* Notices: what the API calls an Event. Something has happened to an object, and this is how the
 * object was then. (The word event belongs to the journal, see wire/event.h.) */
#ifndef NOTICE_H
#define NOTICE_H

#include "err.h"
#include "json.h"
#include "page.h"
#include "store.h"

#include <stdint.h>

/* Events stay listable for 30 days. Source: STRIPE_FACTS §4, "Webhooks". */
#define NOTICE_LIFE_S INT64_C(2592000)

/* Strings are owned; NULL means not set. */
struct notice {
    char *id;           /* "evt_…" */
    int64_t created_ms; /* Unix time */
    char *type;         /* "charge.succeeded" */
    char *object;       /* JSON text: the object as it was */
    char *previous; /* the same: what an update has changed, as it was before; NULL: no update */
    char *request;  /* the request that caused it, "req_…"; NULL: nobody's, time's */
    char *key;      /* and its idempotency key */
    char *order;    /* whose order it is about, as far as anybody has told */
};

/* Which events a list shows. */
struct notice_filter {
    const char *types; /* a JSON array of strings in which * stands for anything; NULL: all */
    int64_t since_s;   /* created then or later */
    int delivered;     /* 1: acknowledged by all who were told; 0: not yet; -1: either */
};

/* Writes NOTICE, all but its id filled in, and a delivery to every endpoint of ACCOUNT that wants
 * it, in the caller's transaction. Ids come from SEED. */
enum err notice_record(struct store *store, const char *account, uint64_t seed,
                       struct notice *notice) MUST_CHECK;

/* ERR_NOT_FOUND leaves NOTICE zeroed. Of ACCOUNT, or (NULL) of all. */
enum err notice_get(struct store *store, const char *account, const char *id,
                    struct notice *notice) MUST_CHECK;

/* Whose it is; to be freed. */
enum err notice_account(struct store *store, const char *id, char **account) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err notice_list(struct store *store, const char *account, const struct notice_filter *filter,
                     struct page *page, struct notice *list, int *count) MUST_CHECK;

/* The event as clients see it, owned by the caller. PENDING: deliveries not acknowledged yet. */
struct json *notice_render(const struct notice *notice, int64_t pending);

/* Forgets at most MOST of those that were listable for long enough by NOW_MS, and their deliveries,
 * in the caller's transaction. notice_record does it now and then. */
enum err notice_forget_old(struct store *store, int64_t now_ms, int64_t most) MUST_CHECK;

/* Forgets all of ACCOUNT, or (NULL) of everybody, in the caller's transaction. */
enum err notice_reset(struct store *store, const char *account) MUST_CHECK;

void notice_release(struct notice *notice);

#endif
