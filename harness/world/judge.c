/* From the history to the verdict. Nothing that kept the run from showing what it was meant to show
 * may end as a pass. */
#include "buf.h"
#include "client_clock.h"
#include "duration.h"
#include "order_run.h"
#include "shape.h"
#include "world_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool has_never_called(const struct world *world, const struct order_run *run)
{
    return run->runs > 0 &&
           history_count(&world->result->history, EVENT_INVOKE, run->order->id) == 0;
}

/* What the last run of a client said and did, for whoever has to find out why it never called. Said
 * once: what keeps it from calling for one order does so for the others. */
static void never_called(struct world *world, const struct order_run *run)
{
    char others[64] = "";
    size_t count = 0;
    for (size_t i = 0; i < world->result->orders.count; i++)
        count += has_never_called(world, &world->runs[i]);
    if (count > 1)
        snprintf(others, sizeof others, ", nor for %zu more", count - 1);
    const struct event *exit = NULL;
    const struct event *last = NULL;
    while ((exit = history_next(&world->result->history, exit, EVENT_EXIT, run->order->id)) != NULL)
        last = exit;
    if (last != NULL && event_string(last, "process") != NULL &&
        strcmp(event_string(last, "process"), "submit") == 0) {
        result_add(world->result, VERDICT_INCONCLUSIVE,
                   "the client never called the provider for %s, which submit(order) %s",
                   run->order->id,
                   event_bool(last, "accepted") ? "gave it: does its service get PSP_URL?"
                                                : "could not give it: it always returned false");
        return;
    }
    bool signalled = last != NULL && event_int(last, "signal", 0) != 0;
    result_add(world->result, VERDICT_INCONCLUSIVE,
               "the client never called the provider for %s%s; it ended with %s %" PRId64
               "%s%.300s (it has to call the address that it finds in PSP_URL, or as {url} in its "
               "command)",
               run->order->id, others, signalled ? "signal" : "status",
               last == NULL ? -1 : event_int(last, signalled ? "signal" : "status", -1),
               run->last_words == NULL ? "" : " and said: ",
               run->last_words == NULL ? "" : run->last_words);
}

/* An order may be given up, but a client that gives up whatever comes shows nothing of what it
 * would do with a payment. */
static bool given_up(const struct history *history, const char *order)
{
    const struct event *claim = history_last_claim(history, order);
    const char *outcome = claim == NULL ? NULL : event_string(claim, "outcome");
    return outcome != NULL && strcmp(outcome, outcome_name(OUTCOME_FAILED)) == 0 &&
           history_next_charge(history, NULL, order) == NULL && !history_declined(history, order);
}

/* What came back for ORDER at last, and what that asks for. */
static void add_last_answer(const struct history *history, const char *order, struct buf *out)
{
    const struct event *invoke = NULL;
    const struct event *last = NULL;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, order)) != NULL)
        last = invoke;
    const struct event *answer = last == NULL ? NULL : history_answer(history, last->request);
    int64_t status = answer == NULL ? 0 : event_int(answer, "status", 0);
    if (last == NULL)
        return;
    buf_addf(out, "; its last request was %s %s, ", event_string(last, "method"),
             event_string(last, "path"));
    if (status == 0)
        buf_add_string(out, "and no answer came");
    else
        buf_addf(out, "and the answer %" PRId64, status);
}

static void judge_clock(struct world *world)
{
    const struct history *history = &world->result->history;
    for (size_t i = world->moved; i < history->count; i++)
        if (history->events[i].kind != EVENT_CLOCK && history->events[i].kind != EVENT_HEAL)
            return;
    if (world->moved > 0)
        result_add(world->result, VERDICT_INCONCLUSIVE,
                   "world:advance moved the clock, and nothing happened after that: let a client "
                   "run behind it, or leave it out");
}

/* A lock that never expires is a second worker that never came. */
static void judge_queue(struct world *world)
{
    const struct history *history = &world->result->history;
    int64_t timeout_ms = scenario_queue(world->scenario)->visibility_timeout_ms;
    const struct event *job = NULL;
    while ((job = history_next(history, job, EVENT_JOB, NULL)) != NULL)
        if (strcmp(event_string(job, "what"), "lock_expired") == 0)
            return;
    if (timeout_ms > 0 && world->shape->again != NULL)
        result_add(world->result, VERDICT_INCONCLUSIVE,
                   "no worker had its job for longer than the visibility timeout, %s, so no second "
                   "one came: let the clock pass it while one is at work, as "
                   "act = { advance(\"%s\"), … } does",
                   duration_format(timeout_ms).text, duration_format(timeout_ms).text);
}

