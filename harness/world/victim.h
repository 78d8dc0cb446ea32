/* Whom a fault strikes: a client's processes, or some of them.
 *
 *   family    everybody that belongs to the process whose connection carried the request
 *   leader    of them the one that was started: whom `docker stop` tells, PID 1 of a container
 *   group     the process group of the one that sent the request
 *   process   that one alone: one worker of a server, whom the OOM killer has picked
 *   service, batch, worker_2, process_2: the family of that process, whoever sent the request */
#ifndef VICTIM_H
#define VICTIM_H

#include "attempt.h"
#include "err.h"
#include "family.h"

#include <stdbool.h>

struct client_process;
struct world;

struct victim {
    struct client_process *client;
    int of_run; /* which of its runs is meant */
    struct family_choice choice;
};

/* WHOM of them ATTEMPT means (NULL: family). ERR_NOT_FOUND with a sentence about what the fault,
 * called WHAT, did not find. */
enum err victim_find(struct world *world, const struct attempt *attempt, const char *whom,
                     const char *what, struct victim *victim, struct err_text *why) MUST_CHECK;

/* Nothing happens when its run is over. */
void victim_signal(const struct victim *victim, int signal);

/* The run that is meant goes on. */
bool victim_still_runs(const struct victim *victim);

/* Nobody who is meant can take another step. */
bool victim_is_stopped(const struct victim *victim);

/* Nobody who is meant lives; when its client has ended with them, the history says so. */
bool victim_has_left(const struct victim *victim);

#endif
