#include "selection.h"

#include "duration.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- what the request is --------------------------------------------------------------------- */

/* Some actions would be faults without a trace: a decline where no issuer is asked; processing
 * where no charge is made (a capture has its charge, a hold has none); at received, stale for a
 * write. */
static bool acts_have_an_object(const struct fault_rule *rule, const struct attempt *attempt)
{
    if (action_list_has(&rule->acts, ACTION_DECLINE) && !attempt->asks_issuer)
        return false;
    if (action_list_has(&rule->acts, ACTION_PROCESSING) && !(attempt->pays && attempt->asks_issuer))
        return false;
    return rule->at != FAILPOINT_RECEIVED || !action_list_has(&rule->acts, ACTION_STALE) ||
           strcmp(attempt->method, "GET") == 0;
}

static bool is_spoken_of(const struct fault_rule *rule, const struct attempt *attempt)
{
    bool warm = attempt->on_connection > 1;
    if (!target_list_matches(&rule->on, attempt))
        return false;
    if ((rule->pays && !attempt->pays) || !acts_have_an_object(rule, attempt))
        return false;
    if (rule->warmth != WARMTH_ANY && (rule->warmth == WARMTH_WARM) != warm)
        return false;
    return rule->order == NULL ||
           (attempt->order != NULL && strcmp(rule->order, attempt->order) == 0);
}

bool selection_fits(struct selection *selection, const struct fault_rule *rule,
                    const struct attempt *attempt, int64_t elapsed_ms)
{
    if (!is_spoken_of(rule, attempt))
        return false;
    selection->fitted++;
    selection->latest_ms = elapsed_ms;
    bool in_time = elapsed_ms >= rule->from_ms && (rule->to_ms == 0 || elapsed_ms < rule->to_ms);
    selection->in_time += in_time;
    return in_time;
}

/* --- which one it is ------------------------------------------------------------------------- */

static bool is_drawn(const struct fault_rule *rule)
{
    for (size_t i = 0; i < rule->acts.count; i++)
        if (rule->acts.items[i].spread != NULL)
            return true;
    return rule->chance < 1;
}

static uint64_t count_order(struct selection *selection, const struct fault_rule *rule,
                            const struct attempt *attempt)
{
    if (rule->attempts == 0 && rule->per != PER_ORDER && !is_drawn(rule))
        return 0;
    return tally_next(&selection->orders, attempt->account, attempt->order);
}

/* Which one it is by what the rule counts; 0: none, because it brings no key. */
static uint64_t count_per(struct selection *selection, const struct fault_rule *rule,
                          const struct attempt *attempt, uint64_t of_order)
{
    char connection[32];
    switch (rule->per) {
    case PER_ORDER:
        return of_order;
    case PER_KEY:
        return attempt->key == NULL ? 0
                                    : tally_next(&selection->per, attempt->account, attempt->key);
    case PER_CONNECTION:
        snprintf(connection, sizeof connection, "%" PRIu64, attempt->connection);
        return tally_next(&selection->per, NULL, connection);
    case PER_RUN:
    case PER_COUNT:
        break;
    }
    return selection->counted;
}

static bool counts_fit(const struct fault_rule *rule, uint64_t of_order, uint64_t nth)
{
    if (rule->attempts != 0 &&
        (of_order > FAULT_MOST_ATTEMPTS || (rule->attempts >> (of_order - 1) & 1) == 0))
        return false;
    if (rule->nth != 0 && rule->nth != nth)
        return false;
    return rule->burst.of == 0 || (nth > 0 && (nth - 1) % rule->burst.of < rule->burst.strikes);
}

static bool chance_comes(const struct fault_rule *rule, const struct draws *draws,
                         const struct draw *draw)
{
    if (rule->chance >= 1)
        return true;
    struct rng rng = draws_rng(draws, draw);
    return rng_unit(&rng) < rule->chance;
}

struct decision selection_count(struct selection *selection, const struct fault_rule *rule,
                                uint64_t number, const struct attempt *attempt,
                                const struct draws *draws)
{
    selection->counted++;
    struct decision decision = {.of_order = count_order(selection, rule, attempt)};
    uint64_t nth = count_per(selection, rule, attempt, decision.of_order);
    if (!counts_fit(rule, decision.of_order, nth))
        return decision;
    selection->chosen++;
    struct draw draw = {.rule = number, .order = attempt->order, .nth = decision.of_order};
    decision.meant = chance_comes(rule, draws, &draw);
    selection->meant += decision.meant;
    return decision;
}

/* --- why it has not struck ------------------------------------------------------------------- */

/* What nothing was like that came, by the narrowest of what RULE asks for. */
static const char *wanted(const struct fault_rule *rule)
{
    if (rule->at == FAILPOINT_WEBHOOK)
        return "a client has to make a webhook endpoint and listen, and `on` is the type of an "
               "event there";
    if (rule->warmth == WARMTH_WARM)
        return "a client has to keep its connection for a second request";
    if (rule->order != NULL)
        return "the orders of a run are order_1 to as many as there are, see --orders";
    return "compare `on` with what the client sends, which is in the history";
}

void selection_explain(const struct selection *selection, const struct fault_rule *rule,
                       uint64_t seed, struct buf *out)
{
    if (selection->fitted == 0)
        buf_addf(out, "no such request came: %s", wanted(rule));
    else if (selection->in_time == 0)
        buf_addf(out,
                 "%" PRIu64 " such came, none in its time, the latest after %s: change `from` or "
                 "`to`, or advance the clock",
                 selection->fitted, duration_format(selection->latest_ms).text);
    else if (selection->counted == 0)
        buf_addf(out, "%" PRIu64 " such came, and its condition held for none: change `when`",
                 selection->in_time);
    else if (selection->chosen == 0)
        buf_addf(out,
                 "%" PRIu64 " such came, and none was the one that it counts to: a lower number, "
                 "or more --orders, or a fault before it that makes the client try again",
                 selection->counted);
    else if (selection->meant == 0)
        buf_addf(out,
                 "its chance (%g) did not come in %" PRIu64 " %s with seed %" PRIu64
                 ": take another --seed, or a higher chance",
                 rule->chance, selection->chosen, selection->chosen == 1 ? "try" : "tries", seed);
    else
        buf_addf(out,
                 "%" PRIu64 " such came and was meant, but none got to %s, or another fault struck "
                 "there: a failpoint before that, or another order in the list",
                 selection->meant, failpoint_name(rule->at));
}

void selection_release(struct selection *selection)
{
    tally_release(&selection->orders);
    tally_release(&selection->per);
}
