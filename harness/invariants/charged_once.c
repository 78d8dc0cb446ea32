/* The reason for all of this: no order is charged twice.
 *
 * A refund does not undo it. The customer has seen two charges, has perhaps run into a limit, and
 * whoever refunds knows about the mistake; a client that has to clean up after itself is reported.
 */
#include "invariant.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How the second request could become a second charge, as far as its key tells. */
static const char *how(const struct history *history, const struct event *first,
                       const struct event *second)
{
    const struct event *a = history_invoke(history, first->request);
    const struct event *b = history_invoke(history, second->request);
    if (a == NULL || b == NULL)
        return "";
    const char *key_a = event_string(a, "key");
    const char *key_b = event_string(b, "key");
    if (key_b == NULL)
        return key_a == NULL ? "; neither request carried an idempotency key"
                             : "; the second request carried no idempotency key";
    if (key_a == NULL)
        return "; the first request carried no idempotency key";
    if (strcmp(key_a, key_b) != 0)
        return "; the second request carried a new idempotency key";
    if (b->at_ms - a->at_ms >= INT64_C(86400000))
        return "; the same key was sent again, but a key lives for 24 h only";
    return "";
}

static void check_order(const struct history *history, const struct order *order,
                        struct findings *findings)
{
    const struct event *first = history_next_charge(history, NULL, order->id);
    const struct event *second =
        first == NULL ? NULL : history_next_charge(history, first, order->id);
    if (second == NULL)
        return;
    size_t count = 0;
    size_t refunded = 0;
    const struct event *charge = NULL;
    while ((charge = history_next_charge(history, charge, order->id)) != NULL) {
        count++;
        refunded += history_refunded(history, charge) > 0;
    }
    const char *id_a = event_string(first, "id");
    const char *id_b = event_string(second, "id");
    char times[32] = "twice";
    if (count > 2)
        snprintf(times, sizeof times, "%zu times", count);
    findings_violated(findings, INVARIANT_charged_once, order->id, second,
                      "%s was charged %s, as %s and as %s%s%s", order->id, times,
                      id_a == NULL ? "?" : id_a, id_b == NULL ? "?" : id_b,
                      how(history, first, second),
                      refunded == 0 ? "" : " (a refund came later, but both charges were made)");
}

void invariant_charged_once(const struct history *history, const struct orders *orders,
                            struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, &orders->items[i], findings);
    const struct event *charge = NULL;
    while ((charge = history_next_charge(history, charge, NULL)) != NULL)
        if (orders_find(orders, charge->order) == NULL)
            findings_cannot_tell(findings, INVARIANT_charged_once, NULL, charge,
                                 "a charge of %" PRId64 " belongs to no order that is known",
                                 event_int(charge, "amount", -1));
}
