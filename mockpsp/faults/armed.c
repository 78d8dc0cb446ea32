#include "armed.h"

#include "mem.h"
#include "schedule_source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct armed_fault {
    struct schedule_source *source; /* a schedule of this one fault */
    struct scope *scope;            /* NULL: it has struck, or was disarmed */
    size_t users;                   /* exchanges that may still ask it */
};

/* What is armed for one account, or (NULL) for all. */
struct scope {
    char *account;
    struct armed_fault **faults;
    size_t count;
    uint64_t struck;
};

struct armed_faults {
    struct scope **scopes;
    size_t count;
    uint64_t seed;
    struct clock_source clock;
    uint64_t ever; /* how many were armed, ever */
};

/* The faults that an exchange has in front of its source. */
struct front {
    struct armed_fault **faults;
    size_t count;
    unsigned asked;               /* a bit for each failpoint where these were asked */
    struct armed_fault *striking; /* one that has more actions to come there, or NULL */
    struct fault_source behind;
    bool alone; /* the source behind does not know of this exchange */
};

static struct scope *find(const struct armed_faults *armed, const char *account)
{
    for (size_t i = 0; i < armed->count; i++) {
        const char *other = armed->scopes[i]->account;
        if (account == NULL ? other == NULL : other != NULL && strcmp(other, account) == 0)
            return armed->scopes[i];
    }
    return NULL;
}

static void free_unused(struct armed_fault *fault)
{
    if (fault->users > 0 || fault->scope != NULL)
        return;
    schedule_source_free(fault->source);
    free(fault);
}

/* The others keep their order. */
static void disarm(struct armed_fault *fault)
{
    struct scope *scope = fault->scope;
    size_t kept = 0;
    for (size_t i = 0; i < scope->count; i++)
        if (scope->faults[i] != fault)
            scope->faults[kept++] = scope->faults[i];
    scope->count = kept;
    fault->scope = NULL;
}

/* --- arming ----------------------------------------------------------------------------------- */

struct armed_faults *armed_faults_new(uint64_t seed, struct clock_source clock)
{
    struct armed_faults *armed = mem_alloc(sizeof *armed);
    armed->seed = seed;
    armed->clock = clock;
    return armed;
}

void armed_faults_free(struct armed_faults *armed)
{
    if (armed == NULL)
        return;
    armed_faults_clear_all(armed);
    free(armed->scopes);
    free(armed);
}

static struct scope *find_or_add(struct armed_faults *armed, const char *account)
{
    struct scope *scope = find(armed, account);
    if (scope != NULL)
        return scope;
    scope = mem_alloc(sizeof *scope);
    scope->account = mem_strdup(account);
    armed->scopes = mem_resize(armed->scopes, armed->count + 1, sizeof(struct scope *));
    armed->scopes[armed->count++] = scope;
    return scope;
}

void armed_faults_add(struct armed_faults *armed, const char *account, struct schedule schedule)
{
    struct scope *scope = find_or_add(armed, account);
    scope->faults =
        mem_resize(scope->faults, scope->count + schedule.count + 1, sizeof(struct armed_fault *));
    for (size_t i = 0; i < schedule.count; i++) {
        struct armed_fault *fault = mem_alloc(sizeof *fault);
        struct schedule one = {0};
        schedule.rules[i].times = 1;
        schedule_add(&one, schedule.rules[i]);
        /* Of the same fault, armed again and again, each has chances of its own. */
        struct draws draws = draws_from_now(rng_mix(armed->seed, ++armed->ever), armed->clock);
        fault->source = schedule_source_new(one, draws);
        fault->scope = scope;
        scope->faults[scope->count++] = fault;
    }
    free(schedule.rules); /* what is in them has moved on */
}

struct json *armed_faults_to_json(const struct armed_faults *armed, const char *account)
{
    const struct scope *scope = find(armed, account);
    struct json *list = json_array();
    for (size_t i = 0; scope != NULL && i < scope->count; i++)
        json_push(list, fault_rule_to_json(
                            &schedule_source_schedule(scope->faults[i]->source)->rules[0]));
    return list;
}

size_t armed_faults_count(const struct armed_faults *armed, const char *account)
{
    const struct scope *scope = find(armed, account);
    return scope == NULL ? 0 : scope->count;
}

uint64_t armed_faults_struck(const struct armed_faults *armed, const char *account)
{
    const struct scope *scope = find(armed, account);
    return scope == NULL ? 0 : scope->struck;
}

