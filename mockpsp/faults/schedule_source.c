#include "schedule_source.h"

#include "check.h"
#include "mem.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* How many requests of one order a rule has seen. Accounts do not share orders. */
struct order_count {
    char *account;
    char *order;
    uint64_t seen;
};

struct rule_state {
    uint64_t seen; /* in the whole run */
    uint64_t struck;
    struct order_count *orders;
    size_t order_count;
};

/* The decisions for an exchange that is under way: one byte per rule. */
struct pending {
    uint64_t number;
    bool *meant;
    bool asked;                      /* at received */
    const struct action_list *begun; /* a list of which there is more to do, or NULL */
    size_t done;                     /* so many of it */
};

struct schedule_source {
    struct schedule schedule;
    struct rule_state *states; /* one per rule */
    struct pending *pending;
    size_t pending_count;
    schedule_when *when;
    void *when_context;
};

struct schedule_source *schedule_source_new(struct schedule schedule)
{
    struct schedule_source *source = mem_alloc(sizeof *source);
    source->schedule = schedule;
    source->states = mem_alloc(schedule.count * sizeof *source->states);
    return source;
}

void schedule_source_free(struct schedule_source *source)
{
    if (source == NULL)
        return;
    for (size_t i = 0; i < source->schedule.count; i++) {
        for (size_t j = 0; j < source->states[i].order_count; j++) {
            free(source->states[i].orders[j].account);
            free(source->states[i].orders[j].order);
        }
        free(source->states[i].orders);
    }
    for (size_t i = 0; i < source->pending_count; i++)
        free(source->pending[i].meant);
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

static uint64_t count_for_order(struct rule_state *state, const struct attempt *attempt)
{
    const char *order = attempt->order == NULL ? "" : attempt->order;
    const char *account = attempt->account == NULL ? "" : attempt->account;
    for (size_t i = 0; i < state->order_count; i++)
        if (strcmp(state->orders[i].order, order) == 0 &&
            strcmp(state->orders[i].account, account) == 0)
            return ++state->orders[i].seen;
    state->orders = mem_resize(state->orders, state->order_count + 1, sizeof *state->orders);
    state->orders[state->order_count++] =
        (struct order_count){mem_strdup(account), mem_strdup(order), 1};
    return 1;
}

static bool fits(const struct fault_rule *rule, const struct attempt *attempt)
{
    if (strcmp(rule->method, "*") != 0 && strcmp(rule->method, attempt->method) != 0)
        return false;
    if (fnmatch(rule->path, attempt->path, 0) != 0)
        return false;
    /* A decline where no issuer is asked would be a fault without a trace. */
    if ((rule->pays && !attempt->pays) ||
        (action_list_has(&rule->acts, ACTION_DECLINE) && !attempt->asks_issuer))
        return false;
    bool warm = attempt->on_connection > 1;
    if (rule->warmth != WARMTH_ANY && (rule->warmth == WARMTH_WARM) != warm)
        return false;
    return rule->order == NULL ||
           (attempt->order != NULL && strcmp(rule->order, attempt->order) == 0);
}

static bool decide(struct schedule_source *source, size_t i, const struct attempt *attempt)
{
    const struct fault_rule *rule = &source->schedule.rules[i];
    struct rule_state *state = &source->states[i];
    if (!fits(rule, attempt))
        return false;
    if (source->when != NULL && !source->when(source->when_context, i, attempt))
        return false;
    uint64_t nth = ++state->seen;
    uint64_t of_order = count_for_order(state, attempt);
    if (rule->nth != 0 && rule->nth != nth)
        return false;
    return rule->attempts == 0 ||
           (of_order <= SCHEDULE_MOST_ATTEMPTS && (rule->attempts >> (of_order - 1) & 1) != 0);
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
    bool *meant = mem_alloc(source->schedule.count * sizeof *meant);
    for (size_t i = 0; i < source->schedule.count; i++)
        meant[i] = decide(source, i, attempt);
    source->pending =
        mem_resize(source->pending, source->pending_count + 1, sizeof *source->pending);
    source->pending[source->pending_count] =
        (struct pending){.number = attempt->number, .meant = meant};
    return &source->pending[source->pending_count++];
}

void schedule_source_see(struct schedule_source *source, const struct attempt *attempt)
{
    if (find(source, attempt->number) == NULL)
        begin(source, attempt);
}

/* The next action of the list that PENDING is in. */
static const struct action *go_on(struct pending *pending)
{
    const struct action *action = &pending->begun->items[pending->done++];
    if (!action->more)
        pending->begun = NULL;
    return action;
}

const struct action *schedule_source_decide(struct schedule_source *source,
                                            const struct attempt *attempt, enum failpoint at)
{
    static const struct action pass = {.kind = ACTION_PASS};
    struct pending *pending = find(source, attempt->number);
    if (at == FAILPOINT_RECEIVED && pending == NULL)
        pending = begin(source, attempt);
    if (pending != NULL && pending->begun != NULL)
        return go_on(pending);
    if (at == FAILPOINT_RECEIVED) {
        CHECK(!pending->asked);
        pending->asked = true;
    }
    /* An exchange that began before this schedule was put in place is none of its business. */
    for (size_t i = 0; pending != NULL && i < source->schedule.count; i++) {
        const struct fault_rule *rule = &source->schedule.rules[i];
        bool used_up = rule->times != 0 && source->states[i].struck >= rule->times;
        if (!pending->meant[i] || rule->at != at || used_up)
            continue;
        source->states[i].struck++;
        pending->begun = &rule->acts;
        pending->done = 0;
        return go_on(pending);
    }
    return &pass;
}

static void schedule_ask(void *self, const struct attempt *attempt, enum failpoint at,
                         fault_answer *answer, void *context)
{
    answer(context, schedule_source_decide(self, attempt, at));
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
    free(pending->meant);
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
