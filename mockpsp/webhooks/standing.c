#include "standing.h"

#include "mem.h"
#include "object_id.h"

#include <string.h>

/* Keeps these ids apart from those that are made for requests, which come from the same seed. */
#define SALT UINT64_C(0x77655f00)

static enum err make(struct store *store, const struct standing *standing,
                     struct endpoint *endpoint)
{
    struct rng rng;
    rng_init(&rng, rng_mix(standing->seed, SALT));
    *endpoint = (struct endpoint){.id = mem_strdup(object_id_make(&rng, "we_").text),
                                  .secret = mem_strdup(object_id_make(&rng, "whsec_").text),
                                  .created = standing->now_s,
                                  .url = mem_strdup(standing->url),
                                  .events = mem_strdup("[\"*\"]"),
                                  .metadata = mem_strdup("{}")};
    if (standing->secret != NULL)
        mem_set_string(&endpoint->secret, standing->secret);
    return endpoint_insert(store, ENDPOINT_ALL, endpoint);
}

static enum err keep(struct store *store, const struct standing *standing,
                     struct endpoint *endpoint)
{
    if (standing->secret == NULL || strcmp(endpoint->secret, standing->secret) == 0)
        return ERR_OK;
    mem_set_string(&endpoint->secret, standing->secret);
    mem_set_string(&endpoint->old_secret, NULL);
    return endpoint_update(store, endpoint);
}

/* There is one at the most: only this file makes them. */
static enum err put(struct store *store, const struct standing *standing, struct endpoint *endpoint)
{
    struct endpoint list[PAGE_LARGEST + 1];
    struct page page = {.limit = 1};
    int count = 0;
    enum err err = endpoint_list(store, ENDPOINT_ALL, &page, list, &count);
    *endpoint = (struct endpoint){0};
    for (int i = 0; i < count; i++) {
        bool same = standing->url != NULL && strcmp(list[i].url, standing->url) == 0;
        if (err == ERR_OK && !same)
            err = endpoint_delete(store, list[i].id);
        if (same)
            *endpoint = list[i];
        else
            endpoint_release(&list[i]);
    }
    if (err != ERR_OK || standing->url == NULL)
        return err;
    return endpoint->id == NULL ? make(store, standing, endpoint) : keep(store, standing, endpoint);
}

enum err standing_put(struct store *store, const struct standing *standing,
                      struct endpoint *endpoint)
{
    enum err err = store_begin(store);
    if (err == ERR_OK)
        err = put(store, standing, endpoint);
    if (err == ERR_OK)
        return store_commit(store);
    store_rollback(store);
    return err;
}
