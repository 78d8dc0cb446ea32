/* An order that the client calls paid has a charge that stands, and it is the one the client names.
 * (More than one charge is what charged_once is for.)
 *
 * A claim that a later run makes again, or takes back, was acted upon all the same: it is judged by
 * what had been charged when it was made. The last one has to hold for good. */
#include "invariant.h"

#include <string.h>

static bool is_named(const struct event *charge, const char *payment)
{
    const char *id = event_string(charge, "id");
    const char *intent = event_string(charge, "payment_intent");
    return (id != NULL && strcmp(id, payment) == 0) ||
           (intent != NULL && strcmp(intent, payment) == 0);
}

/* What the charges of an order say to a claim of its success. */
struct support {
    bool charged;
    bool stands;
    bool named; /* or the claim names none */
};

static struct support support_of(const struct history *history, const char *order,
                                 const struct event *claim, bool last)
{
    const char *payment = event_string(claim, "payment");
    const struct event *charge = NULL;
    struct support support = {.named = payment == NULL};
    while ((charge = history_next_charge(history, charge, order)) != NULL) {
        /* What a bank settles later, without a request, nobody could know when it was claimed. */
        if ((!last || charge->request == 0) && !history_was_before(charge, claim))
            continue;
        support.charged = true;
        support.stands = support.stands || (last ? history_stands(history, charge)
                                                 : history_stood(history, charge, claim));
        support.named = support.named || is_named(charge, payment);
    }
    return support;
}

static void uncharged(const struct history *history, const char *order, const struct event *claim,
                      struct findings *findings)
{
    findings_violated(findings, INVARIANT_success_is_charged, order, claim,
                      "the client calls %s paid, but nothing was charged%s", order,
                      history_next_charge(history, NULL, order) == NULL ? "" : " by then");
    findings_blame(findings, cause_of_false_success(history, claim));
}

static void check_last(const struct history *history, const char *order, const struct event *claim,
                       struct findings *findings)
{
    struct support support = support_of(history, order, claim, true);
    if (!support.charged && history_count(history, EVENT_INVOKE, order) == 0)
        findings_cannot_tell(findings, INVARIANT_success_is_charged, order, claim,
                             "the client calls %s paid, but never called this provider", order);
    else if (!support.charged)
        uncharged(history, order, claim, findings);
    else if (!support.stands) {
        findings_violated(findings, INVARIANT_success_is_charged, order, claim,
                          "the client calls %s paid, but its charge was refunded", order);
        findings_blame(findings, CAUSE_refunded);
    } else if (!support.named) {
        findings_violated(findings, INVARIANT_success_is_charged, order, claim,
                          "the client says that %s was paid as %s, but its charge is another one",
                          order, event_string(claim, "payment"));
        findings_blame(findings, CAUSE_other_payment);
    }
}

/* True when it was a lie. */
static bool check_earlier(const struct history *history, const char *order,
                          const struct event *claim, struct findings *findings)
{
    struct support support = support_of(history, order, claim, false);
    const struct event *call = history_next(history, NULL, EVENT_INVOKE, order);
    if (support.charged && support.stands && support.named)
        return false;
    if (call == NULL || !history_was_before(call, claim)) {
        findings_cannot_tell(findings, INVARIANT_success_is_charged, order, claim,
                             "the client called %s paid before it ever called this provider",
                             order);
        return false;
    }
    findings_violated(findings, INVARIANT_success_is_charged, order, claim,
                      "the client called %s paid%s%s, but %s by then", order,
                      support.charged && support.stands ? " as " : "",
                      support.charged && support.stands ? event_string(claim, "payment") : "",
                      !support.charged  ? "nothing was charged"
                      : !support.stands ? "its charge was refunded"
                                        : "its charge was another one");
    findings_blame(findings, !support.charged  ? cause_of_false_success(history, claim)
                             : !support.stands ? CAUSE_refunded
                                               : CAUSE_other_payment);
    return true;
}

/* The first lie counts. */
static void check_order(const struct history *history, const char *order,
                        const struct event *last_claim, struct findings *findings)
{
    const struct event *claim = NULL;
    while ((claim = history_next(history, claim, EVENT_CLAIM, order)) != NULL) {
        const char *outcome = event_string(claim, "outcome");
        if (outcome == NULL || strcmp(outcome, "succeeded") != 0)
            continue;
        if (claim == last_claim)
            check_last(history, order, claim, findings);
        else if (check_earlier(history, order, claim, findings))
            return;
    }
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
        else
            check_order(history, order, claim, findings);
    }
}
