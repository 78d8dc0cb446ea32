/* One idempotency key stands for one request. A client that reuses a key for other parameters gets
 * a mismatch at best; at worst, with a provider that does not compare, the answer of another
 * payment.
 *
 * A key has its meaning within one account, on POST, for 24 h from its first use (STRIPE_FACTS: the
 * life of a key). A request that was refused before it was executed has not used its key. */
#include "invariant.h"

#include <string.h>

#define KEY_LIFE_MS INT64_C(86400000)

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Refused for itself (400, 401, 404, 429), not for its key. */
static bool was_refused(const struct history *history, const struct event *invoke)
{
    const struct event *answer = history_answer(history, invoke->request);
    if (answer == NULL || answer->kind != EVENT_FAIL)
        return false;
    int64_t status = event_int(answer, "status", 0);
    return status != 402 && status != 409 &&
           !same(event_string(answer, "type"), "idempotency_error");
}

static bool uses_key(const struct history *history, const struct event *invoke)
{
    return event_string(invoke, "key") != NULL && same(event_string(invoke, "method"), "POST") &&
           !was_refused(history, invoke);
}

/* The request that gave INVOKE's key its meaning: the first of the life that it falls into. */
static const struct event *first_use(const struct history *history, const struct event *invoke)
{
    const struct event *first = NULL;
    const struct event *earlier = NULL;
    while ((earlier = history_next(history, earlier, EVENT_INVOKE, NULL)) != NULL) {
        if (earlier->seq > invoke->seq)
            break;
        if (!same(event_string(earlier, "key"), event_string(invoke, "key")) ||
            !same(event_string(earlier, "account"), event_string(invoke, "account")) ||
            !uses_key(history, earlier))
            continue;
        if (first == NULL || earlier->at_ms - first->at_ms >= KEY_LIFE_MS)
            first = earlier;
    }
    return first;
}

static void check_invoke(const struct history *history, const struct event *invoke,
                         struct findings *findings)
{
    const struct event *first = first_use(history, invoke);
    const char *meaning = event_string(first, "fingerprint");
    const char *fingerprint = event_string(invoke, "fingerprint");
    if (meaning == NULL || fingerprint == NULL)
        findings_cannot_tell(findings, INVARIANT_key_means_one_request, invoke->order, invoke,
                             "the history does not say what key '%s' was sent with",
                             event_string(invoke, "key"));
    else if (strcmp(meaning, fingerprint) != 0)
        findings_violated(findings, INVARIANT_key_means_one_request, invoke->order, invoke,
                          "key '%s' was sent again with another request: %s %s after %s %s%s",
                          event_string(invoke, "key"), event_string(invoke, "method"),
                          event_string(invoke, "path"), event_string(first, "method"),
                          event_string(first, "path"),
                          same(event_string(invoke, "path"), event_string(first, "path"))
                              ? ", with other parameters"
                              : "");
}

void invariant_key_means_one_request(const struct history *history, const struct orders *orders,
                                     struct findings *findings)
{
    const struct event *invoke = NULL;
    (void)orders;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, NULL)) != NULL)
        if (uses_key(history, invoke))
            check_invoke(history, invoke, findings);
}
