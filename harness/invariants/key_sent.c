/* Whoever sends a payment without an idempotency key cannot send it again: not the client, not a
 * proxy on the way. Where the provider takes no keys there is nothing to send. */
#include "attempts.h"
#include "invariant.h"

static void check_order(const struct history *history, const char *order, const char *wanted,
                        struct findings *findings)
{
    const struct event *attempt = NULL;
    while ((attempt = attempts_next(history, attempt, order)) != NULL) {
        if (attempts_key(attempt) != NULL)
            continue;
        findings_violated(findings, INVARIANT_key_sent, order, attempt,
                          "%s %s for %s carried no idempotency key, which this "
                          "provider takes in %s",
                          event_string(attempt, "method"), event_string(attempt, "path"), order,
                          wanted);
        return;
    }
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
