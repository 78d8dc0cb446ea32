/* Once the faults have ended, the client comes to know: unknown is no place to stay. It may not be
 * held against a client that it did not know while faults still struck. */
#include "invariant.h"

#include <string.h>

static void check_order(const struct history *history, const char *order, struct findings *findings)
{
    const struct event *heal = history_next(history, NULL, EVENT_HEAL, NULL);
    const struct event *claim = history_last_claim(history, order);
    const char *outcome = claim == NULL ? NULL : event_string(claim, "outcome");
    if (outcome == NULL)
        findings_cannot_tell(findings, INVARIANT_settles, order, NULL,
                             "the client never said what became of %s", order);
    else if (strcmp(outcome, "unknown") != 0)
        return;
    else if (history_count(history, EVENT_INVOKE, order) == 0)
        findings_cannot_tell(findings, INVARIANT_settles, order, claim,
                             "the client does not know about %s, but never called this provider",
                             order);
    else if (history_unauthorized(history, order))
        findings_cannot_tell(findings, INVARIANT_settles, order, claim,
                             "the client does not know about %s, whose every request was refused "
                             "with 401",
                             order);
    else if (heal == NULL || heal->seq > claim->seq)
        findings_cannot_tell(findings, INVARIANT_settles, order, claim,
                             "%s was still unknown, but the run ended before its faults did",
                             order);
    else {
        findings_violated(findings, INVARIANT_settles, order, claim,
                          "the faults had ended and the client ran again, but %s is still unknown",
                          order);
        findings_blame(findings, cause_of_not_knowing(history, claim));
    }
}

void invariant_settles(const struct history *history, const struct orders *orders,
                       struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, orders->items[i].id, findings);
}
