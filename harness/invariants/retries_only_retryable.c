/* A definite no stays one: the same request with the same key gets the same answer again. A new try
 * makes sense after 408, 409, 425, 429, a 5xx and silence (STRIPE_FACTS §4). A client that was
 * killed meanwhile may not have had its answer. And a no to a retry says nothing about the first
 * try: as long as nobody knows what became of that, asking again with its key is right. */
#include "attempts.h"
#include "invariant.h"

#include <inttypes.h>
#include <string.h>

static bool is_final(const struct event *answer)
{
    int64_t status = answer == NULL ? 0 : event_int(answer, "status", 0);
    return answer != NULL && answer->kind == EVENT_FAIL && status >= 400 && status != 408 &&
           status != 409 && status != 425 && status != 429;
}

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* When A was sent, an earlier try under its key was without an answer that tells: one that is
 * open then was given up by its client, whatever comes of it later. */
static bool follows_unknown(const struct history *history, const char *order, const struct event *a)
{
    const struct event *earlier = NULL;
    while ((earlier = attempts_next(history, earlier, order)) != NULL && earlier->seq < a->seq) {
        const struct event *answer = history_answer(history, earlier->request);
        bool open = answer != NULL && answer->seq > a->seq;
        if (same(attempts_key(earlier), attempts_key(a)) && (open || attempts_is_unknown(answer)))
            return true;
    }
    return false;
}

/* B, the try after A, is one that A's answer had ruled out. */
static bool is_ruled_out(const struct history *history, const char *order, const struct event *a,
                         const struct event *b)
{
    const struct event *answer = history_answer(history, a->request);
    return is_final(answer) && answer->seq < b->seq && same(attempts_key(a), attempts_key(b)) &&
           same(event_string(a, "fingerprint"), event_string(b, "fingerprint")) &&
           !attempts_between(history, EVENT_CRASH, order, a, b) &&
           attempts_clients(history, order, a) <= 1 && attempts_clients(history, order, b) <= 1 &&
           !follows_unknown(history, order, a);
}

static void check_order(const struct history *history, const char *order, struct findings *findings)
{
    int64_t times = 0;
    int64_t status = 0;
    const struct event *first = NULL;
    const struct event *a = attempts_next(history, NULL, order);
    for (const struct event *b; a != NULL; a = b) {
        b = attempts_next(history, a, order);
        if (b == NULL || !is_ruled_out(history, order, a, b))
            continue;
        if (times++ > 0)
            continue;
        first = b;
        status = event_int(history_answer(history, a->request), "status", 0);
    }
    if (first == NULL)
        return;
    findings_violated(findings, INVARIANT_retries_only_retryable, order, first,
                      "the attempt at %s was answered with %" PRId64
                      ", which is final, and was sent again as it was",
                      order, status);
    findings_blame(findings, CAUSE_final_again);
    findings_weigh(findings, times);
}

void invariant_retries_only_retryable(const struct history *history, const struct orders *orders,
                                      struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, orders->items[i].id, findings);
}
