/* One clock for both sides: what moves the provider's clock moves the client's as well.
 *
 * A process that is started after the clock has moved is given psp-clock.so (harness/clock) in its
 * environment, and so is every process of a scenario with clock = "both", which then moves while it
 * runs. Whether it has taken that is looked up when it first calls the provider in a run: a static
 * program does not, nor does one that drops its environment. */
#ifndef CLIENT_CLOCK_H
#define CLIENT_CLOCK_H

#include "attempt.h"
#include "err.h"

#include <stdbool.h>

struct client_clock;
struct client_process;
struct world;

/* Makes the clock of the world's box. ERR_IO with a sentence. */
enum err client_clock_open(struct world *world, struct err_text *why) MUST_CHECK;
void client_clock_close(struct world *world);

/* The provider's clock has moved. */
void client_clock_move(const struct world *world);

/* Adds to the environment LIST what a process needs that is started now. True when anything. */
bool client_clock_give(const struct world *world, char ***list);

/* How many processes have taken it; -1 before it has moved. */
int64_t client_clock_loads(const struct world *world);

/* PROCESS has ended, and may have taken it without a call of the provider's. */
void client_clock_left(const struct client_process *process);

/* A run of an order has ended, and a process that lives on may have taken it before. */
void client_clock_ran(const struct world *world);

/* ATTEMPT has come: who has sent it ought to have the clock by now. */
void client_clock_see(struct world *world, const struct attempt *attempt);

/* Says what became of it. False when the scenario is about the client's clock, and that did not
 * move: then nothing that the client did says anything about it. */
bool client_clock_judge(const struct world *world);

#endif
