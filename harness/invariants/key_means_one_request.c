/* One idempotency key stands for one request. A client that reuses a key for other parameters gets
 * a mismatch at best; at worst, with a provider that does not compare, the answer of another
 * payment.
 *
 * A key has its meaning within one account, on POST, for its life from its first use (24 h at
 * Stripe, the dialect says). What gives it its meaning is the first request that was not refused
 * before it was executed; what comes after that has to be the same, however the provider answered
 * it. */
#include "invariant.h"

#include <string.h>

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool carries_key(const struct event *invoke)
{
    return event_string(invoke, "key") != NULL && same(event_string(invoke, "method"), "POST");
}

/* A 4xx says that nothing was executed, but for the 402: a declined card was tried. */
static bool was_refused(const struct history *history, const struct event *invoke)
{
    const struct event *answer = history_answer(history, invoke->request);
    return answer != NULL && answer->kind == EVENT_FAIL && event_int(answer, "status", 0) != 402;
}

/* The request that gave INVOKE's key its meaning: the first of the life that it falls into. NULL
 * when there is none, because INVOKE itself was refused. */
static const struct event *first_use(const struct history *history, const struct event *invoke)
{
    int64_t life_ms = history_key_ttl_ms(history);
    const struct event *first = NULL;
    const struct event *earlier = NULL;
    while ((earlier = history_next(history, earlier, EVENT_INVOKE, NULL)) != NULL) {
        if (earlier->seq > invoke->seq)
            break;
        if (first != NULL && earlier->at_ms - first->at_ms < life_ms)
            continue;
        if (carries_key(earlier) &&
            same(event_string(earlier, "key"), event_string(invoke, "key")) &&
            same(event_string(earlier, "account"), event_string(invoke, "account")) &&
            !was_refused(history, earlier))
            first = earlier;
    }
    return first == NULL || invoke->at_ms - first->at_ms >= life_ms ? NULL : first;
}

static enum cause cause_of(const struct event *first, const struct event *invoke)
{
    bool other =
        first->order != NULL && invoke->order != NULL && !same(first->order, invoke->order);
    return other ? CAUSE_key_shared : CAUSE_body_changed;
}

static void check_invoke(const struct history *history, const struct event *invoke,
                         struct findings *findings)
{
    const struct event *first = first_use(history, invoke);
    if (first == NULL)
        return;
    const char *meaning = event_string(first, "fingerprint");
    const char *fingerprint = event_string(invoke, "fingerprint");
    if (meaning == NULL || fingerprint == NULL)
        findings_cannot_tell(findings, INVARIANT_key_means_one_request, invoke->order, invoke,
                             "the history does not say what key '%s' was sent with",
                             event_string(invoke, "key"));
    else if (strcmp(meaning, fingerprint) != 0) {
        findings_violated(findings, INVARIANT_key_means_one_request, invoke->order, invoke,
                          "key '%s' was sent again with another request: %s %s after %s %s%s",
                          event_string(invoke, "key"), event_string(invoke, "method"),
                          event_string(invoke, "path"), event_string(first, "method"),
                          event_string(first, "path"),
                          same(event_string(invoke, "path"), event_string(first, "path"))
                              ? ", with other parameters"
                              : "");
        findings_blame(findings, cause_of(first, invoke));
    }
}

void invariant_key_means_one_request(const struct history *history, const struct orders *orders,
                                     struct findings *findings)
{
    const struct event *invoke = NULL;
    (void)orders;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, NULL)) != NULL)
        if (carries_key(invoke))
            check_invoke(history, invoke, findings);
}
