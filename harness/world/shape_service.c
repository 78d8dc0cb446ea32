/* A service that listens, for all orders. A run of an order is: it is given to the service
 * (submit), until that got through once or when the scenario delivers it again, and asked about
 * (claim) until the service knows or patience ends.
 *
 *   SUBMITTING --(all have returned)--> SUBMITTED --(the history has it)--> ASKING --(known, or out
 * of patience)--> ENDING --> done
 *
 * While the service is down or not ready again, asking waits. */
#include "asking.h"
#include "call.h"
#include "client_file.h"
#include "clock.h"
#include "crash.h"
#include "drain.h"
#include "mem.h"
#include "order_run.h"
#include "service.h"
#include "shape.h"
#include "world_internal.h"

#include <stdlib.h>

#define ASK_AGAIN_MS 20

enum phase { AT_REST, SUBMITTING, SUBMITTED, ASKING, ENDING };

/* An order, at the service. */
struct submission {
    struct order_run *run;
    enum phase phase;
    struct asking *submits[CLIENT_MOST_PROCESSES];
    int submits_left;
    int taken;     /* of them */
    bool accepted; /* once is enough */
    struct asking *claim;
    struct loop_timer *again;
    int64_t until_us; /* so long it may be unknown */
    enum outcome outcome;
    char *payment;
    bool draining;      /* the provider was told to, for what it says of the order */
    struct drain drain; /* of what came of the submits */
};

static void ask(struct submission *submission);

/* --- the end of a run ------------------------------------------------------------------------ */

/* What the service did comes before what it says of it, in the history as well. */
static void end_if_drained(struct submission *submission)
{
    struct world *world = submission->run->world;
    if (world->psp_crash.pending || (!psp_is_down(world->psp) && !psp_is_up(world->psp)) ||
        psp_is_draining(world->psp))
        return;
    if (!psp_is_down(world->psp) && !submission->draining) {
        submission->draining = true;
        psp_drain(world->psp);
        return;
    }
    submission->phase = AT_REST;
    order_run_end(submission->run, submission->outcome, submission->payment, CLAIM_BY_CLAIM);
}

static void end(struct submission *submission, enum outcome outcome, const char *payment)
{
    submission->phase = ENDING;
    submission->draining = false;
    submission->outcome = outcome;
    mem_set_string(&submission->payment, payment);
    world_progress(submission->run->world);
}

/* --- what it says of the order --------------------------------------------------------------- */

static void again(void *context)
{
    struct submission *submission = context;
    submission->again = NULL;
    ask(submission);
}

/* Nobody is asked who is about to be killed. */
static bool can_be_asked(const struct world *world)
{
    return service_is_ready(world->service) && !crash_holds_clients(world);
}

static void claimed(void *context, const struct client_answer *answer)
{
    struct submission *submission = context;
    const struct world *world = submission->run->world;
    bool known = answer->outcome == OUTCOME_SUCCEEDED || answer->outcome == OUTCOME_FAILED;
    bool over = known || (can_be_asked(world) && clock_monotonic_us() >= submission->until_us);
    if (world->over == WORLD_GOES_ON && over)
        end(submission, answer->outcome, answer->payment);
    else if (world->over == WORLD_GOES_ON)
        submission->again = loop_after(world->loop, ASK_AGAIN_MS, again, submission);
    asking_free(submission->claim);
    submission->claim = NULL;
}

static void ask(struct submission *submission)
{
    struct world *world = submission->run->world;
    if (can_be_asked(world) && submission->claim == NULL && submission->again == NULL)
        submission->claim =
            asking_start(world, submission->run->order, CLIENT_CLAIM, claimed, submission);
}

/* --- giving it to the service ---------------------------------------------------------------- */

static void begin_asking(struct submission *submission)
{
    int64_t patience_ms = client_file_plan(submission->run->world->client)->patience_ms;
    submission->phase = ASKING;
    submission->until_us = clock_monotonic_us() + (submission->accepted ? patience_ms * 1000 : 0);
    ask(submission);
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
    int count = client_file_plan(submission->run->world->client)->processes;
    for (int i = 0; i < count; i++)
        record_submit(submission->run, EVENT_EXIT, i < submission->taken);
    submission->accepted = submission->taken > 0;
    begin_asking(submission);
}

static void submit(struct submission *submission)
{
    const struct order_run *run = submission->run;
    submission->phase = SUBMITTING;
    submission->taken = 0;
    submission->submits_left = client_file_plan(run->world->client)->processes;
    for (int i = 0; i < client_file_plan(run->world->client)->processes; i++) {
        record_submit(run, EVENT_START, false);
        submission->submits[i] =
            asking_start(run->world, run->order, CLIENT_SUBMIT, submitted, submission);
    }
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
    bool again = run->asked_for || !submission->accepted;
    order_run_begin(run);
    if (again)
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
        if (world->over == WORLD_GOES_ON && submission->phase == ASKING)
            ask(submission);
        else if (world->over == WORLD_GOES_ON && submission->phase == SUBMITTED &&
                 !crash_holds_clients(world) && drain_is_done(&submission->drain, world))
            end_submitting(submission);
        else if (world->over == WORLD_GOES_ON && submission->phase == ENDING)
            end_if_drained(submission);
    }
}

static void submission_free(struct submission *submission)
{
    if (submission == NULL)
        return;
    for (int i = 0; i < CLIENT_MOST_PROCESSES; i++)
        asking_free(submission->submits[i]);
    asking_free(submission->claim);
    loop_timer_stop(submission->again);
    free(submission->payment);
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
                                    .progress = progress,
                                    .release = release};
