#include "request_index.h"

#include "mem.h"

#include <stdlib.h>

/* Numbers of requests count up, from several starts: their bits have to be spread. */
static struct request_place *place_of(const struct request_index *index, uint64_t request)
{
    size_t at = (size_t)((request * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (index->size - 1);
    while (index->places[at].request != 0 && index->places[at].request != request)
        at = (at + 1) & (index->size - 1);
    return &index->places[at];
}

static void grow(struct request_index *index)
{
    struct request_index larger = {.size = index->size == 0 ? 16 : index->size * 2,
                                   .count = index->count};
    larger.places = mem_alloc(larger.size * sizeof *larger.places);
    for (size_t i = 0; i < index->size; i++)
        if (index->places[i].request != 0)
            *place_of(&larger, index->places[i].request) = index->places[i];
    free(index->places);
    *index = larger;
}

struct request_place *request_index_at(struct request_index *index, uint64_t request)
{
    if (index->count * 2 >= index->size)
        grow(index);
    struct request_place *place = place_of(index, request);
    if (place->request == 0)
        index->count++;
    place->request = request;
    return place;
}

const struct request_place *request_index_find(const struct request_index *index, uint64_t request)
{
    if (index->size == 0 || request == 0)
        return NULL;
    const struct request_place *place = place_of(index, request);
    return place->request == 0 ? NULL : place;
}

void request_index_release(struct request_index *index)
{
    free(index->places);
    *index = (struct request_index){0};
}
