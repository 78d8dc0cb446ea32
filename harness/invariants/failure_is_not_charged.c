/* An order that the client calls failed has no charge that stands: the customer would pay for what
 * is never delivered. The usual mistake is to take a lost answer, or a 500, for a failure. */
#include "invariant.h"

#include <string.h>

static void check_claim(const struct history *history, const char *order, const struct event *claim,
                        struct findings *findings)
{
    const struct event *charge = NULL;
    while ((charge = history_next_charge(history, charge, order)) != NULL) {
        if (!history_stands(history, charge))
            continue;
        const char *id = event_string(charge, "id");
        /* Whichever came later is where it went wrong. */
        const struct event *where = charge->seq > claim->seq ? charge : claim;
        findings_violated(findings, INVARIANT_failure_is_not_charged, order, where,
                          "the client calls %s failed and not paid, but it was charged as %s",
                          order, id == NULL ? "?" : id);
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
        else if (strcmp(outcome, "failed") == 0)
            check_claim(history, order, claim, findings);
    }
}
