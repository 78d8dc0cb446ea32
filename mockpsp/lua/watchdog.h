/* Ends a process whose script is stuck where Lua cannot interrupt it: inside a library function.
 *
 * It counts the process's own computing time, so that a busy machine does not make a script guilty.
 * One at a time per process. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

/* Takes SIGVTALRM. */
void watchdog_install(void);

/* After SOFT_MS watchdog_expired() holds; after STUCK_MS more the process ends with status 2,
 * naming FILE (which must live on) on stderr. */
void watchdog_start(const char *file, int64_t soft_ms, int64_t stuck_ms);
void watchdog_stop(void);

bool watchdog_expired(void);

#endif
