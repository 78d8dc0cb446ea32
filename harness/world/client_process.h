/* A process of a client in a world: started, listened to, and over once the history has everything
 * that it did. Which of them there are is the business of the client's shape (shape.h). */
#ifndef CLIENT_PROCESS_H
#define CLIENT_PROCESS_H

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
    const struct order *order; /* whose process it is */
    char *role;                /* "process_2", or NULL: it is the only one of its order */
    struct proc *proc;         /* NULL while none runs */
    bool leaving;              /* it has ended, and the provider is still busy with what it sent */
    struct proc_end end;       /* from then on */
    size_t drained_calls;      /* how many requests had come when the provider was told to drain */
    int runs;                  /* started so far */
    int killed_by;             /* the signal that a crash sent to this run, 0 when none */
    size_t lines;              /* how many it printed */
    char *last_words;          /* its last line on stderr, or NULL */
    FILE *log;

    /* A line on stdout; borrowed. */
    void (*said)(struct client_process *process, const char *line);
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

/* What messages call it: "order_1's client", "process_2 of order_1's client". The caller frees it.
 */
char *client_process_name(const struct client_process *process);

/* A new event of KIND about it. */
struct event client_process_event(const struct client_process *process, enum event_kind kind);

/* The process of ORDER to whom a fault is done when nothing tells them apart: the first that runs,
 * or NULL. */
struct client_process *client_process_of(const struct world *world, const char *order);

/* Something that an ended process may be waiting for has happened at the provider. */
void client_processes_progress(struct world *world);

/* Kills and forgets every process without another word. */
void client_processes_release(struct world *world);

#endif
