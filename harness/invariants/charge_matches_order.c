/* The amount and the currency that were charged are those of the order: a retry that recomputes
 * them, or mixes two orders up, is caught here. */
#include "invariant.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum cause cause_of(const struct order *order, int64_t amount, const char *currency)
{
    if (strcmp(currency, order->currency) != 0)
        return CAUSE_wrong_currency;
    /* Whole units lose what is behind the point. */
    bool units = amount == order->amount / 100 || amount == (order->amount + 50) / 100 ||
                 (amount % 100 == 0 && amount / 100 == order->amount);
    return units ? CAUSE_wrong_units : CAUSE_wrong_amount;
}

static void check_charge(const struct order *order, const struct event *charge,
                         struct findings *findings)
{
    int64_t amount = event_int(charge, "amount", -1);
    const char *currency = event_string(charge, "currency");
    const char *id = event_string(charge, "id");
    if (amount < 0 || currency == NULL)
        findings_cannot_tell(findings, INVARIANT_charge_matches_order, order->id, charge,
                             "the history does not say what %s amounts to", id == NULL ? "?" : id);
    else if (amount != order->amount || strcmp(currency, order->currency) != 0) {
        findings_violated(findings, INVARIANT_charge_matches_order, order->id, charge,
                          "%s is an order for %" PRId64 " %s, but %s charged %" PRId64 " %s",
                          order->id, order->amount, order->currency, id == NULL ? "?" : id, amount,
                          currency);
        findings_blame(findings, cause_of(order, amount, currency));
        findings_weigh(findings, llabs(amount - order->amount));
    }
}

void invariant_charge_matches_order(const struct history *history, const struct orders *orders,
                                    struct findings *findings)
{
    for (size_t i = 0; i < orders->count; i++) {
        const struct event *charge = NULL;
        while ((charge = history_next_charge(history, charge, orders->items[i].id)) != NULL)
            check_charge(&orders->items[i], charge, findings);
    }
}
