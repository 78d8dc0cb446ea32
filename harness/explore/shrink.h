/* The shortest story: a plan that breaks an invariant is made smaller as long as the same invariant
 * stays broken for the same cause. */
#ifndef SHRINK_H
#define SHRINK_H

#include "lab.h"
#include "plan.h"
#include "trial.h"

#include <stdbool.h>
#include <stddef.h>

/* TRIAL broke INVARIANT for CAUSE. */
bool shrink_is_same(const struct trial *trial, enum invariant invariant, enum cause cause);

/* Replaces *PLAN and *ORDERS by something smaller where it can: fewer orders, each job delivered
 * once, fewer choices, simpler moves, earlier attempts. Returns how many trials it took, a bounded
 * number. */
size_t shrink(struct lab *lab, struct plan *plan, int *orders, enum invariant invariant,
              enum cause cause);

#endif
