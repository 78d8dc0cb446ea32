/* Faults put in place while the provider runs, through /_mock/faults: for one account or for all.
 * Schedules here, those that strike only once in armed.h.
 *
 * An account's own schedule goes before the one for all, and either stands in for the fault source
 * that the provider was started with. An exchange keeps, to its end, the source it began with. */
#ifndef LIVE_H
#define LIVE_H

#include "armed.h"
#include "clock.h"
#include "fault_source.h"
#include "schedule.h"

struct live_faults;

/* SEED and CLOCK are for their chances and their time, which counts from when they are put in
 * place. */
struct live_faults *live_faults_new(uint64_t seed, struct clock_source clock);
void live_faults_free(struct live_faults *live); /* after every exchange has ended; NULL is fine */

/* For ACCOUNT, or (NULL) for all. Takes SCHEDULE over; counting starts anew. */
void live_faults_put(struct live_faults *live, const char *account, struct schedule schedule);

/* The schedule, and what is armed. */
void live_faults_delete(struct live_faults *live, const char *account);

/* Deletes all of them, and disarms what is armed. */
void live_faults_clear(struct live_faults *live);

/* The schedule in force for exactly that account (NULL: for all), or NULL. */
const struct schedule *live_faults_get(const struct live_faults *live, const char *account);

/* How often rule number RULE (from 0) of that schedule has struck; 0 when there is none. */
uint64_t live_faults_struck(const struct live_faults *live, const char *account, size_t rule);

/* The faults that strike once; valid as long as LIVE. */
struct armed_faults *live_faults_armed(struct live_faults *live);

/* The source for a new exchange of ACCOUNT: the live one, or OTHERWISE, behind what is armed. */
struct fault_source live_faults_choose(const struct live_faults *live, const char *account,
                                       struct fault_source otherwise);

#endif
