/* Where the events of a request are in a history: without it a look at each request's answer would
 * go through everything once more, and a long journal take for ever. */
#ifndef REQUEST_INDEX_H
#define REQUEST_INDEX_H

#include <stddef.h>
#include <stdint.h>

/* The seqs of the first of each kind; 0: none. */
struct request_place {
    uint64_t request; /* 0: the place is free */
    uint64_t invoke;
    uint64_t answer; /* ok, fail or info */
};

/* A zeroed one is empty. */
struct request_index {
    struct request_place *places; /* open addressing, SIZE is a power of two */
    size_t size;
    size_t count;
};

/* The place of REQUEST (not 0), made if need be; valid until the next one is made. */
struct request_place *request_index_at(struct request_index *index, uint64_t request);

/* The place of REQUEST, or NULL. */
const struct request_place *request_index_find(const struct request_index *index, uint64_t request);
void request_index_release(struct request_index *index);

#endif
