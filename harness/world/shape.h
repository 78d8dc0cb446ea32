/* How a run of an order is done, one way per shape of client. */
#ifndef SHAPE_H
#define SHAPE_H

struct world;

struct shape {
    /* Begins runs of what is in the queue, which is not empty; no run is under way. */
    void (*start)(struct world *world);
    /* Frees what the shape has hung on each order's run. */
    void (*release)(struct world *world);
};

extern const struct shape shape_command; /* a process, or several at once, for each order */

#endif
