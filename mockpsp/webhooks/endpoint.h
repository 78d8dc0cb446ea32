/* Webhook endpoints: who wants to be told of what. */
#ifndef ENDPOINT_H
#define ENDPOINT_H

#include "err.h"
#include "json.h"
#include "page.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

/* The account of endpoints that listen to all accounts: the one of --webhook. */
#define ENDPOINT_ALL ""

/* Strings are owned; NULL means not set. */
struct endpoint {
    char *id;        /* "we_…" */
    int64_t created; /* Unix time, s */
    char *url;
    char *events; /* a JSON array of types; "*" is every type */
    char *description;
    char *metadata; /* a JSON object of strings */
    char *api_version;
    bool disabled;               /* nothing is planned for it, and nothing sent */
    char *secret;                /* "whsec_…" */
    char *old_secret;            /* signs as well, while a secret is rolled */
    int64_t old_secret_until_ms; /* until then */
};

enum err endpoint_insert(struct store *store, const char *account,
                         const struct endpoint *endpoint) MUST_CHECK;

/* ERR_NOT_FOUND leaves ENDPOINT zeroed. Of ACCOUNT, or (NULL) of anybody. */
enum err endpoint_get(struct store *store, const char *account, const char *id,
                      struct endpoint *endpoint) MUST_CHECK;

/* Writes everything but id and created. */
enum err endpoint_update(struct store *store, const struct endpoint *endpoint) MUST_CHECK;

/* How many ACCOUNT has, disabled ones too. */
enum err endpoint_count(struct store *store, const char *account, int64_t *count) MUST_CHECK;

/* Fills LIST, of at least PAGE_LARGEST + 1 entries, newest first; the caller releases COUNT. */
enum err endpoint_list(struct store *store, const char *account, struct page *page,
                       struct endpoint *list, int *count) MUST_CHECK;

/* Fills LIST with at most MOST enabled endpoints, of anybody, to which something is due: by id,
 * those that come AFTER one ("" for the first). The caller releases COUNT of them. */
enum err endpoint_with_due(struct store *store, int64_t now_ms, const char *after, int most,
                           struct endpoint *list, int *count) MUST_CHECK;

/* All of ACCOUNT and those that listen to all, or (NULL) everybody's, as an array for the control
 * plane. */
enum err endpoint_report(struct store *store, const char *account, struct json **array) MUST_CHECK;

/* Forgets it and its deliveries, in the caller's transaction. */
enum err endpoint_delete(struct store *store, const char *id) MUST_CHECK;

/* Forgets those of ACCOUNT or, with NULL, of all but the ones that listen to all. */
enum err endpoint_reset(struct store *store, const char *account) MUST_CHECK;

/* SECRET replaces the endpoint's; the one so far goes on signing until UNTIL_MS. */
void endpoint_roll(struct endpoint *endpoint, const char *secret, int64_t until_ms);

/* As clients see it, without the secret: that is shown when it is made, and never again. */
struct json *endpoint_render(const struct endpoint *endpoint);

void endpoint_release(struct endpoint *endpoint);

#endif
