/* Whose clock moves when the provider's does: what a scenario says of it. */
#ifndef WHOSE_CLOCK_H
#define WHOSE_CLOCK_H

enum whose_clock {
    CLOCK_WHERE_POSSIBLE, /* the client's as well, where that can be done */
    CLOCK_OF_BOTH,        /* the client's has to */
    CLOCK_OF_PROVIDER,    /* the client's does not */
};

#endif
