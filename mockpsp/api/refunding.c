#include "refunding.h"

#include "charge.h"
#include "events.h"
#include "mem.h"
#include "object_id.h"
#include "render.h"

#include <inttypes.h>
#include <stdlib.h>

/* Whether the charge can give AMOUNT back; if not, the reply says why. */
static bool refundable(struct exchange *x, const struct charge *charge, int64_t amount)
{
    struct api_error error = {.status = 400};
    int64_t left = charge->captured - charge->refunded;
    char *message;
    if (!charge_paid(charge)) {
        message = mem_printf("Charge %s is %s: there is nothing to refund.", charge->id,
                             charge_state_name(charge->state));
    } else if (charge->charged_back) {
        error.code = "charge_disputed";
        message = mem_printf("Charge %s is disputed: its money has gone back already.", charge->id);
    } else if (left == 0) {
        error.code = "charge_already_refunded";
        message = mem_printf("Charge %s has already been refunded.", charge->id);
    } else if (amount > left) {
        error.param = "amount";
        message = mem_printf("Refund amount (%" PRId64 ") is greater than what is left of the "
                             "charge (%" PRId64 ").",
                             amount, left);
    } else {
        return true;
    }
    error.message = message;
    reply_error(&x->reply, error);
    free(message);
    return false;
}

static struct json *effect_of(const struct refund *refund)
{
    struct json *data = json_object();
    json_set_string(data, "object", "refund");
    json_set_string(data, "id", refund->id);
    json_set_int(data, "amount", refund->amount);
    json_set_string(data, "currency", refund->currency);
    json_set_string(data, "charge", refund->charge);
    json_maybe_string(data, "payment_intent", refund->intent);
    return data;
}

/* The charge is told of as it stands afterwards. */
static enum err tell(struct exchange *x, const struct refund *refund)
{
    struct charge charge;
    enum err err = charge_get(x->core->store, x->attempt.account, refund->charge, &charge);
    if (err == ERR_OK)
        err = events_emit(x, "charge.refunded", render_charge(&charge));
    if (err == ERR_OK)
        err = events_emit(x, "refund.created", render_refund(refund));
    charge_release(&charge);
    return err;
}

static enum err give(struct exchange *x, struct refund *refund, const struct charge *charge)
{
    if (refund->amount == 0 && charge_paid(charge))
        refund->amount = charge->captured - charge->refunded;
    if (!refundable(x, charge, refund->amount))
        return ERR_OK;
    mem_set_string(&refund->id, object_id_make(&x->ids, "re_").text);
    mem_set_string(&refund->transaction, object_id_make(&x->ids, "txn_").text);
    mem_set_string(&refund->currency, charge->currency);
    mem_set_string(&refund->intent, charge->intent);
    refund->created = clock_now_s(x->core->clock);
    enum err err = refund_insert(x->core->store, x->attempt.account, refund);
    if (err == ERR_OK)
        err = exchange_effect(x, effect_of(refund));
    return err == ERR_OK ? tell(x, refund) : err;
}

enum err refunding_give(struct exchange *x, struct refund *refund)
{
    struct charge charge;
    enum err err = charge_get(x->core->store, x->attempt.account, refund->charge, &charge);
    if (err == ERR_OK)
        err = give(x, refund, &charge);
    charge_release(&charge);
    return err;
}
