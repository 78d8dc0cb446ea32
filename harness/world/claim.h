/* What a client says of an order, by its exit status or by a line of JSON. */
#ifndef CLAIM_H
#define CLAIM_H

#include "err.h"
#include "outcome.h"
#include "proc.h"

#define CLAIM_EXIT_UNKNOWN 75 /* EX_TEMPFAIL: run me again later */

/* Exit 0: succeeded; 75: unknown; anything else: failed. Killed: it crashed, so unknown. */
enum outcome claim_of_end(struct proc_end end);

struct claim {
    char *order;
    enum outcome outcome;
    char *payment; /* or NULL */
};

/* Reads {"order":"…","outcome":"succeeded|failed|unknown","payment":"pi_…"}, a line of its own,
 * with white space around it or not. ERR_NOT_FOUND: LINE is no claim, but text like any other.
 * ERR_INVALID: it means to be one and is wrong; WHY says how. CLAIM is zeroed then. */
enum err claim_read(const char *line, struct claim *claim, struct err_text *why) MUST_CHECK;

void claim_release(struct claim *claim);

#endif
