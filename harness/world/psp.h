/* The provider of a world: a process of its own that can really be killed, on a port that stays
 * reserved while it is dead, with a database that outlives it. */
#ifndef PSP_H
#define PSP_H

#include "action.h"
#include "attempt.h"
#include "dialect.h"
#include "err.h"
#include "event.h"
#include "failpoint.h"
#include "loop.h"

#include <stdbool.h>
#include <stdint.h>

struct psp;

struct psp_handlers {
    /* Every entry of its journal, once, however often it is restarted. Borrowed. */
    void (*event)(void *context, const struct event *event);
    /* It wants to know what happens to attempt NUMBER at AT; ATTEMPT comes with the first question
     * about it and is NULL later. Answered with psp_answer, now or later, or never. */
    void (*ask)(void *context, uint64_t number, enum failpoint at, const struct attempt *attempt);
    /* The exchange is over. */
    void (*end)(void *context, uint64_t number);
    /* It has handled every request that had reached it when it was told to, see psp_drain. */
    void (*drained)(void *context);
    /* Its database has failed: nothing that it does from here on proves anything. */
    void (*broken)(void *context, const char *why);
    /* The process is gone and everything that it had said has been handed out. */
    void (*died)(void *context, bool killed);
    void *context;
};

struct psp_options {
    const char *db;  /* a file */
    const char *log; /* a file for what it prints */
    uint64_t seed;
    const struct dialect *dialect; /* NULL: Stripe v1; has to live on */
};

/* Makes what every provider begins with, so that the children of this process need not. */
void psp_prepare(void);

/* From here on a provider that has seen its world to the end may serve the next one of this process
 * instead of another one's being started. */
void psp_reuse(void);

/* Ends the provider that waits for the next world, if one does. */
void psp_reuse_end(void);

/* Reserves a port, and makes the database, which is not there yet; starts nothing. OPTIONS are
 * copied. ERR_IO with a sentence. */
enum err psp_open(struct psp **psp, struct loop *loop, const struct psp_options *options,
                  struct psp_handlers handlers, struct err_text *why) MUST_CHECK;

/* Starts the process, which is not running. It is ready when its `up` event comes. */
enum err psp_start(struct psp *psp, struct err_text *why) MUST_CHECK;

int psp_port(const struct psp *psp);

/* It has said `up` and nobody has killed it since. */
bool psp_is_up(const struct psp *psp);

/* There is no process of it: it was killed, everything that it had said has been handed out, and it
 * has not been started again. */
bool psp_is_down(const struct psp *psp);

/* Whoever asked and is dead by now is not answered. */
void psp_answer(struct psp *psp, uint64_t number, const struct action *action);

/* Its clock jumps; a `clock` event answers. Only while it is up. */
void psp_advance(struct psp *psp, int64_t ms);

/* It shall handle every request that has reached it. Only while it is up. */
void psp_drain(struct psp *psp);

/* What faults have left in force is over: it listens, hides nothing from reads, and sends what it
 * has to tell. Done before it has drained, when it is told that next. Only while it is up. */
void psp_heal(struct psp *psp);

/* It has done so since it was last told to; false once it has died. */
bool psp_is_drained(const struct psp *psp);

/* It has been told to, and may still do so. */
bool psp_is_draining(const struct psp *psp);

/* How many payments still waited for their bank when it was last drained. */
int64_t psp_processing(const struct psp *psp);

/* How many webhooks were on their way then: decided about, or sent and not answered. */
int64_t psp_webhooks(const struct psp *psp);

/* SIGKILL; the died handler follows. Killing the dead is fine. */
void psp_kill(struct psp *psp);

/* Kills it if it lives and is not wanted again (see psp_reuse), collects it, gives the port back;
 * calls no handler. NULL is fine. */
void psp_close(struct psp *psp);

#endif
