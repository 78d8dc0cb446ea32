#include "schedule_source.h"

#include "check.h"
#include "mem.h"
#include "selection.h"

#include <stdlib.h>

/* The decisions for an exchange that is under way: one per rule. */
struct pending {
    uint64_t number;
    struct decision *decisions;
    bool asked;                     /* at received */
    const struct fault_rule *begun; /* whose list has more to do, or NULL */
    size_t done;                    /* so many of it */
};

struct schedule_source {
    struct schedule schedule;
    struct selection *selections; /* one per rule */
    struct pending *pending;
    size_t pending_count;
    schedule_when *when;
    void *when_context;
    struct draws draws;
    struct action settled; /* the latest answer; owns nothing */
};

struct schedule_source *schedule_source_new(struct schedule schedule, struct draws draws)
{
    struct schedule_source *source = mem_alloc(sizeof *source);
    source->schedule = schedule;
    source->draws = draws;
    source->selections = mem_alloc(schedule.count * sizeof *source->selections);
    return source;
}

void schedule_source_free(struct schedule_source *source)
{
    if (source == NULL)
        return;
    for (size_t i = 0; i < source->schedule.count; i++)
        selection_release(&source->selections[i]);
    for (size_t i = 0; i < source->pending_count; i++)
        free(source->pending[i].decisions);
    free(source->selections);
    free(source->pending);
    schedule_release(&source->schedule);
    free(source);
}

void schedule_source_set_when(struct schedule_source *source, schedule_when *when, void *context)
{
    source->when = when;
    source->when_context = context;
}

static struct decision decide(struct schedule_source *source, size_t i,
                              const struct attempt *attempt, int64_t elapsed_ms)
{
    const struct fault_rule *rule = &source->schedule.rules[i];
    struct selection *selection = &source->selections[i];
    if (!selection_fits(selection, rule, attempt, elapsed_ms))
        return (struct decision){0};
    if (source->when != NULL && !source->when(source->when_context, i, attempt))
        return (struct decision){0};
    return selection_count(selection, rule, i, attempt, &source->draws);
}

static struct pending *find(struct schedule_source *source, uint64_t number)
{
    for (size_t i = 0; i < source->pending_count; i++)
        if (source->pending[i].number == number)
            return &source->pending[i];
    return NULL;
}

static struct pending *begin(struct schedule_source *source, const struct attempt *attempt)
{
    struct decision *decisions = mem_alloc(source->schedule.count * sizeof *decisions);
    int64_t elapsed_ms = draws_elapsed_ms(&source->draws);
    for (size_t i = 0; i < source->schedule.count; i++)
        decisions[i] = decide(source, i, attempt, elapsed_ms);
    source->pending =
        mem_resize(source->pending, source->pending_count + 1, sizeof *source->pending);
    source->pending[source->pending_count] =
        (struct pending){.number = attempt->number, .decisions = decisions};
    return &source->pending[source->pending_count++];
}

void schedule_source_see(struct schedule_source *source, const struct attempt *attempt)
{
    if (find(source, attempt->number) == NULL)
        begin(source, attempt);
}

/* The next action of the list that PENDING is in. */
static const struct action *go_on(struct schedule_source *source, struct pending *pending,
                                  const struct attempt *attempt)
{
    const struct fault_rule *rule = pending->begun;
    const struct action *action = &rule->acts.items[pending->done++];
    size_t number = (size_t)(rule - source->schedule.rules);
    struct draw draw = {.rule = number,
                        .order = attempt->order,
                        .nth = pending->decisions[number].of_order,
                        .what = pending->done};
    source->settled = draws_settle(&source->draws, &draw, rule->from_ms, action);
    if (!action->more)
        pending->begun = NULL;
    return &source->settled;
}

const struct action *schedule_source_decide(struct schedule_source *source,
                                            const struct attempt *attempt, enum failpoint at)
{
    static const struct action pass = {.kind = ACTION_PASS};
    struct pending *pending = find(source, attempt->number);
    if (failpoint_is_first(at) && pending == NULL)
        pending = begin(source, attempt);
    if (pending != NULL && pending->begun != NULL)
        return go_on(source, pending, attempt);
    if (failpoint_is_first(at)) {
        CHECK(pending != NULL && !pending->asked);
        pending->asked = true;
    }
    /* An exchange that began before this schedule was put in place is none of its business. */
    for (size_t i = 0; pending != NULL && i < source->schedule.count; i++) {
        const struct fault_rule *rule = &source->schedule.rules[i];
        bool used_up = rule->times != 0 && source->selections[i].struck >= rule->times;
        if (!pending->decisions[i].meant || rule->at != at || used_up)
            continue;
        source->selections[i].struck++;
        pending->begun = rule;
        pending->done = 0;
        return go_on(source, pending, attempt);
    }
    return &pass;
}

static void schedule_ask(void *self, const struct attempt *attempt, enum failpoint at,
                         fault_answer *answer, void *context)
{
    /* Inside an answer the next question may be asked. */
    struct action action = *schedule_source_decide(self, attempt, at);
    answer(context, &action);
}

static void schedule_see(void *self, const struct attempt *attempt)
{
    schedule_source_see(self, attempt);
}

static void schedule_end(void *self, const struct attempt *attempt)
{
    struct schedule_source *source = self;
    struct pending *pending = find(source, attempt->number);
    if (pending == NULL)
        return;
    free(pending->decisions);
    *pending = source->pending[--source->pending_count];
}

struct fault_source schedule_source_faults(struct schedule_source *source)
{
    static const struct fault_source_ops ops = {
        .ask = schedule_ask, .see = schedule_see, .end = schedule_end};
    return (struct fault_source){.ops = &ops, .self = source};
}

const struct schedule *schedule_source_schedule(const struct schedule_source *source)
{
    return &source->schedule;
}

bool schedule_source_busy(const struct schedule_source *source)
{
    return source->pending_count > 0;
}

uint64_t schedule_source_struck(const struct schedule_source *source, size_t rule)
{
    CHECK(rule < source->schedule.count);
    return source->selections[rule].struck;
}

void schedule_source_explain(const struct schedule_source *source, size_t rule, struct buf *out)
{
    CHECK(rule < source->schedule.count);
    selection_explain(&source->selections[rule], &source->schedule.rules[rule], source->draws.seed,
                      out);
}
