#include "judge_history.h"

#include "attempt.h"
#include "attribution.h"
#include "mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct accounts {
    const char **names; /* borrowed from the journal */
    size_t count;
};

static bool has(const struct accounts *accounts, const char *name)
{
    for (size_t i = 0; i < accounts->count; i++)
        if (strcmp(accounts->names[i], name) == 0)
            return true;
    return false;
}

static struct accounts find_accounts(const struct history *events, const char *only)
{
    struct accounts accounts = {0};
    const struct event *invoke = NULL;
    while ((invoke = history_next(events, invoke, EVENT_INVOKE, NULL)) != NULL) {
        const char *name = event_string(invoke, "account");
        if (name == NULL || has(&accounts, name) || (only != NULL && strcmp(name, only) != 0))
            continue;
        accounts.names = mem_resize(accounts.names, accounts.count + 1, sizeof *accounts.names);
        accounts.names[accounts.count++] = name;
    }
    return accounts;
}

/* --- the orders, and whose an event is -------------------------------------------------------- */

/* Those of the claims, and those that requests name; these have the amount of their first request,
 * which therefore proves nothing about it. */
static struct orders find_orders(const struct history *events, const struct judge_claims *claims,
                                 const char *account)
{
    struct orders orders = {0};
    const struct event *invoke = NULL;
    for (size_t i = 0; i < claims->orders.count; i++)
        orders_add(&orders, claims->orders.items[i].id, claims->orders.items[i].amount,
                   claims->orders.items[i].currency);
    while ((invoke = history_next(events, invoke, EVENT_INVOKE, NULL)) != NULL) {
        const char *name = event_string(invoke, "account");
        const char *currency = event_string(invoke, "currency");
        if (name == NULL || strcmp(name, account) != 0 || invoke->order == NULL ||
            orders_find(&orders, invoke->order) != NULL)
            continue;
        orders_add(&orders, invoke->order, event_int(invoke, "amount", -1),
                   currency == NULL ? "?" : currency);
    }
    return orders;
}

static bool is_of(const struct history *events, const struct event *event, const char *account)
{
    if (event->request == 0)
        return true; /* nobody's: the clock, a restart; or a payment that settles */
    const struct event *invoke = history_invoke(events, event->request);
    const char *name = invoke == NULL ? NULL : event_string(invoke, "account");
    return name != NULL && strcmp(name, account) == 0;
}

static char *order_of(const struct attribution *attribution, const struct history *history,
                      const struct event *event)
{
    struct attempt attempt;
    if (event->kind == EVENT_INVOKE && attempt_from_json(event->data, &attempt) == ERR_OK) {
        const char *order = attribution_order(attribution, &attempt, NULL);
        char *copy = mem_strdup(order != NULL ? order : event->order);
        attempt_release(&attempt);
        return copy;
    }
    const struct event *invoke = history_invoke(history, event->request);
    if (invoke != NULL && invoke->order != NULL)
        return mem_strdup(invoke->order);
    return mem_strdup(event->kind == EVENT_EFFECT ? attribution_of_effect(attribution, event)
                                                  : event->order);
}

/* An effect without a request is another account's when none of this one's orders knows it. */
static bool is_foreign(const struct event *event)
{
    return event->kind == EVENT_EFFECT && event->request == 0 && event->order == NULL;
}

static void copy_history(const struct history *events, const char *account, struct result *result)
{
    struct attribution *attribution = attribution_new(&result->orders);
    for (size_t i = 0; i < events->count; i++) {
        if (!is_of(events, &events->events[i], account))
            continue;
        struct event event = event_copy(&events->events[i]);
        char *order = order_of(attribution, &result->history, &event);
        free(event.order);
        event.order = order;
        if (is_foreign(&event))
            event_release(&event);
        else
            attribution_learn(attribution, history_add(&result->history, event));
    }
    attribution_free(attribution);
}

static void add_claims(const struct judge_claims *claims, struct result *result)
{
    const struct history *history = &result->history;
    int64_t now_ms = history->count == 0 ? 0 : history->events[history->count - 1].at_ms;
    for (size_t i = 0; i < claims->events.count; i++) {
        struct event event = event_copy(&claims->events.events[i]);
        event.at_ms = now_ms;
        history_add(&result->history, event);
    }
}

