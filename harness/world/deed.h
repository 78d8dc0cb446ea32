/* A deed: what a client did for an order because it is paid, and has to do once, as to ship it or
 * to send a mail. By its own word: a line that it prints (deed.c), or effects(order) of its file
 * (effects.h). The invariant webhook_effect_once judges them. */
#ifndef DEED_H
#define DEED_H

#include "err.h"

#include <stdbool.h>

struct client_process;

struct deed {
    char *order;
    char *effect; /* "shipped" */
    char *event;  /* the webhook that it was done for, "evt_…", or NULL */
    bool undone;  /* it was taken back instead */
};

/* Reads {"order":"…","effect":"shipped","event":"evt_…","undone":true}, a line of its own, the last
 * two left out or not. ERR_NOT_FOUND: LINE is text like any other. ERR_INVALID: it means to be one
 * and is wrong; WHY says how. DEED is zeroed then. */
enum err deed_read(const char *line, struct deed *deed, struct err_text *why) MUST_CHECK;

void deed_release(struct deed *deed);

/* PROCESS has written LINE on its stdout, which may be one: then the history has it. */
void deed_hear(struct client_process *process, const char *line);

#endif
