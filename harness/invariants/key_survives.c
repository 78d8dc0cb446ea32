/* A new key after an attempt of which nobody knows what became is a double charge that waits to
 * happen: it takes only an answer that was lost after the charge.
 *
 * A new key is right after a definite no, and after the client has asked the provider and the
 * first attempt was not there, and will not be. */
#include "attempts.h"
#include "invariant.h"

#include <string.h>

static bool same_key(const struct event *a, const struct event *b)
{
    const char *key_a = attempts_key(a);
    const char *key_b = attempts_key(b);
    return key_a != NULL && key_b != NULL && strcmp(key_a, key_b) == 0;
}

/* What any attempt with A's key was for has happened, whenever that was: whoever asked and did not
 * find it has asked too early, or not everywhere. */
static bool had_effect(const struct history *history, const struct event *a)
{
    const struct event *charge = NULL;
    while ((charge = history_next_charge(history, charge, a->order)) != NULL) {
        const struct event *invoke = history_invoke(history, charge->request);
        if (invoke != NULL && (invoke == a || same_key(invoke, a)))
            return true;
    }
    return false;
}

/* The client has asked after A, and the answer excludes it for good. */
static bool is_excluded(const struct history *history, const struct event *a, const struct event *b)
{
    return attempts_asked(history, a, b) && !had_effect(history, a);
}

/* No attempt before B had its key, and all had one. */
static bool is_new_key(const struct history *history, const struct event *b)
{
    const struct event *a = attempts_key(b) == NULL ? b : NULL;
    while (a != b && (a = attempts_next(history, a, b->order)) != NULL && a != b)
        if (attempts_key(a) == NULL || same_key(a, b))
            return false;
    return attempts_key(b) != NULL;
}

/* The attempt that B has to know about: the last before it. A replay has done nothing, it repeats
 * what came of the first with its key. And of several clients at once one may still be at the old
 * key when another has asked already: there the first with that key counts. NULL: there is none. */
static const struct event *attempt_before(const struct history *history, const struct event *b)
{
    const struct event *last = NULL;
    const struct event *a = NULL;
    while ((a = attempts_next(history, a, b->order)) != NULL && a != b) {
        const struct event *answer = history_answer(history, a->request);
        if (last == NULL || answer == NULL || !event_bool(answer, "replayed"))
            last = a;
    }
    if (last == NULL || attempts_clients(history, b->order, b) <= 1)
        return last;
    a = NULL;
    while ((a = attempts_next(history, a, b->order)) != last && !same_key(a, last)) {
    }
    return a;
}

/* B has a new key and no reason for it. */
static bool is_premature(const struct history *history, const struct event *a,
                         const struct event *b)
{
    return a != NULL && is_new_key(history, b) &&
           attempts_is_unknown(history_answer(history, a->request)) && !is_excluded(history, a, b);
}

static void check_order(const struct history *history, const char *order, struct findings *findings)
{
    const struct event *last = NULL;
    const struct event *first = NULL; /* of those that had no reason */
    int64_t times = 0;
    const struct event *b = NULL;
    while ((b = attempts_next(history, b, order)) != NULL) {
        const struct event *a = attempt_before(history, b);
        if (!is_premature(history, a, b))
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
