/* What exploration has found: one finding for each distinct cause, however many schedules lead to
 * it, with the shortest scenario that shows it. */
#ifndef BUCKET_H
#define BUCKET_H

#include "lab.h"
#include "plan.h"
#include "trial.h"

#include <stdbool.h>
#include <stddef.h>

#define CONFIRMATIONS 3

/* Schedules that break the same invariant for the same cause at the same place. */
struct bucket {
    enum invariant invariant;
    enum cause cause;
    char *place;      /* the route of the last choice, or how the jobs were delivered */
    struct plan plan; /* the first that led here */
    int orders;
    size_t schedules; /* how many do */
    bool shrunk;      /* the rest is there */
    struct plan shortest;
    int shortest_orders;
    const struct trial *trial; /* of the shortest; borrowed from the lab */
    size_t steps;              /* trials that shrinking took */
    int confirmed;             /* of so many more runs of the shortest, */
    int asked;                 /* so many broke the same invariant for the same cause */
    bool written;              /* its scenario file is there */
};

/* A zeroed list is empty. */
struct bucket_list {
    struct bucket *items;
    size_t count;
};

/* TRIAL, of PLAN with ORDERS, broke. */
void bucket_list_add(struct bucket_list *list, const struct plan *plan, int orders,
                     const struct trial *trial);

/* Fills in the rest of every bucket that has not been shrunk yet: see shrink.h. */
void bucket_list_shrink(struct bucket_list *list, struct lab *lab);

/* "r_charged_once_1f3a": of its invariant, cause and place, so that it is the same wherever it is
 * found. The caller frees it. */
char *bucket_name(const struct bucket *bucket);

void bucket_list_release(struct bucket_list *list);

#endif
