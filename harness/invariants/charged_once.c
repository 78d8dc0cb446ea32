/* The reason for all of this: no order is charged twice.
 *
 * A refund does not undo it. The customer has seen two charges, has perhaps run into a limit, and
 * whoever refunds knows about the mistake; a client that has to clean up after itself is reported.
 */
#include "buf.h"
#include "duration.h"
#include "invariant.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A client that sends its key where this provider does not look believes itself safe. */
static bool add_ignored(const struct history *history, const struct event *invoke, struct buf *out)
{
    const char *ignored = event_string(invoke, "ignored");
    const char *wanted = history_key_name(history);
    if (ignored == NULL || wanted == NULL)
        return false;
    if (*wanted == '\0')
        buf_addf(out, "; its %s means nothing to this provider, which takes no keys", ignored);
    else
        buf_addf(out, "; its %s means nothing to this provider, which looks at %s", ignored,
                 wanted);
    return true;
}

/* Keys of both, the same or not. */
static void add_keys(const struct history *history, const struct event *a, const struct event *b,
                     struct buf *out)
{
    int64_t life_ms = history_key_ttl_ms(history);
    const struct event *answer = history_answer(history, a->request);
    if (strcmp(event_string(a, "key"), event_string(b, "key")) != 0)
        buf_add_string(out, "; the second request carried a new idempotency key");
    else if (b->at_ms - a->at_ms >= life_ms)
        buf_addf(out, "; the same key was sent again, but a key lives for %s only",
                 life_ms == INT64_C(86400000) ? "24 h" : duration_format(life_ms).text);
    else if (answer != NULL && answer->kind == EVENT_INFO)
        buf_add_string(out, "; this provider does not remember such an answer under a key, and "
                            "executed the request again");
}

/* How the second request could become a second charge, as far as its key tells. */
static void add_how(const struct history *history, const struct event *first,
                    const struct event *second, struct buf *out)
{
    const struct event *a = history_invoke(history, first->request);
    const struct event *b = history_invoke(history, second->request);
    if (a == NULL || b == NULL || (event_string(b, "key") == NULL && add_ignored(history, b, out)))
        return;
    bool key_a = event_string(a, "key") != NULL;
    bool key_b = event_string(b, "key") != NULL;
    if (key_a && key_b)
        add_keys(history, a, b, out);
    else if (key_a)
        buf_add_string(out, "; the second request carried no idempotency key");
    else
        buf_add_string(out, key_b ? "; the first request carried no idempotency key"
                                  : "; neither request carried an idempotency key");
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
    struct buf how = {0};
    char times[32] = "twice";
    if (count > 2)
        snprintf(times, sizeof times, "%zu times", count);
    add_how(history, first, second, &how);
    findings_violated(findings, INVARIANT_charged_once, order->id, second,
                      "%s was charged %s, as %s and as %s%s%s", order->id, times,
                      id_a == NULL ? "?" : id_a, id_b == NULL ? "?" : id_b, buf_string(&how),
                      refunded == 0 ? "" : " (a refund came later, but both charges were made)");
    findings_blame(findings, cause_of_second_charge(history, first, second));
    findings_weigh(findings, (int64_t)count);
    buf_release(&how);
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
