/* A fault source that follows a schedule.
 *
 * When a request is received, or a webhook about to be sent, every rule decides once whether it
 * means it. It asks, in this order:
 *
 *   1. what it is: a rule at `webhook` means webhooks alone, any other one requests alone; `on`,
 *      `pays`, `order`, `warm` or `cold`; and whether its actions have something to act on: an
 *      issuer to decline, a charge to keep waiting, a read to be stale
 *   2. when it comes: `from`, `to`, on the provider's clock since the start of time (struct draws)
 *   3. `when`, a script's function
 *   -- it is counted: per order of its account, and per run, key or connection
 *   4. which one it is: `attempt`, and `nth` or `burst` by what `per` names. What belongs to no
 *      order counts together; what brings no key is number nothing of a key
 *   5. `chance`, drawn for this rule, this order, and which of its requests it is
 *
 * The decision holds for the whole exchange. At the rule's failpoint it then strikes, unless it has
 * struck `times` often, or a rule before it in the list strikes there. Durations are drawn at that
 * moment; the time of a profile counts from the rule's `from`.
 *
 * All this happens in the one thread that serves requests, so "the first" is exactly one, however
 * many arrive at once. */
#ifndef SCHEDULE_SOURCE_H
#define SCHEDULE_SOURCE_H

#include "draws.h"
#include "fault_source.h"
#include "schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct schedule_source;

/* The last word on whether rule number RULE (from 0) means ATTEMPT, before it is counted. */
typedef bool schedule_when(void *context, size_t rule, const struct attempt *attempt);

/* Takes SCHEDULE over. DRAWS: where its chances and its time come from; copied. */
struct schedule_source *schedule_source_new(struct schedule schedule, struct draws draws);
void schedule_source_free(struct schedule_source *source); /* NULL is fine */

void schedule_source_set_when(struct schedule_source *source, schedule_when *when, void *context);

/* The seam; valid as long as SOURCE. */
struct fault_source schedule_source_faults(struct schedule_source *source);

/* What would happen to ATTEMPT at AT, without waiting: what ask answers, durations drawn.
 * Borrowed until the next question, what it points to until SOURCE is freed. */
const struct action *schedule_source_decide(struct schedule_source *source,
                                            const struct attempt *attempt, enum failpoint at);

/* Decides and counts when ATTEMPT is received, as the question there does. A second time does
 * nothing. */
void schedule_source_see(struct schedule_source *source, const struct attempt *attempt);

const struct schedule *schedule_source_schedule(const struct schedule_source *source);

/* Whether an exchange is under way that it has decided about. */
bool schedule_source_busy(const struct schedule_source *source);

/* How often rule number RULE (from 0) has struck. */
uint64_t schedule_source_struck(const struct schedule_source *source, size_t rule);

/* Why rule number RULE has not struck, for a person. */
void schedule_source_explain(const struct schedule_source *source, size_t rule, struct buf *out);

#endif
