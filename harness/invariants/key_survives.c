/* A new key after an attempt of which nobody knows what became is a double charge that waits to
 * happen: it takes only an answer that was lost after the charge.
 *
 * A new key is right after a definite no, and after the client has asked the provider and the
 * first attempt was not there, and will not be. */
#include "attempts.h"
#include "invariant.h"

#include <string.h>

/* What ATTEMPT was for has happened, whenever that was: whoever asked and did not find it has asked
 * too early, or not everywhere. */
static bool had_effect(const struct history *history, const struct event *attempt)
{
    const struct event *charge = NULL;
    while ((charge = history_next_charge(history, charge, attempt->order)) != NULL)
        if (charge->request == attempt->request)
            return true;
    return false;
}

/* The client has asked, and the answer excludes the first try for good. */
static bool is_excluded(const struct history *history, const struct event *a, const struct event *b)
{
    return attempts_asked(history, a, b) && !had_effect(history, a);
}

static bool is_new_key(const struct event *a, const struct event *b)
{
    const char *key_a = attempts_key(a);
    const char *key_b = attempts_key(b);
    return key_a != NULL && key_b != NULL && strcmp(key_a, key_b) != 0;
}

/* B, the try after A, has a new key and no reason for it. */
static bool is_premature(const struct history *history, const struct event *a,
                         const struct event *b)
{
    return is_new_key(a, b) && attempts_is_unknown(history_answer(history, a->request)) &&
           !is_excluded(history, a, b);
}

static void check_order(const struct history *history, const char *order, struct findings *findings)
{
    const struct event *last = NULL;
    const struct event *first = NULL; /* of those that had no reason */
    int64_t times = 0;
    const struct event *a = attempts_next(history, NULL, order);
    for (const struct event *b; a != NULL; a = b) {
        b = attempts_next(history, a, order);
        if (b == NULL || !is_premature(history, a, b))
            continue;
        last = first == NULL ? a : last;
        first = first == NULL ? b : first;
        times++;
    }
    if (first == NULL)
        return;
    findings_violated(findings, INVARIANT_key_survives, order, first,
                      "%s was tried again with a new idempotency key, and nobody knew what "
                      "had become of the first try%s",
                      order,
                      attempts_between(history, EVENT_CRASH, order, last, first)
                          ? " (the first key died with the client)"
                          : "");
    findings_blame(findings, attempts_asked(history, last, first)
                                 ? CAUSE_asked_in_vain
                                 : cause_of_new_key(history, last, first));
    findings_weigh(findings, times);
}

void invariant_key_survives(const struct history *history, const struct orders *orders,
                            struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, orders->items[i].id, findings);
}
