/* Walks at random, beyond the depth that is tried in full.
 *
 * For each walk some moves are activated, the others are not, so that walks differ in kind. Then it
 * goes down the tree: at each later moment of its last run an active move strikes with a chance
 * that is drawn once for the walk, and what comes of it is played, until nothing strikes any more,
 * or something breaks. Every step is a plan like any other, so it can be shrunk and replayed. */
#ifndef RANDOM_H
#define RANDOM_H

#include "bucket.h"
#include "lab.h"
#include "space.h"

#include <stddef.h>

struct random_options {
    uint64_t seed;
    int orders;
    int shard; /* from 1; walks are dealt out in turn */
    int shards;
    bool every; /* those of all shards: for a merge */
    struct surroundings around;
};

struct random_walks {
    size_t walks;  /* that were begun */
    size_t steps;  /* that were played */
    size_t unsure; /* that could not be told */
    size_t deepest;
};

/* Walks until LAB is out of time, or knows no more, and puts what breaks into FOUND. */
void random_walk(struct lab *lab, const struct random_options *options, struct bucket_list *found,
                 struct random_walks *totals);

#endif
