/* HTTP out: any number of libcurl's transfers side by side on our event loop, none of which waits.
 */
#ifndef TRANSFER_H
#define TRANSFER_H

#include "loop.h"

#include <curl/curl.h>

struct transfers;

/* One of them; zeroed but for the first three. */
struct transfer {
    CURL *easy; /* set up by its owner, but for CURLOPT_PRIVATE */
    /* Told once, in a turn of its own. It may stop this transfer and start others. */
    void (*over)(void *context, CURLcode result);
    void *context;
};

struct transfers *transfers_new(struct loop *loop);

/* Every transfer has to be stopped before. NULL is fine. */
void transfers_free(struct transfers *transfers);

/* TRANSFER is borrowed until it is stopped. */
void transfer_start(struct transfers *transfers, struct transfer *transfer);

/* Over or not. */
void transfer_stop(struct transfers *transfers, struct transfer *transfer);

#endif
