/* The job queue that a world plays for its client: every order is a job. How often one is
 * delivered, with what pauses, and for how long a worker may have it is the policy of the scenario,
 * else of the client file (queue_policy.h).
 *
 *   waits --(due)--> delivered --(its worker has ended, unknown)--> waits, or is out of tries
 *                        |  ^
 *                        +--+ (the worker lives, and has had it for the visibility timeout)
 *
 * A pause takes no time: where nothing else is to be done the provider's clock jumps over it. How
 * long a worker has had a job is the provider's time as well, real time and jumps. */
#ifndef JOB_QUEUE_H
#define JOB_QUEUE_H

#include "queue_policy.h"

#include <stdbool.h>
#include <stdint.h>

struct order_run;
struct world;

/* What a run of an order knows of its job; zeroed before the first delivery. */
struct job {
    int deliveries;
    int attempt;           /* the same, since somebody looked after it */
    int64_t due_ms;        /* not before the clock has jumped so far in all */
    int64_t lock_until_ms; /* on the provider's clock; 0: for ever */
};

/* Reads the policy from the scenario and the client. */
void job_queue_open(struct world *world);

/* So often a job is delivered. */
int job_queue_tries(const struct world *world);

/* A worker gets it. */
void job_deliver(struct order_run *run);

/* The worker has ended, and the order is unknown. */
void job_release(struct order_run *run);

/* Somebody looks after one that is out of tries: it is delivered once more, as its first attempt.
 */
void job_retry(struct order_run *run);

/* How far the clock has to jump until a job is due that may be delivered; -1: there is none. */
int64_t job_queue_wait_ms(const struct world *world);

/* Queues the runs of all jobs that are due. */
void job_queue_deliver_due(struct world *world);

/* Gives jobs whose lock has expired to another worker. */
void job_locks_progress(struct world *world);

/* For the shape, which starts that worker: the job is delivered once more. */
void job_deliver_again(struct order_run *run);

#endif
