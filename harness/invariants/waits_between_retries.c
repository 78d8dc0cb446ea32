/* Whoever tries again at once hits a provider that is down already, together with everybody else.
 *
 * One try at once may be a library's answer to a connection that had died while idle (RFC 9110,
 * 9.2.2); several in a row are a loop without a pause. Retry-After is the provider's own word for
 * how long. Whether pauses are spread cannot be read from a handful of tries; where many clients
 * failed at the same moment it can: without jitter they come back at the same moment, too. */
#include "attempts.h"
#include "duration.h"
#include "invariant.h"
#include "mem.h"

#include <inttypes.h>
#include <stdlib.h>

#define AT_ONCE_MS   20 /* less than any pause that is meant */
#define MOST_AT_ONCE 2
#define EARLY_MS     50  /* a timer may be that much too early, by another clock than ours */
#define HERD         20  /* clients */
#define HERD_MS      200 /* a pause shorter than that says little of how they are spread */
#define HERD_PART    10  /* together is: within this part of the pause */

/* The pause that came before B, or -1 when B was no new try of the same run of the client. */
static int64_t pause_before(const struct history *history, const char *order, const struct event *a,
                            const struct event *b)
{
    const struct event *answer = history_answer(history, a->request);
    if (answer == NULL || answer->seq > b->seq || answer->kind == EVENT_OK ||
        attempts_between(history, EVENT_START, order, a, b) ||
        attempts_clients(history, order, a) > 1 || attempts_clients(history, order, b) > 1)
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

/* --- many clients at once -------------------------------------------------------------------- */

/* An order's first new try after a pause. */
struct comeback {
    const struct event *attempt;
    int64_t pause_ms;
};

static int by_arrival(const void *one, const void *other)
{
    uint64_t a = ((const struct comeback *)one)->attempt->seq;
    uint64_t b = ((const struct comeback *)other)->attempt->seq;
    return (a > b) - (a < b);
}

static bool find_comeback(const struct history *history, const char *order, struct comeback *found)
{
    const struct event *a = attempts_next(history, NULL, order);
    for (const struct event *b; a != NULL; a = b) {
        b = attempts_next(history, a, order);
        int64_t pause_ms = b == NULL ? -1 : pause_before(history, order, a, b);
        if (pause_ms < HERD_MS)
            continue;
        *found = (struct comeback){.attempt = b, .pause_ms = pause_ms};
        return true;
    }
    return false;
}

/* COUNT of COMEBACKS, sorted: at least half of them come together. */
static void check_together(const struct comeback *comebacks, size_t count,
                           struct findings *findings)
{
    size_t first = 0;
    for (size_t last = 0; last < count; last++) {
        int64_t at_ms = comebacks[last].attempt->at_ms;
        while (at_ms - comebacks[first].attempt->at_ms > comebacks[first].pause_ms / HERD_PART)
            first++;
        size_t herd = last - first + 1;
        if (herd < HERD || herd * 2 < count)
            continue;
        findings_violated(
            findings, INVARIANT_waits_between_retries, comebacks[last].attempt->order,
            comebacks[last].attempt,
            "%zu clients that had failed came back within %s, after the same pause of "
            "%s: without jitter they are a herd",
            herd, duration_format(at_ms - comebacks[first].attempt->at_ms).text,
            duration_format(comebacks[first].pause_ms).text);
        findings_blame(findings, CAUSE_no_jitter);
        return;
    }
}

static void check_herd(const struct history *history, const struct orders *orders,
                       struct findings *findings)
{
    if (orders->count < HERD)
        return;
    struct comeback *comebacks = mem_alloc(orders->count * sizeof *comebacks);
    size_t count = 0;
    for (size_t i = 0; i < orders->count; i++)
        count += find_comeback(history, orders->items[i].id, &comebacks[count]);
    qsort(comebacks, count, sizeof *comebacks, by_arrival);
    check_together(comebacks, count, findings);
    free(comebacks);
}

void invariant_waits_between_retries(const struct history *history, const struct orders *orders,
                                     struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, orders->items[i].id, findings);
    check_herd(history, orders, findings);
}