static void free_scope(struct scope *scope)
{
    for (size_t i = 0; i < scope->count; i++) {
        scope->faults[i]->scope = NULL;
        free_unused(scope->faults[i]);
    }
    free(scope->account);
    free(scope->faults);
    free(scope);
}

void armed_faults_clear(struct armed_faults *armed, const char *account)
{
    struct scope *scope = find(armed, account);
    size_t kept = 0;
    if (scope == NULL)
        return;
    for (size_t i = 0; i < armed->count; i++)
        if (armed->scopes[i] != scope)
            armed->scopes[kept++] = armed->scopes[i];
    armed->count = kept;
    free_scope(scope);
}

void armed_faults_clear_all(struct armed_faults *armed)
{
    for (size_t i = 0; i < armed->count; i++)
        free_scope(armed->scopes[i]);
    armed->count = 0;
}

/* --- striking --------------------------------------------------------------------------------- */

/* The first that strikes there, or NULL; DECIDED is what it does first. */
static struct armed_fault *strike(const struct front *front, const struct attempt *attempt,
                                  enum failpoint at, const struct action **decided)
{
    for (size_t i = 0; i < front->count; i++)
        if (failpoint_is_first(at))
            schedule_source_see(front->faults[i]->source, attempt);
    for (size_t i = 0; i < front->count; i++) {
        struct armed_fault *fault = front->faults[i];
        if (fault->scope == NULL)
            continue;
        *decided = schedule_source_decide(fault->source, attempt, at);
        if (schedule_source_struck(fault->source, 0) == 0)
            continue;
        fault->scope->struck++;
        disarm(fault);
        return fault;
    }
    return NULL;
}

/* The next action that something in front has for ATTEMPT, as a copy. */
static bool next_action(struct front *front, const struct attempt *attempt, enum failpoint at,
                        struct action *action)
{
    struct armed_fault *fault = front->striking;
    const struct action *decided;
    if (fault == NULL && (front->asked & FAILPOINT_BIT(at)) != 0)
        return false; /* the source behind goes on with its own actions */
    front->asked |= FAILPOINT_BIT(at);
    if (fault != NULL) {
        decided = schedule_source_decide(fault->source, attempt, at);
    } else {
        fault = strike(front, attempt, at, &decided);
        if (fault == NULL)
            return false;
        if (failpoint_is_first(at))
            front->alone = !fault_source_see(front->behind, attempt);
    }
    front->striking = decided->more ? fault : NULL;
    *action = action_copy(decided);
    return true;
}

static void ask(void *self, const struct attempt *attempt, enum failpoint at, fault_answer *answer,
                void *context)
{
    struct front *front = self;
    struct action action = {.kind = ACTION_PASS};
    /* Inside an answer the exchange may end, and FRONT with it. */
    if (next_action(front, attempt, at, &action) || front->alone)
        answer(context, &action);
    else
        fault_source_ask(front->behind, attempt, at, answer, context);
    action_release(&action);
}

static void end(void *self, const struct attempt *attempt)
{
    struct front *front = self;
    if (!front->alone)
        fault_source_end(front->behind, attempt);
    for (size_t i = 0; i < front->count; i++) {
        fault_source_end(schedule_source_faults(front->faults[i]->source), attempt);
        front->faults[i]->users--;
        free_unused(front->faults[i]);
    }
    free(front->faults);
    free(front);
}

static void put_in_front(struct front *front, const struct scope *scope)
{
    for (size_t i = 0; scope != NULL && i < scope->count; i++) {
        scope->faults[i]->users++;
        front->faults[front->count++] = scope->faults[i];
    }
}

struct fault_source armed_faults_before(struct armed_faults *armed, const char *account,
                                        struct fault_source behind)
{
    static const struct fault_source_ops ops = {.ask = ask, .end = end};
    const struct scope *own = account == NULL ? NULL : find(armed, account);
    const struct scope *for_all = find(armed, NULL);
    size_t count = (own == NULL ? 0 : own->count) + (for_all == NULL ? 0 : for_all->count);
    if (count == 0)
        return behind;
    struct front *front = mem_alloc(sizeof *front);
    front->faults = mem_alloc(count * sizeof(struct armed_fault *));
    front->behind = behind;
    put_in_front(front, own);
    put_in_front(front, for_all);
    return (struct fault_source){.ops = &ops, .self = front};
}