static void gave_up(struct world *world, const char *order)
{
    struct buf text = {0};
    buf_addf(&text,
             "%s was given up: it was never charged, and the provider never declined it; a run "
             "without a payment proves nothing",
             order);
    add_last_answer(&world->result->history, order, &text);
    result_add(world->result, VERDICT_INCONCLUSIVE, "%s", buf_string(&text));
    buf_release(&text);
}

static void judge_calls(struct world *world)
{
    const struct history *history = &world->result->history;
    bool told = false;
    for (size_t i = 0; i < world->result->orders.count; i++) {
        const struct order_run *run = &world->runs[i];
        const char *order = run->order->id;
        bool never = has_never_called(world, run);
        if (never && !told)
            never_called(world, run);
        told = told || never;
        if (never)
            continue;
        if (history_unauthorized(history, order))
            result_add(world->result, VERDICT_INCONCLUSIVE,
                       "every request for %s was refused with 401: the client has to send the API "
                       "key that it finds in PSP_API_KEY, or as {key} in its command",
                       order);
        else if (!world->options->may_give_up && given_up(history, order))
            gave_up(world, order);
    }
}

static void judge_faults(struct world *world)
{
    struct err_text text;
    for (size_t n = 0; scenario_unstruck(world->scenario, n, &text) == ERR_OK; n++)
        result_add(world->result, VERDICT_INCONCLUSIVE, "a fault never struck: %s", text.text);
}

static void judge_effects(struct world *world)
{
    if (scenario_effects(world->scenario) &&
        history_count(&world->result->history, EVENT_DONE, NULL) == 0)
        result_add(world->result, VERDICT_INCONCLUSIVE,
                   "the client has not said what it did for any order, and that is what this "
                   "scenario is about: it has to print {\"order\":\"...\",\"effect\":\"shipped\"} "
                   "when it has done something, or its client file to have effects(order)");
}

/* A run that was cut short proves what it has shown, and nothing else. */
static struct findings violations_only(struct findings all)
{
    struct findings kept = {0};
    for (size_t i = 0; i < all.count; i++) {
        const struct finding *finding = &all.items[i];
        struct event where = {.seq = finding->seq};
        if (finding->violated)
            findings_violated(&kept, finding->invariant, finding->order, &where, "%s",
                              finding->sentence);
        if (finding->violated)
            findings_blame(&kept, finding->cause);
        if (finding->violated)
            findings_weigh(&kept, finding->weight);
    }
    findings_release(&all);
    return kept;
}

static void judge_over(struct world *world)
{
    static const enum verdict verdicts[] = {[WORLD_TIMED_OUT] = VERDICT_INCONCLUSIVE,
                                            [WORLD_HAS_NO_CLIENT] = VERDICT_INCONCLUSIVE,
                                            [WORLD_CLIENT_IS_BROKEN] = VERDICT_BROKEN,
                                            [WORLD_BROKE] = VERDICT_ERROR,
                                            [WORLD_INTERRUPTED] = VERDICT_ERROR};
    result_add(world->result, verdicts[world->over], "%s", world->over_why);
}

static void judge_history(struct world *world)
{
    struct findings findings = {0};
    const char *broken = scenario_error(world->scenario);
    if (broken != NULL)
        result_add(world->result, VERDICT_BROKEN, "%s", broken);
    if (world->over != WORLD_GOES_ON)
        judge_over(world);
    if (world->result->verdict > VERDICT_FAIL || world->over == WORLD_HAS_NO_CLIENT)
        return; /* there is nothing to judge */
    if (world->over == WORLD_GOES_ON) {
        judge_calls(world);
        judge_faults(world);
        judge_clock(world);
        judge_queue(world);
        judge_effects(world);
    }
    if (!client_clock_judge(world))
        return; /* a clock that stands still may be all that is wrong */
    invariant_check_all(&world->result->history, &world->result->orders, world->options->without,
                        &findings);
    if (world->over != WORLD_GOES_ON)
        findings = violations_only(findings);
    result_add_findings(world->result, findings, world->options->strict);
}

/* A client that cannot write what it has to remember is no worse than its disk. */
void judge(struct world *world)
{
    judge_history(world);
    enum verdict verdict = world->result->verdict;
    if ((verdict == VERDICT_FAIL || verdict == VERDICT_INCONCLUSIVE) && box_is_full(&world->box))
        result_add(world->result, VERDICT_ERROR, "no space left in %s: make some, or set TMPDIR",
                   world->box.path);
}
