/* SIGINT and SIGTERM as events of a loop, for one process.
 *
 * Signal handlers are shared with every child until it execs; a descriptor is not. So the harness
 * and each of its worlds block the two signals and read them from a descriptor of their own. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include "loop.h"

struct interrupt;

/* Calls HANDLER for every SIGINT and SIGTERM until interrupt_close. */
struct interrupt *interrupt_open(struct loop *loop, loop_signal *handler, void *context);

/* The signals stay blocked: the process is about to end. NULL is fine. */
void interrupt_close(struct interrupt *interrupt);

/* From here on the two signals wait for an interrupt that is opened, or for interrupt_taken. */
void interrupt_hold(void);

/* The signal that has waited, which is over with that; 0 when none has. */
int interrupt_taken(void);

/* In a child: every signal is back at its default and none is blocked. */
void interrupt_reset(void);

#endif
