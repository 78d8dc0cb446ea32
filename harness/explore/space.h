/* The space of schedules: a tree whose root is the run in which nothing goes wrong, and whose other
 * nodes have one choice more than their parent, at a later moment of the parent's run. Every set of
 * choices that can strike is in it once.
 *
 * It is walked level by level, within a level the most dangerous first. What is done with a level
 * depends on what came of the levels before it, and on nothing else, so the same client gives the
 * same space however many worlds run at once, and shards agree on it without a word.
 *
 * Two children of one node that leave the client in the same state, as far as it shows (see
 * continuation.h), have the same children: those of the second are skipped, and counted. A sample
 * of them is played all the same. If one comes out differently from its counterpart, nothing is
 * skipped any more: in the whole space when that shows in the second level, in the part of the
 * space that grows from the same first choice when it shows deeper. */
#ifndef SPACE_H
#define SPACE_H

#include "lab.h"
#include "plan.h"
#include "trial.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOBODY        SIZE_MAX
#define SPACE_DEEPEST 8
#define SPACE_MANY    3 /* orders, in the second run without faults */

enum node_role {
    NODE_PLAYED,  /* or to be played */
    NODE_SKIPPED, /* as a child of a twin */
    NODE_SAMPLE,  /* would have been skipped, and is played to see whether that is right */
};

struct node {
    struct plan plan;
    size_t parent; /* NOBODY for the root */
    size_t root;   /* the node of the first level that it grows from */
    size_t twin;   /* the sibling that it leaves the client like; NOBODY: there is none before it */
    enum node_role role;
    bool shared;               /* every shard plays it */
    bool distrusted;           /* of the first level: nothing that grows from it is skipped */
    const struct trial *trial; /* borrowed from the lab; NULL: it was not played */
};

struct space_options {
    int depth;
    int orders;
    uint64_t seed; /* of samples, and of what is played twice */
    int shard;     /* 1 to shards */
    int shards;
    bool every;       /* all shards' parts: for a merge */
    bool one_process; /* the client is a batch */
};

struct space {
    struct space_options options;
    struct lab *lab;
    struct node *nodes; /* nodes[0] is the root */
    size_t count;
    size_t levels[SPACE_DEEPEST + 2]; /* where each begins; the last one is not complete yet */
    size_t level_count;
    struct surroundings around;
    bool distrusted;          /* nothing is skipped */
    const struct trial *many; /* the run without faults with several orders; NULL: not played */
    size_t checked;           /* plans that were played twice */
    size_t wandering;         /* of those: how many came out in two ways */
    char *wanders;            /* the first that did: which, and what differed */
    size_t samples;           /* that were played */
    char *unlike; /* the first sample that was unlike its counterpart: which, and how; or NULL */
};

/* Plays the run without faults, with as many orders as asked for, and with SPACE_MANY. */
void space_begin(struct space *space, struct lab *lab, const struct space_options *options);

/* The run without faults passed: there is something to explore. */
bool space_is_sound(const struct space *space);

/* Plays one level more. False when there is none, or no time. */
bool space_grow(struct space *space);

/* NODE is in this shard's part. */
bool space_is_mine(const struct space *space, const struct node *node);

void space_release(struct space *space);

#endif
