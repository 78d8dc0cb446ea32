/* A process of a client in a world: started, listened to, and over once the history has everything
 * that it did. Which of them there are is the business of the client's shape (shape.h). */
#ifndef CLIENT_PROCESS_H
#define CLIENT_PROCESS_H

#include "attempt.h"
#include "drain.h"
#include "event.h"
#include "order.h"
#include "proc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct world;

struct client_process {
    struct client_process *next; /* of all in the world */
    struct world *world;
    const struct order *order; /* whose process it is; NULL: it serves all of them */
    char *role;                /* "process_2", "service"; NULL: it is the only one of its order */
    struct proc *proc;         /* NULL while none runs */
    bool leaving;              /* it has ended, and the provider is still busy with what it sent */
    struct proc_end end;       /* from then on */
    struct drain drain;        /* until the history has what it did */
    int runs;                  /* started so far */
    int64_t began_us;          /* the last of them, by the machine's monotonic clock */
    bool clocked;              /* this run was given the world's clock, see client_clock.h */
    bool clock_taken;          /* and has been seen to have loaded it */
    int64_t clock_loads;       /* how many had taken that before; -1: it had not moved by then */
    int killed_by;             /* the signal that a crash sent to this run, 0 when none */
    bool silent;               /* its shape writes down itself that it starts and ends */
    char *input;               /* the path of what it reads, or NULL */
    size_t lines;              /* how many it printed */
    char *last_words;          /* its last line on stderr, or NULL */
    FILE *log;
    long logged; /* bytes */

    /* A line; borrowed. */
    void (*said)(struct client_process *process, enum proc_stream stream, const char *line);
    /* It is over, and the history says so. */
    void (*left)(struct client_process *process);
    void *context;
};

/* A process of ORDER's, not started; ROLE is copied. It lives as long as the world. */
struct client_process *client_process_new(struct world *world, const struct order *order,
                                          const char *role);

/* Starts COMMAND (placeholders not yet replaced). False: it could not be, and the world is over. */
bool client_process_start(struct client_process *process, char *const *command);

/* It runs, or is leaving. */
bool client_process_is_there(const struct client_process *process);

/* Its last end was a crash: a signal, or a status by which a runtime reports ours. */
bool client_process_crashed(const struct client_process *process);

/* What messages call it: "order_1's client", "process_2 of order_1's client", "the client's
 * service". The caller frees it. */
char *client_process_name(const struct client_process *process);

/* A new event of KIND about it. */
struct event client_process_event(const struct client_process *process, enum event_kind kind);

/* Who has sent ATTEMPT: the process at the other end of its connection; when that cannot be told,
 * the first of its order that runs, else the first that serves all orders. NULL: nobody runs. */
struct client_process *client_process_of(const struct world *world, const struct attempt *attempt);

/* Something that an ended process may be waiting for has happened at the provider. */
void client_processes_progress(struct world *world);

/* Kills and forgets every process without another word. */
void client_processes_release(struct world *world);

#endif
