/* Watches how long a script computes. First it asks the script to stop; a script that is stuck
 * where Lua cannot interrupt it, inside a library function, then ends the process.
 *
 * It counts the process's own computing time, the system's on its behalf included, so that a busy
 * machine does not make a script guilty. One at a time per process. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

struct watch {
    const char *file;               /* for the message; lives on */
    int64_t soft_ms;                /* then watchdog_expired() holds, and expired is called */
    int64_t stuck_ms;               /* after so much more the process ends with status 2 */
    void (*expired)(void *context); /* in a signal handler; may be NULL */
    void *context;
};

/* Takes SIGPROF. */
void watchdog_start(const struct watch *watch);
void watchdog_stop(void);

bool watchdog_expired(void);

#endif
