/* A call that is never answered is abandoned by the client, in its own time: a worker that waits
 * for ever is a worker less. The longest timeout that payment libraries come with is 80 s. */
#include "duration.h"
#include "invariant.h"

#include <string.h>

#define LONGEST_MS 90000

static bool is_hang(const struct event *fault)
{
    const char *act = event_string(fault, "act");
    return act != NULL && strncmp(act, "hang", 4) == 0;
}

void invariant_gives_up_in_time(const struct history *history, const struct orders *orders,
                                struct findings *findings)
{
    const struct event *fault = NULL;
    (void)orders;
    while ((fault = history_next(history, fault, EVENT_FAULT, NULL)) != NULL) {
        const struct event *end = history_answer(history, fault->request);
        int64_t now_ms = history->events[history->count - 1].at_ms;
        int64_t waited_ms = (end == NULL ? now_ms : end->at_ms) - fault->at_ms;
        if (!is_hang(fault) || (end != NULL && waited_ms <= LONGEST_MS))
            continue;
        findings_violated(findings, INVARIANT_gives_up_in_time, fault->order, fault,
                          "a call that was not answered was %s after %s",
                          end == NULL ? "still waited for" : "given up only",
                          duration_format(waited_ms).text);
        findings_blame(findings, CAUSE_no_timeout);
        findings_weigh(findings, waited_ms);
    }
}
