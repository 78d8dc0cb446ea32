#include "schedule_source.h"

#include "check.h"
#include "mem.h"
#include "tally.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct rule_state {
    uint64_t seen; /* in the whole run */
    uint64_t struck;
    struct tally orders;
};

/* What a rule decided about an exchange. */
struct decision {
    bool meant;
    uint64_t of_order; /* which request of its order it was */
};

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
    struct rule_state *states; /* one per rule */
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
    source->states = mem_alloc(schedule.count * sizeof *source->states);
    return source;
}

void schedule_source_free(struct schedule_source *source)
{
    if (source == NULL)
        return;
    for (size_t i = 0; i < source->schedule.count; i++)
        tally_release(&source->states[i].orders);
    for (size_t i = 0; i < source->pending_count; i++)
        free(source->pending[i].decisions);
    free(source->states);
    free(source->pending);
    schedule_release(&source->schedule);
    free(source);
}

void schedule_source_set_when(struct schedule_source *source, schedule_when *when, void *context)
{
    source->when = when;
    source->when_context = context;
}

/* Not a capture, which has its charge, and not what only sets aside or saves. */
static bool makes_charge(const struct attempt *attempt)
{
    return attempt->pays && attempt->asks_issuer;
}

static bool fits_delivery(const struct fault_rule *rule, const struct attempt *attempt)
{
    return rule->at == FAILPOINT_WEBHOOK &&
           (rule->event == NULL || fnmatch(rule->event, attempt->event_type, 0) == 0);
}

static bool fits_request(const struct fault_rule *rule, const struct attempt *attempt)
{
    if (rule->at == FAILPOINT_WEBHOOK)
        return false;
    if (strcmp(rule->method, "*") != 0 && strcmp(rule->method, attempt->method) != 0)
        return false;
    if (fnmatch(rule->path, attempt->path, 0) != 0)
        return false;
    /* A decline where no issuer is asked would be a fault without a trace. */
    if ((rule->pays && !attempt->pays) ||
        (action_list_has(&rule->acts, ACTION_DECLINE) && !attempt->asks_issuer) ||
        (action_list_has(&rule->acts, ACTION_PROCESSING) && !makes_charge(attempt)))
        return false;
    /* At received, stale is for reads alone. */
    if (rule->at == FAILPOINT_RECEIVED && action_list_has(&rule->acts, ACTION_STALE) &&
        strcmp(attempt->method, "GET") != 0)
        return false;
    bool warm = attempt->on_connection > 1;
    return rule->warmth == WARMTH_ANY || (rule->warmth == WARMTH_WARM) == warm;
}

static bool fits(const struct fault_rule *rule, const struct attempt *attempt)
{
    if (attempt->event == NULL ? !fits_request(rule, attempt) : !fits_delivery(rule, attempt))
        return false;
    return rule->order == NULL ||
           (attempt->order != NULL && strcmp(rule->order, attempt->order) == 0);
}

static bool counts_fit(const struct fault_rule *rule, uint64_t nth, uint64_t of_order)
{
    if (rule->nth != 0 && rule->nth != nth)
        return false;
    return rule->attempts == 0 ||
           (of_order <= SCHEDULE_MOST_ATTEMPTS && (rule->attempts >> (of_order - 1) & 1) != 0);
}

static struct decision decide(struct schedule_source *source, size_t i,
                              const struct attempt *attempt)
{
    const struct fault_rule *rule = &source->schedule.rules[i];
    struct rule_state *state = &source->states[i];
    struct decision decision = {0};
    if (!fits(rule, attempt))
        return decision;
    if (source->when != NULL && !source->when(source->when_context, i, attempt))
        return decision;
    uint64_t nth = ++state->seen;
    decision.of_order = tally_next(&state->orders, attempt->account, attempt->order);
    decision.meant = counts_fit(rule, nth, decision.of_order);
    return decision;
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
    for (size_t i = 0; i < source->schedule.count; i++)
        decisions[i] = decide(source, i, attempt);
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
    source->settled = draws_settle(&source->draws, &draw, 0, action);
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
        bool used_up = rule->times != 0 && source->states[i].struck >= rule->times;
        if (!pending->decisions[i].meant || rule->at != at || used_up)
            continue;
        source->states[i].struck++;
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
    return source->states[rule].struck;
}
