/* What a client file asks for, as data. */
#ifndef CLIENT_PLAN_H
#define CLIENT_PLAN_H

#define CLIENT_MOST_PROCESSES 10 /* at once, for one order */

/* Lists end with NULL; {placeholders} (see client.h) are not filled in yet. */
struct client_plan {
    char **command;     /* of each process */
    int processes;      /* so many at once for one order */
    char **environment; /* "NAME=value", never NULL */
    char *directory;    /* where processes work, absolute; NULL: where the harness does */
};

#endif
