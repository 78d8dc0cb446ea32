/* While a provider fails whatever is asked of it, a client that has noticed asks less: a circuit
 * breaker, a pause of the queue. One that goes on as if nothing had happened keeps it down. */
#include "invariant.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define MOST_IN_A_STORM 50   /* requests in a row that all failed */
#define BREAK_MS        1000 /* with no pause as long as this between them */

static bool is_trouble(const struct event *event)
{
    int64_t status = event_int(event, "status", 0);
    return event->kind == EVENT_INFO || (event->kind == EVENT_FAIL && status == 429);
}

static bool is_end(const struct event *event)
{
    return event->kind == EVENT_OK || event->kind == EVENT_FAIL || event->kind == EVENT_INFO;
}

/* What a proxy had sent twice counts once. */
static bool is_unheard(const struct event *end)
{
    const char *how = event_string(end, "how");
    return how != NULL && strcmp(how, "unheard") == 0;
}

void invariant_storm_is_bounded(const struct history *history, const struct orders *orders,
                                struct findings *findings)
{
    int in_a_row = 0;
    int most = 0;
    int64_t last_ms = 0;
    const struct event *first = NULL; /* that was one too many */
    (void)orders;
    for (size_t i = 0; i < history->count; i++) {
        const struct event *event = &history->events[i];
        if (!is_end(event) || is_unheard(event))
            continue;
        bool goes_on = is_trouble(event) && event->at_ms - last_ms < BREAK_MS;
        in_a_row = goes_on ? in_a_row + 1 : (int)is_trouble(event);
        last_ms = event->at_ms;
        most = in_a_row > most ? in_a_row : most;
        if (in_a_row > MOST_IN_A_STORM && first == NULL)
            first = event;
    }
    if (first == NULL)
        return;
    findings_violated(findings, INVARIANT_storm_is_bounded, first->order, first,
                      "the provider failed %d requests in a row, and they came on without a "
                      "pause of %" PRId64 " s",
                      most, (int64_t)BREAK_MS / 1000);
    findings_blame(findings, CAUSE_no_breaker);
    findings_weigh(findings, most);
}
