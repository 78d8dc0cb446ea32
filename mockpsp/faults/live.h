/* Schedules put in place while the provider runs, through /_mock/faults: for one account or for
 * all.
 *
 * An account's own schedule goes before the one for all, and either stands in for the fault source
 * that the provider was started with. An exchange keeps, to its end, the source it began with. */
#ifndef LIVE_H
#define LIVE_H

#include "fault_source.h"
#include "schedule.h"

#include <stdbool.h>

struct live_faults;

struct live_faults *live_faults_new(void);
void live_faults_free(struct live_faults *live); /* after every exchange has ended; NULL is fine */

/* For ACCOUNT, or (NULL) for all. Takes SCHEDULE over; counting starts anew. */
void live_faults_put(struct live_faults *live, const char *account, struct schedule schedule);

/* False when there was none. */
bool live_faults_delete(struct live_faults *live, const char *account);

/* Deletes all of them. */
void live_faults_clear(struct live_faults *live);

/* The schedule in force for exactly that account (NULL: for all), or NULL. */
const struct schedule *live_faults_get(const struct live_faults *live, const char *account);

/* How often rule number RULE (from 0) of that schedule has struck; 0 when there is none. */
uint64_t live_faults_struck(const struct live_faults *live, const char *account, size_t rule);

/* The source for a new exchange of ACCOUNT: the live one, or OTHERWISE. */
struct fault_source live_faults_choose(const struct live_faults *live, const char *account,
                                       struct fault_source otherwise);

#endif
