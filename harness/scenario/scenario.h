/* A scenario: a Lua file that says what goes wrong and, where data is not enough, how the run goes.
 *
 * The same files serve `mockpsp --faults`, which uses their faults alone. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "clock.h"
#include "dialect.h"
#include "err.h"
#include "event.h"
#include "fault_source.h"
#include "queue_policy.h"
#include "whose_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scenario;

/* What `run(world)` may do: the world's side of it. Every function may run the event loop. An error
 * ends the script's run with the text in WHY. ORDER NULL means every order that is not settled. */
struct world_ops {
    enum err (*start)(void *world, const char *order, struct err_text *why);
    enum err (*wait)(void *world, struct err_text *why);
    enum err (*advance)(void *world, int64_t ms, struct err_text *why);
    enum err (*work)(void *world, struct err_text *why);
    enum err (*settle)(void *world, struct err_text *why);
};

/* One order of the run, as the script sees it in world.orders. */
struct scenario_order {
    const char *id;
    int64_t amount; /* minor units */
    const char *currency;
};

/* Loads and checks FILE. Anything wrong with it is ERR_SCRIPT (ERR_NOT_FOUND, ERR_IO for the file
 * itself) with "file:line: what and remedy" in WHY. SEED decides its random numbers. */
enum err scenario_load(const char *file, uint64_t seed, struct scenario **scenario,
                       struct err_text *why) MUST_CHECK;
void scenario_free(struct scenario *scenario); /* NULL is fine */

const char *scenario_file(const struct scenario *scenario);
const char *scenario_title(const struct scenario *scenario); /* the file's name when it has none */

/* How many orders it asks for; 0 when it leaves that to the command line. */
int scenario_orders(const struct scenario *scenario);

/* It is about what a client does for a webhook. */
bool scenario_effects(const struct scenario *scenario);

/* The provider's way with idempotency that it asks for; NULL when it leaves that open. */
const struct dialect *scenario_dialect(const struct scenario *scenario);

/* Whose clock has to move. */
enum whose_clock scenario_clock(const struct scenario *scenario);

/* What it says of the job queue; may be nothing. */
const struct queue_policy *scenario_queue(const struct scenario *scenario);

/* What has happened in the world, and the time of its provider, for the words `history` and `now`.
 * Whatever is told here is there when the scenario is asked next. */
void scenario_tell(struct scenario *scenario, const struct event *event);
void scenario_set_clock(struct scenario *scenario, struct clock_source clock);

/* Its faults, valid as long as SCENARIO. */
struct fault_source scenario_faults(struct scenario *scenario);

/* A sentence for the N-th declared fault (from 0) that has not struck yet and is not optional, into
 * TEXT; ERR_END when there are no more. */
enum err scenario_unstruck(const struct scenario *scenario, size_t n, struct err_text *text);

/* Plays the scenario's `run(world)`, or settle alone when it has none. ERR_SCRIPT: the script is
 * broken ("file:line: …" in WHY, traceback included); any other error came from OPS and is passed
 * through with its own text. */
enum err scenario_run(struct scenario *scenario, const struct world_ops *ops, void *world,
                      const struct scenario_order *orders, size_t order_count,
                      struct err_text *why) MUST_CHECK;

/* The first error that the script's faults or conditions raised while the run went on, or NULL.
 * Such a run is broken, whatever the client did. */
const char *scenario_error(const struct scenario *scenario);

#endif
