/* A new key after an attempt of which nobody knows what became is a double charge that waits to
 * happen: it takes only an answer that was lost after the charge.
 *
 * A new key is right after a definite no, and after the client has asked the provider and the
 * first attempt was not there. */
#include "attempts.h"
#include "invariant.h"

#include <string.h>

static bool is_read(const struct history *history, const struct event *invoke)
{
    const char *method = event_string(invoke, "method");
    const struct event *answer = history_answer(history, invoke->request);
    return method != NULL && strcmp(method, "GET") == 0 && answer != NULL &&
           answer->kind == EVENT_OK;
}

/* The client has asked, after A and before B, what there is. */
static bool has_asked(const struct history *history, const char *order, const struct event *a,
                      const struct event *b)
{
    const struct event *invoke = a;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, NULL)) != NULL &&
           invoke->seq < b->seq)
        if ((invoke->order == NULL || strcmp(invoke->order, order) == 0) &&
            is_read(history, invoke))
            return true;
    return false;
}

static bool is_new_key(const struct event *a, const struct event *b)
{
    const char *key_a = attempts_key(a);
    const char *key_b = attempts_key(b);
    return key_a != NULL && key_b != NULL && strcmp(key_a, key_b) != 0;
}

static void check_order(const struct history *history, const char *order, struct findings *findings)
{
    const struct event *a = attempts_next(history, NULL, order);
    for (const struct event *b; a != NULL; a = b) {
        b = attempts_next(history, a, order);
        if (b == NULL || !is_new_key(a, b) ||
            !attempts_is_unknown(history_answer(history, a->request)) ||
            has_asked(history, order, a, b))
            continue;
        findings_violated(findings, INVARIANT_key_survives, order, b,
                          "%s was tried again with a new idempotency key, and nobody knew what "
                          "had become of the first try%s",
                          order,
                          attempts_between(history, EVENT_CRASH, order, a, b)
                              ? " (the first key died with the client)"
                              : "");
        return;
    }
}

void invariant_key_survives(const struct history *history, const struct orders *orders,
                            struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, orders->items[i].id, findings);
}
