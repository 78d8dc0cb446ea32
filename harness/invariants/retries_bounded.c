/* Somewhere a client has to stop, and let its queue or a person go on. A loop in a library inside a
 * loop in a job multiply: 3 tries of each are 9. */
#include "attempts.h"
#include "invariant.h"

#include <inttypes.h>

#define MOST_ATTEMPTS 10 /* of one run of a client at one order */

static void check_order(const struct history *history, const char *order, struct findings *findings)
{
    size_t run = 0;
    int64_t attempts = 0;
    int64_t most = 0;
    size_t together = 0;              /* clients of that run that lived at once */
    const struct event *first = NULL; /* that was one too many */
    const struct event *attempt = NULL;
    while ((attempt = attempts_next(history, attempt, order)) != NULL) {
        size_t now = attempts_run(history, order, attempt);
        size_t clients = attempts_clients(history, order, attempt);
        attempts = now == run ? attempts + 1 : 1;
        together = now == run && together > clients ? together : clients;
        run = now;
        if (attempts <= MOST_ATTEMPTS * (int64_t)(together > 1 ? together : 1))
            continue;
        most = attempts > most ? attempts : most;
        first = first == NULL ? attempt : first;
    }
    if (first == NULL)
        return;
    findings_violated(findings, INVARIANT_retries_bounded, order, first,
                      "one run of the client has tried %s %" PRId64 " times, more than %d", order,
                      most, MOST_ATTEMPTS);
    findings_blame(findings, CAUSE_no_end);
    findings_weigh(findings, most);
}

void invariant_retries_bounded(const struct history *history, const struct orders *orders,
                               struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++)
        check_order(history, orders->items[i].id, findings);
}
