/* Somewhere a client has to stop, and let its queue or a person go on. A loop in a library inside a
 * loop in a job multiply: 3 tries of each are 9. */
#include "attempts.h"
#include "invariant.h"

#include <inttypes.h>

#define MOST_ATTEMPTS 10 /* of one run of a client at one order */

static void check_order(const struct history *history, const char *order, struct findings *findings)
{
    size_t run = 0;
    size_t attempts = 0;
    const struct event *attempt = NULL;
    while ((attempt = attempts_next(history, attempt, order)) != NULL) {
        size_t now = attempts_run(history, order, attempt);
        attempts = now == run ? attempts + 1 : 1;
        run = now;
        if (attempts <= MOST_ATTEMPTS)
            continue;
        findings_violated(findings, INVARIANT_retries_bounded, order, attempt,
                          "one run of the client has tried %s more than %d times", order,
                          MOST_ATTEMPTS);
        return;
    }
}

void invariant_retries_bounded(const struct history *history, const struct orders *orders,
                               struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, orders->items[i].id, findings);
}
