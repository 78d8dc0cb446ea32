#include "standing.h"

#include "mem.h"
#include "object_id.h"

#include <string.h>

/* Keeps these ids apart from those that are made for requests, which come from the same seed. */
#define SALT UINT64_C(0x77655f00)

/* The first id, and the secret that goes with it, that no endpoint has. */
static enum err make_names(struct store *store, uint64_t seed, struct endpoint *endpoint)
{
    struct endpoint other;
    enum err err = ERR_OK;
    for (uint64_t number = 0; err == ERR_OK; number++) {
        struct rng rng;
        rng_init(&rng, rng_mix(seed, SALT + number));
        mem_set_string(&endpoint->id, object_id_make(&rng, "we_").text);
        mem_set_string(&endpoint->secret, object_id_make(&rng, "whsec_").text);
        err = endpoint_get(store, NULL, endpoint->id, &other);
        endpoint_release(&other);
    }
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

static enum err make(struct store *store, const struct standing *standing, const char *url,
                     struct endpoint *endpoint)
{
    *endpoint = (struct endpoint){.created = standing->now_s,
                                  .url = mem_strdup(url),
                                  .events = mem_strdup("[\"*\"]"),
                                  .metadata = mem_strdup("{}")};
    enum err err = make_names(store, standing->seed, endpoint);
    if (err != ERR_OK)
        return err;
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

/* Where it belongs, or -1: nobody asks for it any longer. */
static int place_of(const struct standing *standing, const struct endpoint *endpoint)
{
    for (int i = 0; i < standing->count; i++)
        if (strcmp(standing->urls[i], endpoint->url) == 0)
            return i;
    return -1;
}

/* Takes over those that are there and still wanted, and deletes the others. There are STANDING_MOST
 * at the most: only this file makes them. */
static enum err sort(struct store *store, const struct standing *standing,
                     struct endpoint *endpoints)
{
    struct endpoint list[PAGE_LARGEST + 1];
    struct page page = {.limit = STANDING_MOST};
    int count = 0;
    enum err err = endpoint_list(store, ENDPOINT_ALL, &page, list, &count);
    for (int i = 0; i < count; i++) {
        int place = place_of(standing, &list[i]);
        if (place >= 0) {
            endpoints[place] = list[i];
            continue;
        }
        if (err == ERR_OK)
            err = endpoint_delete(store, list[i].id);
        endpoint_release(&list[i]);
    }
    return err;
}

static enum err put(struct store *store, const struct standing *standing,
                    struct endpoint *endpoints)
{
    for (int i = 0; i < standing->count; i++)
        endpoints[i] = (struct endpoint){0};
    enum err err = sort(store, standing, endpoints);
    for (int i = 0; i < standing->count && err == ERR_OK; i++)
        err = endpoints[i].id == NULL ? make(store, standing, standing->urls[i], &endpoints[i])
                                      : keep(store, standing, &endpoints[i]);
    return err;
}

enum err standing_put(struct store *store, const struct standing *standing,
                      struct endpoint *endpoints)
{
    enum err err = store_begin(store);
    if (err == ERR_OK)
        err = put(store, standing, endpoints);
    if (err == ERR_OK)
        return store_commit(store);
    store_rollback(store);
    return err;
}