/* --- the verdict ------------------------------------------------------------------------------ */

/* Requests without an API key, such as health checks, are nobody's. */
static bool is_nobody(const char *account)
{
    return *account == '\0';
}

/* What can be said without the client's word, and without knowing what an order was to cost. The
 * history of a run has that word in it already. Of nobody there is one thing to say. */
static bool can_judge(enum invariant invariant, const char *account,
                      const struct judge_claims *claims, const struct history *history)
{
    if (is_nobody(account))
        return invariant == INVARIANT_no_live_key;
    if (history_count(history, EVENT_CLAIM, NULL) == 0 &&
        (invariant == INVARIANT_success_is_charged ||
         invariant == INVARIANT_failure_is_not_charged || invariant == INVARIANT_settles))
        return false;
    return claims->orders.count > 0 || invariant != INVARIANT_charge_matches_order;
}

static void judge_open(struct result *result)
{
    const struct event *invoke = NULL;
    while ((invoke = history_next(&result->history, invoke, EVENT_INVOKE, NULL)) != NULL) {
        if (history_answer(&result->history, invoke->request) != NULL)
            continue;
        result_add(result, VERDICT_INCONCLUSIVE,
                   "request %" PRIu64 ", %s %s, has no end: judge when the client has finished",
                   invoke->request, event_string(invoke, "method"), event_string(invoke, "path"));
        return;
    }
}

static bool anything_pays(const struct history *history)
{
    const struct event *invoke = NULL;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, NULL)) != NULL)
        if (event_bool(invoke, "pays"))
            return true;
    return false;
}

static void judge_substance(struct result *result, struct judge_rules rules)
{
    if (!anything_pays(&result->history))
        result_add(result, VERDICT_INCONCLUSIVE,
                   "no request in it would have moved money: was the client pointed at this "
                   "provider?");
    else if (!rules.calm && history_count(&result->history, EVENT_FAULT, NULL) == 0)
        result_add(result, VERDICT_INCONCLUSIVE,
                   "no fault struck, so nothing was tried: start mockpsp with --faults, or say "
                   "--calm if that is meant");
    judge_open(result);
}

static void judge_one(const struct history *events, const struct judge_claims *claims,
                      const char *account, const char *source, struct judge_rules rules,
                      struct result *result)
{
    struct findings findings = {0};
    result->file = mem_strdup(is_nobody(account) ? "no account" : account);
    result->title = mem_printf("in %s", source);
    result->orders = find_orders(events, claims, account);
    copy_history(events, account, result);
    if (!is_nobody(account))
        judge_substance(result, rules);
    add_claims(claims, result);
    for (int i = 0; i < INVARIANT_COUNT; i++)
        if (can_judge((enum invariant)i, account, claims, &result->history))
            invariant_check((enum invariant)i, &result->history, &result->orders, &findings);
    result_add_findings(result, findings, rules.strict);
}

static void say_nobody_came(const char *account, const char *source, struct result *result)
{
    result->file = mem_strdup(account == NULL ? "no account" : account);
    result->title = mem_printf("in %s", source);
    result_add(result, VERDICT_INCONCLUSIVE,
               "there is no request%s%s in it: was the client pointed at this provider?",
               account == NULL ? "" : " of ", account == NULL ? "" : account);
}

struct result *judge_history(const struct history *events, const struct judge_claims *claims,
                             const char *account, const char *source, struct judge_rules rules,
                             size_t *count)
{
    struct accounts accounts = find_accounts(events, account);
    struct result *results = mem_alloc((accounts.count + 1) * sizeof *results);
    *count = 0;
    for (size_t i = 0; i < accounts.count; i++) {
        struct result *result = &results[(*count)++];
        judge_one(events, claims, accounts.names[i], source, rules, result);
        if (is_nobody(accounts.names[i]) && result->verdict == VERDICT_PASS) {
            result_release(result);
            (*count)--;
        }
    }
    if (*count == 0)
        say_nobody_came(account, source, &results[(*count)++]);
    free(accounts.names);
    return results;
}
