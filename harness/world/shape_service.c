/* A service that listens, for all orders. A run of an order is: it is given to the service
 * (submit), until that got through once or when the scenario delivers it again, and asked about
 * (see claiming.h) until the service knows or patience ends.
 *
 *   AT_REST --> SUBMITTING --(all have returned)--> SUBMITTED --(the history has it)--> AT_REST,
 *   asked about */
#include "asking.h"
#include "call.h"
#include "client_file.h"
#include "crash.h"
#include "drain.h"
#include "mem.h"
#include "order_run.h"
#include "service.h"
#include "shape.h"
#include "world_internal.h"

#include <stdlib.h>

enum phase { AT_REST, SUBMITTING, SUBMITTED };

/* An order, at the service. */
struct submission {
    struct order_run *run;
    enum phase phase;
    struct asking *submits[CLIENT_MOST_PROCESSES];
    int count; /* of them, in this run */
    int submits_left;
    int taken;          /* of them */
    bool accepted;      /* once is enough */
    struct drain drain; /* of what came of the submits */
};

/* --- giving it to the service ---------------------------------------------------------------- */

static void begin_asking(struct submission *submission)
{
    int64_t patience_ms = client_file_plan(submission->run->world->client)->patience_ms;
    submission->phase = AT_REST;
    claiming_start(submission->run, submission->accepted ? patience_ms : 0);
}

/* It works for the order as a process would: from its start to its end. */
static void record_submit(const struct order_run *run, enum event_kind kind, bool accepted)
{
    struct event event = event_new(kind, 0, world_now_ms(run->world));
    event.order = mem_strdup(run->order->id);
    json_set_int(event.data, "run", run->runs);
    json_set_string(event.data, "process", "submit");
    if (kind == EVENT_EXIT)
        json_set_bool(event.data, "accepted", accepted);
    world_record(run->world, event);
}

static void submitted(void *context, const struct client_answer *answer)
{
    struct submission *submission = context;
    submission->taken += answer->accepted;
    if (--submission->submits_left > 0)
        return; /* all of them are freed together */
    for (int i = 0; i < CLIENT_MOST_PROCESSES; i++) {
        asking_free(submission->submits[i]);
        submission->submits[i] = NULL;
    }
    submission->phase = SUBMITTED;
    submission->drain = (struct drain){0};
    world_progress(submission->run->world);
}

static void end_submitting(struct submission *submission)
{
    for (int i = 0; i < submission->count; i++)
        record_submit(submission->run, EVENT_EXIT, i < submission->taken);
    submission->accepted = submission->accepted || submission->taken > 0;
    begin_asking(submission);
}

static void submit(struct submission *submission)
{
    const struct order_run *run = submission->run;
    int more = client_file_plan(run->world->client)->processes;
    submission->phase = SUBMITTING;
    submission->submits_left += more;
    for (int i = 0; i < more; i++) {
        record_submit(run, EVENT_START, false);
        submission->submits[submission->count++] =
            asking_start(run->world, run->order, CLIENT_SUBMIT, submitted, submission);
    }
}

static void again(struct order_run *run)
{
    struct submission *submission = run->shape;
    int more = client_file_plan(run->world->client)->processes;
    if (submission->phase != SUBMITTING || submission->count + more > CLIENT_MOST_PROCESSES)
        return;
    job_deliver_again(run);
    submit(submission);
}

/* --- the shape ------------------------------------------------------------------------------- */

static void open_service(struct world *world)
{
    for (size_t i = 0; i < world->result->orders.count; i++) {
        struct submission *submission = mem_alloc(sizeof *submission);
        submission->run = &world->runs[i];
        world->runs[i].shape = submission;
    }
    world->service = service_open(world);
}

static bool is_ready(const struct world *world)
{
    return world->service != NULL && service_is_ready(world->service);
}

static void start(struct world *world)
{
    struct order_run *run = order_runs_first(world);
    struct submission *submission = run->shape;
    bool given = run->asked_for || !submission->accepted;
    order_run_begin(run);
    submission->count = 0;
    submission->submits_left = 0;
    submission->taken = 0;
    if (given)
        submit(submission);
    else
        begin_asking(submission);
}

static void progress(struct world *world)
{
    if (world->service == NULL)
        return; /* the provider comes first */
    service_progress(world->service);
    for (size_t i = 0; i < world->result->orders.count; i++) {
        struct submission *submission = world->runs[i].shape;
        if (world->over == WORLD_GOES_ON && submission->phase == SUBMITTED &&
            !crash_holds_clients(world) && drain_is_done(&submission->drain, world))
            end_submitting(submission);
    }
}

static void submission_free(struct submission *submission)
{
    if (submission == NULL)
        return;
    for (int i = 0; i < CLIENT_MOST_PROCESSES; i++)
        asking_free(submission->submits[i]);
    free(submission);
}

static void release(struct world *world)
{
    for (size_t i = 0; world->runs != NULL && i < world->result->orders.count; i++)
        submission_free(world->runs[i].shape);
    service_close(world->service);
}

const struct shape shape_service = {.open = open_service,
                                    .is_ready = is_ready,
                                    .start = start,
                                    .again = again,
                                    .progress = progress,
                                    .release = release};
