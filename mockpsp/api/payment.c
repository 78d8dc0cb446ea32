#include "payment.h"

#include "disputes.h"
#include "mem.h"
#include "object_id.h"
#include "payment_method.h"
#include "render.h"
#include "settle.h"

#include <stdlib.h>

/* What the issuer says at once; a bank account's says nothing yet. */
static const char *issuer_says(const struct card *card, bool authenticated)
{
    if (card->needs_action && !authenticated)
        return "authentication_required";
    return card->settles == CARD_SETTLES_AT_ONCE ? card->decline_code : NULL;
}

static struct json *effect_of(const char *object, const struct charge *charge)
{
    struct json *data = json_object();
    json_set_string(data, "object", object);
    json_set_string(data, "id", charge->id);
    json_set_int(data, "amount", charge->captured);
    json_set_string(data, "currency", charge->currency);
    json_maybe_string(data, "payment_intent", charge->intent);
    return data;
}

/* The first that merchants hear of it. */
static enum err tell_made(const struct cause *cause, const struct charge *charge)
{
    static const char *const types[CHARGE_STATE_COUNT] = {
        [CHARGE_PENDING] = "charge.pending",
        [CHARGE_AUTHORIZED] = "charge.succeeded",
        [CHARGE_CAPTURED] = "charge.succeeded",
        [CHARGE_FAILED] = "charge.failed",
    };
    return cause_tell(cause, types[charge->state], render_charge(charge));
}

/* AUTHORIZE and DECLINE_CODE say what becomes of it, unless it has to wait: for a bank, or because
 * a fault has set its settle_ms. */
static void decide(struct cause *cause, struct charge *charge, bool authorize,
                   const char *decline_code)
{
    mem_set_string(&charge->decline_code, decline_code);
    if (decline_code != NULL)
        charge->state = CHARGE_FAILED;
    else if (charge->card->settles != CARD_SETTLES_AT_ONCE || charge->settle_ms != 0)
        charge->state = CHARGE_PENDING;
    else
        charge->state = authorize ? CHARGE_AUTHORIZED : CHARGE_CAPTURED;
    if (charge->state == CHARGE_PENDING && charge->settle_ms == 0 &&
        charge->card->settles == CARD_SETTLES_LATER)
        charge->settle_ms = clock_now_ms(cause->core->clock) + CARD_SETTLE_MS;
    if (charge->state == CHARGE_AUTHORIZED)
        charge->settle_ms = clock_now_ms(cause->core->clock) + CARD_AUTHORIZED_MS;
    if (charge->state != CHARGE_CAPTURED)
        return;
    charge->captured = charge->amount;
    mem_set_string(&charge->transaction, object_id_make(cause->ids, "txn_").text);
}

static enum err make(struct cause *cause, struct charge *charge, bool authorize,
                     const char *decline_code)
{
    mem_set_string(&charge->id, object_id_make(cause->ids, "ch_").text);
    charge->created = clock_now_s(cause->core->clock);
    free(charge->order);
    charge->order =
        cause->order == NULL ? cause_order_in(charge->metadata) : mem_strdup(cause->order);
    decide(cause, charge, authorize, decline_code);
    if (charge->settle_ms != 0)
        settle_expect(cause->core, charge->settle_ms);
    enum err err = charge_insert(cause->core->store, cause->account, charge);
    if (err == ERR_OK && charge->state != CHARGE_FAILED && charge->method != NULL)
        err = payment_method_spend(cause->core->store, cause->account, charge->method);
    if (err == ERR_OK && charge_paid(charge))
        err = cause_effect(cause, charge->order, effect_of("charge", charge));
    if (err == ERR_OK)
        err = tell_made(cause, charge);
    return err == ERR_OK ? disputes_follow(cause, charge) : err;
}

static enum err make_for(struct exchange *x, struct charge *charge, bool authorize)
{
    struct cause cause;
    cause_request(&cause, x);
    if (x->processing_ms != 0 && !authorize)
        charge->settle_ms = clock_now_ms(x->core->clock) + x->processing_ms;
    return make(&cause, charge, authorize,
                x->forced_decline != NULL ? x->forced_decline : issuer_says(charge->card, false));
}

enum err payment_take(struct exchange *x, struct charge *charge)
{
    return make_for(x, charge, false);
}

enum err payment_authorize(struct exchange *x, struct charge *charge)
{
    return make_for(x, charge, true);
}

enum err payment_take_authenticated(struct cause *cause, struct charge *charge, bool authorize)
{
    return make(cause, charge, authorize, issuer_says(charge->card, true));
}

enum err payment_capture(struct cause *cause, struct charge *charge, int64_t amount)
{
    bool authorized = charge->state == CHARGE_AUTHORIZED;
    enum err err =
        charge_capture(cause->core->store, cause->account, charge, amount,
                       object_id_make(cause->ids, "txn_").text, clock_now_s(cause->core->clock));
    if (err != ERR_OK)
        return err;
    struct json *data = effect_of(authorized ? "capture" : "charge", charge);
    if (authorized)
        json_set_string(data, "charge", charge->id);
    err = cause_effect(cause, charge->order, data);
    if (err == ERR_OK)
        err = cause_tell(cause, authorized ? "charge.captured" : "charge.succeeded",
                         render_charge(charge));
    return err == ERR_OK ? disputes_follow(cause, charge) : err;
}

enum err payment_release(struct cause *cause, struct charge *charge)
{
    enum err err = charge_end(cause->core->store, charge, CHARGE_RELEASED, NULL);
    return err == ERR_OK ? cause_tell(cause, "charge.refunded", render_charge(charge)) : err;
}

enum err payment_fail(struct cause *cause, struct charge *charge, const char *reason)
{
    enum err err = charge_end(cause->core->store, charge, CHARGE_FAILED, reason);
    return err == ERR_OK ? cause_tell(cause, "charge.failed", render_charge(charge)) : err;
}

void payment_declined(struct exchange *x, const struct charge *charge, struct json *intent)
{
    reply_error(&x->reply, (struct api_error){
                               .status = 402,
                               .type = "card_error",
                               .code = card_error_code(charge->decline_code),
                               .decline_code = charge->decline_code,
                               .message = render_decline_message(charge->decline_code),
                               .charge = charge->id,
                               .intent = intent,
                           });
}
