/* An order that the client calls failed has no charge that stands: the customer would pay for what
 * is never delivered. The usual mistake is to take a lost answer, or a 500, for a failure.
 *
 * A claim that a later run takes back was acted upon all the same: it is judged by what had been
 * charged when it was made. The last one has to hold for good. */
#include "invariant.h"

#include <string.h>

static bool is_belied(const struct history *history, const struct event *charge,
                      const struct event *claim, bool last)
{
    if (last)
        return history_stands(history, charge);
    return charge->seq < claim->seq && history_stood(history, charge, claim);
}

/* True when CLAIM is a lie. */
static bool check_claim(const struct history *history, const char *order, const struct event *claim,
                        bool last, struct findings *findings)
{
    const struct event *charge = NULL;
    while ((charge = history_next_charge(history, charge, order)) != NULL) {
        if (!is_belied(history, charge, claim, last))
            continue;
        const char *id = event_string(charge, "id");
        /* Whichever came later is where it went wrong. */
        const struct event *where = charge->seq > claim->seq ? charge : claim;
        findings_violated(findings, INVARIANT_failure_is_not_charged, order, where,
                          "the client %s %s failed and not paid, but it was charged as %s%s",
                          last ? "calls" : "called", order, id == NULL ? "?" : id,
                          last ? "" : " by then");
        findings_blame(findings, cause_of_false_failure(history, claim));
        return true;
    }
    return false;
}

/* The first lie counts. */
static void check_order(const struct history *history, const char *order,
                        const struct event *last_claim, struct findings *findings)
{
    const struct event *claim = NULL;
    while ((claim = history_next(history, claim, EVENT_CLAIM, order)) != NULL) {
        const char *outcome = event_string(claim, "outcome");
        if (outcome != NULL && strcmp(outcome, "failed") == 0 &&
            check_claim(history, order, claim, claim == last_claim, findings))
            return;
    }
}

void invariant_failure_is_not_charged(const struct history *history, const struct orders *orders,
                                      struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++) {
        const char *order = orders->items[i].id;
        const struct event *claim = history_last_claim(history, order);
        const char *outcome = claim == NULL ? NULL : event_string(claim, "outcome");
        if (outcome == NULL)
            findings_cannot_tell(findings, INVARIANT_failure_is_not_charged, order, NULL,
                                 "the client never said what became of %s", order);
        else
            check_order(history, order, claim, findings);
    }
}
