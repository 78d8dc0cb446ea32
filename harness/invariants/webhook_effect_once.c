/* What a client does because an order is paid, as to ship it or to send a mail, is done once:
 * though the provider tells of the payment twice, at the same moment, out of order, late or never,
 * and though somebody else tells of it who knows the URL.
 *
 * It is done when a charge stands, and not twice, and not taken back while it stands. That it is
 * done at all can be demanded only where it is counted (see effects.h): who prints what it does may
 * print it after we have gone. Whoever says nothing is not judged. */
#include "invariant.h"

#include <inttypes.h>
#include <string.h>

static bool same_effect(const struct event *a, const struct event *b)
{
    const char *one = event_string(a, "effect");
    const char *other = event_string(b, "effect");
    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

/* A charge of the order stood when THING happened. CHARGED: there was one at all. */
static bool is_paid(const struct history *history, const struct event *thing, bool *charged)
{
    bool stands = false;
    const struct event *charge = NULL;
    *charged = false;
    while ((charge = history_next_charge(history, charge, thing->order)) != NULL) {
        if (!history_was_before(charge, thing))
            continue;
        *charged = true;
        stands = stands || history_stood(history, charge, thing);
    }
    return stands;
}

/* The last time before THING that the same was done and not taken back again; NULL: never. */
static const struct event *done_before(const struct history *history, const struct event *thing)
{
    const struct event *done = NULL;
    const struct event *other = NULL;
    while ((other = history_next(history, other, EVENT_DONE, thing->order)) != NULL &&
           other->seq < thing->seq)
        if (same_effect(other, thing) && event_int(other, "times", -1) < 0)
            done = event_bool(other, "undone") ? NULL : other;
    return done;
}

static void violated(struct findings *findings, const struct event *thing, enum cause cause,
                     const char *how)
{
    findings_violated(findings, INVARIANT_webhook_effect_once, thing->order, thing,
                      "the client says '%s' of %s, %s", event_string(thing, "effect"), thing->order,
                      how);
    findings_blame(findings, cause);
}

/* True when it is one too many. */
static bool check_line(const struct history *history, const struct event *thing,
                       struct findings *findings)
{
    bool charged;
    bool paid = is_paid(history, thing, &charged);
    bool refunded = charged && !paid && !event_bool(thing, "timeless"); /* by then */
    const struct event *before = done_before(history, thing);
    if (event_bool(thing, "undone")) {
        if (paid && before != NULL)
            violated(findings, thing, cause_of_lost_deed(history, thing),
                     "and took it back, though it is paid");
        return paid && before != NULL;
    }
    if (before != NULL)
        violated(findings, thing, cause_of_second_deed(history, before, thing),
                 "which it had done already");
    else if (refunded || !charged)
        violated(findings, thing, cause_of_false_deed(history, thing),
                 refunded ? "but its charge was refunded by then"
                          : "but nothing was charged by then");
    return before != NULL || refunded || !charged;
}

static bool is_claimed_paid(const struct history *history, const char *order)
{
    const struct event *claim = history_last_claim(history, order);
    const char *outcome = claim == NULL ? NULL : event_string(claim, "outcome");
    return outcome != NULL && strcmp(outcome, "succeeded") == 0;
}

/* How often it was done, counted at the end. What was refunded since was not done in vain. */
static bool check_count(const struct history *history, const struct event *thing,
                        struct findings *findings)
{
    bool charged;
    bool paid = is_paid(history, thing, &charged);
    int64_t times = event_int(thing, "times", 0);
    if (times > 1) {
        violated(findings, thing, cause_of_second_deed(history, NULL, thing),
                 times == 2 ? "and did it twice" : "and did it more than twice");
        findings_weigh(findings, times);
    } else if (times == 1 && !charged)
        violated(findings, thing, cause_of_false_deed(history, thing), "but nothing was charged");
    else if (times == 0 && paid && is_claimed_paid(history, thing->order))
        violated(findings, thing, cause_of_lost_deed(history, thing),
                 "which it calls paid, but has not done it");
    else
        return false;
    return true;
}

/* The first of each order counts. */
static void check_order(const struct history *history, const char *order, struct findings *findings)
{
    const struct event *thing = NULL;
    while ((thing = history_next(history, thing, EVENT_DONE, order)) != NULL)
        if (event_int(thing, "times", -1) < 0 ? check_line(history, thing, findings)
                                              : check_count(history, thing, findings))
            return;
}

void invariant_webhook_effect_once(const struct history *history, const struct orders *orders,
                                   struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, orders->items[i].id, findings);
}
