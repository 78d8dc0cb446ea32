/* A key of live mode has no place in a test: the next run would be against the real provider, with
 * real cards. The provider refuses such a request, and keeps nothing of the key. */
#include "invariant.h"

void invariant_no_live_key(const struct history *history, const struct orders *orders,
                           struct findings *findings)
{
    const struct event *invoke = NULL;
    (void)orders;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, NULL)) != NULL) {
        if (!event_bool(invoke, "live_key"))
            continue;
        findings_violated(findings, INVARIANT_no_live_key, invoke->order, invoke,
                          "a key of live mode was sent to this test provider; take it from "
                          "PSP_API_KEY, and revoke that one if it is real");
        findings_blame(findings, CAUSE_live_key);
        return; /* one is enough */
    }
}
