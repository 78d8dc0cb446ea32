/* Faults for the next request that they fit, armed through /_mock/faults/next: for one account or
 * for all. Each strikes once and is gone.
 *
 * They go before the schedule or script in force, an account's own before those for all, each kind
 * in the order in which they were armed. Where one strikes, nobody else is asked; at the other
 * failpoints of that exchange, and in its counting, the schedule goes on as if nothing had been. An
 * exchange sees what was armed when it was received, and is struck by nothing disarmed since. */
#ifndef ARMED_H
#define ARMED_H

#include "clock.h"
#include "fault_source.h"
#include "schedule.h"

#include <stddef.h>
#include <stdint.h>

struct armed_faults;

/* For their chances and their time. */
struct armed_faults *armed_faults_new(uint64_t seed, struct clock_source clock);
void armed_faults_free(struct armed_faults *armed); /* after every exchange has ended */

/* For ACCOUNT, or (NULL) for all, behind those that are armed already; counts (attempt, nth) start
 * here. Takes SCHEDULE over. */
void armed_faults_add(struct armed_faults *armed, const char *account, struct schedule schedule);

/* Those of exactly that account (NULL: for all) that have not struck yet, as a list in JSON, and
 * how many of them have. */
struct json *armed_faults_to_json(const struct armed_faults *armed, const char *account);
size_t armed_faults_count(const struct armed_faults *armed, const char *account);
uint64_t armed_faults_struck(const struct armed_faults *armed, const char *account);

/* Disarms those of exactly that account (NULL: for all), and forgets how many have struck. */
void armed_faults_clear(struct armed_faults *armed, const char *account);
void armed_faults_clear_all(struct armed_faults *armed);

/* The source for a new exchange of ACCOUNT, in front of BEHIND. */
struct fault_source armed_faults_before(struct armed_faults *armed, const char *account,
                                        struct fault_source behind);

#endif
