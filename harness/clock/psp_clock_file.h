/* What psp-clock.so and the harness share: a file that both map or read. */
#ifndef PSP_CLOCK_FILE_H
#define PSP_CLOCK_FILE_H

#include <stdint.h>

struct psp_clock_file {
    int64_t ahead_ms; /* of the machine's clock; the harness writes it */
    int64_t loads;    /* processes that have taken the clock; they count themselves */
};

#endif
