/* Whoever sends a payment without an idempotency key cannot send it again: not the client, not a
 * proxy on the way. Where the provider takes no keys there is nothing to send. */
#include "attempts.h"
#include "invariant.h"

static void check_order(const struct history *history, const char *order, const char *wanted,
                        struct findings *findings)
{
    int64_t times = 0;
    const struct event *first = NULL;
    const struct event *attempt = NULL;
    while ((attempt = attempts_next(history, attempt, order)) != NULL) {
        if (attempts_key(attempt) != NULL)
            continue;
        first = first == NULL ? attempt : first;
        times++;
    }
    if (first == NULL)
        return;
    findings_violated(findings, INVARIANT_key_sent, order, first,
                      "%s %s for %s carried no idempotency key, which this "
                      "provider takes in %s",
                      event_string(first, "method"), event_string(first, "path"), order, wanted);
    findings_blame(findings,
                   event_string(first, "ignored") != NULL ? CAUSE_key_not_looked_at : CAUSE_no_key);
    findings_weigh(findings, times);
}

void invariant_key_sent(const struct history *history, const struct orders *orders,
                        struct findings *findings)
{
    const char *wanted = history_key_name(history);
    if (wanted == NULL || *wanted == '\0')
        return;
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, orders->items[i].id, wanted, findings);
}
