/* An order that the client calls paid has a charge that stands, and it is the one the client names.
 * (More than one charge is what charged_once is for.) */
#include "invariant.h"

#include <string.h>

static bool is_named(const struct event *charge, const char *payment)
{
    const char *id = event_string(charge, "id");
    const char *intent = event_string(charge, "payment_intent");
    return (id != NULL && strcmp(id, payment) == 0) ||
           (intent != NULL && strcmp(intent, payment) == 0);
}

/* What the charges of ORDER say to a claim of success that names PAYMENT (or NULL). */
static void check_claim(const struct history *history, const char *order, const struct event *claim,
                        struct findings *findings)
{
    const char *payment = event_string(claim, "payment");
    const struct event *charge = NULL;
    bool charged = false;
    bool stands = false;
    bool named = payment == NULL;
    while ((charge = history_next_charge(history, charge, order)) != NULL) {
        charged = true;
        stands = stands || history_stands(history, charge);
        named = named || is_named(charge, payment);
    }
    if (!charged && history_count(history, EVENT_INVOKE, order) == 0)
        findings_cannot_tell(findings, INVARIANT_success_is_charged, order, claim,
                             "the client calls %s paid, but never called this provider", order);
    else if (!charged)
        findings_violated(findings, INVARIANT_success_is_charged, order, claim,
                          "the client calls %s paid, but nothing was charged", order);
    else if (!stands)
        findings_violated(findings, INVARIANT_success_is_charged, order, claim,
                          "the client calls %s paid, but its charge was refunded", order);
    else if (!named)
        findings_violated(findings, INVARIANT_success_is_charged, order, claim,
                          "the client says that %s was paid as %s, but its charge is another one",
                          order, payment);
}

void invariant_success_is_charged(const struct history *history, const struct orders *orders,
                                  struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++) {
        const char *order = orders->items[i].id;
        const struct event *claim = history_last_claim(history, order);
        const char *outcome = claim == NULL ? NULL : event_string(claim, "outcome");
        if (outcome == NULL)
            findings_cannot_tell(findings, INVARIANT_success_is_charged, order, NULL,
                                 "the client never said what became of %s", order);
        else if (strcmp(outcome, "succeeded") == 0)
            check_claim(history, order, claim, findings);
    }
}
