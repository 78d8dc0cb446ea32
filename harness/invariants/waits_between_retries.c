/* Whoever tries again at once hits a provider that is down already, together with everybody else.
 *
 * One try at once may be a library's answer to a connection that had died while idle (RFC 9110,
 * 9.2.2); several in a row are a loop without a pause. Retry-After is the provider's own word for
 * how long. Whether pauses grow and are spread cannot be read from a handful of tries. */
#include "attempts.h"
#include "duration.h"
#include "invariant.h"

#include <inttypes.h>

#define AT_ONCE_MS   20 /* less than any pause that is meant */
#define MOST_AT_ONCE 2
#define EARLY_MS     50 /* a timer may be that much too early, by another clock than ours */

/* The pause that came before B, or -1 when B was no new try of the same run of the client. */
static int64_t pause_before(const struct history *history, const char *order, const struct event *a,
                            const struct event *b)
{
    const struct event *answer = history_answer(history, a->request);
    if (answer == NULL || answer->seq > b->seq || answer->kind == EVENT_OK ||
        attempts_between(history, EVENT_START, order, a, b))
        return -1;
    return b->at_ms - answer->at_ms;
}

/* True when it was. */
static bool check_retry_after(const struct history *history, const char *order,
                              const struct event *a, const struct event *b, int64_t pause_ms,
                              struct findings *findings)
{
    int64_t asked_ms = event_int(history_answer(history, a->request), "retry_after", 0) * 1000;
    if (pause_ms >= asked_ms - EARLY_MS)
        return false;
    findings_violated(findings, INVARIANT_waits_between_retries, order, b,
                      "%s was tried again after %s, but Retry-After had asked for %s", order,
                      duration_format(pause_ms).text, duration_format(asked_ms).text);
    findings_blame(findings, CAUSE_retry_after_ignored);
    return true;
}

static void check_order(const struct history *history, const char *order, struct findings *findings)
{
    int at_once = 0;
    const struct event *a = attempts_next(history, NULL, order);
    for (const struct event *b; a != NULL; a = b) {
        b = attempts_next(history, a, order);
        int64_t pause_ms = b == NULL ? -1 : pause_before(history, order, a, b);
        if (pause_ms >= 0 && check_retry_after(history, order, a, b, pause_ms, findings))
            return;
        at_once = pause_ms >= 0 && pause_ms < AT_ONCE_MS ? at_once + 1 : 0;
        if (at_once <= MOST_AT_ONCE)
            continue;
        findings_violated(findings, INVARIANT_waits_between_retries, order, b,
                          "%s was tried again %d times in a row without a pause", order, at_once);
        findings_blame(findings, CAUSE_no_pause);
        return;
    }
}

void invariant_waits_between_retries(const struct history *history, const struct orders *orders,
                                     struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, orders->items[i].id, findings);
}
