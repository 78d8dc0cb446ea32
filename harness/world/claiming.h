/* What an order has come to, asked of the client file's claim(order): again and again while it is
 * unknown and patience lasts. */
#ifndef CLAIMING_H
#define CLAIMING_H

#include "outcome.h"

#include <stdbool.h>
#include <stdint.h>

struct asking;
struct loop_timer;
struct order_run;
struct world;

/*  NOT_ASKING --> ASKING --(known, or out of patience)--> ENDING --(the history has it)-->
 * NOT_ASKING
 *
 * While the client is not ready, or is being killed, asking waits. */
enum claiming_phase { CLAIMING_NOT, CLAIMING_ASKS, CLAIMING_ENDS };

/* A zeroed one is not asking. */
struct claiming {
    enum claiming_phase phase;
    struct asking *asking;
    struct loop_timer *again;
    int64_t until_us; /* so long it may be unknown */
    enum outcome outcome;
    char *payment; /* or NULL */
    bool draining; /* the provider was told to */
};

/* Asks about RUN, which is under way, and ends it by what is said. */
void claiming_start(struct order_run *run, int64_t patience_ms);

/* Something has happened that it may be waiting for. */
void claiming_progress(struct order_run *run);

void claiming_release(struct claiming *claiming);

#endif
