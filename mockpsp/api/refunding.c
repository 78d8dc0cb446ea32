#include "refunding.h"

#include "charge.h"
#include "events.h"
#include "mem.h"
#include "object_id.h"
#include "payment.h"
#include "render.h"
#include "settle.h"

#include <inttypes.h>
#include <stdlib.h>

/* Whether the charge can give AMOUNT back; if not, the reply says why. */
static bool refundable(struct exchange *x, const struct charge *charge, int64_t amount)
{
    struct api_error error = {.status = 400};
    int64_t left = charge->captured - charge->refunded;
    char *message;
    if (charge->state == CHARGE_AUTHORIZED) {
        message =
            charge->intent == NULL
                ? mem_printf("Charge %s is not captured: refund all of it, or capture less.",
                             charge->id)
                : mem_printf("Charge %s is not captured: cancel %s.", charge->id, charge->intent);
    } else if (!charge_paid(charge)) {
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

static struct json *effect_of(const char *object, const struct refund *refund)
{
    struct json *data = json_object();
    json_set_string(data, "object", object);
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

static void begin(struct exchange *x, struct refund *refund, const struct charge *charge)
{
    mem_set_string(&refund->id, object_id_make(&x->ids, "re_").text);
    mem_set_string(&refund->currency, charge->currency);
    mem_set_string(&refund->intent, charge->intent);
    refund->created = clock_now_s(x->core->clock);
}

/* A charge without a PaymentIntent that is only authorized is released by its refund. */
static bool releases(const struct refund *refund, const struct charge *charge)
{
    return charge->state == CHARGE_AUTHORIZED && charge->intent == NULL &&
           (refund->amount == 0 || refund->amount == charge->amount);
}

static enum err release(struct exchange *x, struct refund *refund, struct charge *charge)
{
    struct cause cause;
    cause_request(&cause, x);
    begin(x, refund, charge);
    refund->amount = charge->amount;
    enum err err = payment_release(&cause, charge);
    if (err == ERR_OK)
        err = refund_insert(x->core->store, x->attempt.account, refund);
    return err == ERR_OK ? events_emit(x, "refund.created", render_refund(refund)) : err;
}

static enum err give(struct exchange *x, struct refund *refund, struct charge *charge)
{
    if (releases(refund, charge))
        return release(x, refund, charge);
    if (refund->amount == 0 && charge_paid(charge))
        refund->amount = charge->captured - charge->refunded;
    if (!refundable(x, charge, refund->amount))
        return ERR_OK;
    begin(x, refund, charge);
    mem_set_string(&refund->transaction, object_id_make(&x->ids, "txn_").text);
    if (charge->card->refunds == CARD_REFUNDS_LATER)
        refund->state = REFUND_PENDING;
    if (charge->card->refunds != CARD_REFUNDS_AT_ONCE) {
        refund->settle_ms = clock_now_ms(x->core->clock) + CARD_SETTLE_MS;
        settle_expect(x->core, refund->settle_ms);
    }
    enum err err = refund_insert(x->core->store, x->attempt.account, refund);
    if (err == ERR_OK)
        err = exchange_effect(x, effect_of("refund", refund));
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

/* --- later ------------------------------------------------------------------------------------ */

/* Whose order the refund's charge serves; *ORDER is owned by the caller. */
static enum err order_of(struct cause *cause, const struct refund *refund, char **order)
{
    struct charge charge;
    enum err err = charge_get(cause->core->store, cause->account, refund->charge, &charge);
    *order = mem_strdup(charge.order);
    charge_release(&charge);
    return err;
}

/* BEFORE is the refund as it was. */
static enum err tell_change(const struct cause *cause, const struct refund *refund,
                            const struct json *before)
{
    return cause_tell_change(cause, "refund.updated", before, render_refund(refund));
}

static enum err undo(struct cause *cause, struct refund *refund, enum refund_state to,
                     const char *reason)
{
    char *order = NULL;
    const struct object_id transaction = object_id_make(cause->ids, "txn_");
    const struct refund_end end = {.to = to,
                                   .reason = reason,
                                   .transaction = transaction.text,
                                   .created = clock_now_s(cause->core->clock)};
    enum err err = refund_undo(cause->core->store, cause->account, refund, &end);
    if (err == ERR_OK)
        err = order_of(cause, refund, &order);
    if (err == ERR_OK)
        err = cause_effect(cause, order, effect_of("refund_reversal", refund));
    free(order);
    if (err == ERR_OK && to == REFUND_FAILED)
        err = cause_tell(cause, "refund.failed", render_refund(refund));
    return err;
}

enum err refunding_undo(struct cause *cause, struct refund *refund, enum refund_state to,
                        const char *reason)
{
    struct json *before = render_refund(refund);
    enum err err = undo(cause, refund, to, reason);
    if (err == ERR_OK)
        err = tell_change(cause, refund, before);
    json_free(before);
    return err;
}

static enum err settle_loaded(struct cause *cause, struct refund *refund)
{
    if (refund->state == REFUND_SUCCEEDED)
        return refunding_undo(cause, refund, REFUND_FAILED, "expired_or_canceled_card");
    struct json *before = render_refund(refund);
    enum err err = refund_arrive(cause->core->store, refund);
    if (err == ERR_OK)
        err = tell_change(cause, refund, before);
    json_free(before);
    return err;
}

enum err refunding_settle(struct cause *cause, const char *id)
{
    struct refund refund;
    enum err err = refund_get(cause->core->store, cause->account, id, &refund);
    if (err == ERR_OK)
        err = settle_loaded(cause, &refund);
    refund_release(&refund);
    return err;
}
