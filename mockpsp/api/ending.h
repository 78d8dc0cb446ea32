/* How an exchange ends for the client; carried out by http/ending.c. */
#ifndef ENDING_H
#define ENDING_H

#include <stdbool.h>
#include <stdint.h>

enum ending {
    ENDING_ANSWER, /* the reply is sent */
    ENDING_CLOSE,  /* FIN, not a byte */
    ENDING_RESET,  /* RST, not a byte */
    ENDING_RAW,    /* x->raw as it is, then FIN */
    ENDING_CUT,    /* the status line and x->cut bytes of the headers, then FIN */
    ENDING_CHUNK,  /* the body as one chunk whose size line says x->cut, then FIN */
    ENDING_HANG    /* nothing until the client has closed */
};

/* How the body of an answer leaves that does not leave whole and at once. Zeroed: it does. With
 * another ending than ENDING_ANSWER, that comes after the last byte that leaves. */
struct shape {
    int64_t piece; /* bytes at a time, 0: all */
    int64_t every_ms;
    bool stops;
    int64_t stop; /* after so many bytes */
};

#endif
