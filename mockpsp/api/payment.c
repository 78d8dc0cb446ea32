#include "payment.h"

#include "events.h"
#include "mem.h"
#include "object_id.h"
#include "render.h"

static const char *issuer_says(const struct exchange *x, const struct card *card)
{
    if (x->forced_decline != NULL)
        return x->forced_decline;
    return card->needs_action ? "authentication_required" : card->decline_code;
}

static struct json *effect_of(const struct charge *charge)
{
    struct json *data = json_object();
    json_set_string(data, "object", "charge");
    json_set_string(data, "id", charge->id);
    json_set_int(data, "amount", charge->amount);
    json_set_string(data, "currency", charge->currency);
    json_maybe_string(data, "payment_intent", charge->intent);
    return data;
}

enum err payment_take(struct exchange *x, struct charge *charge)
{
    const char *decline_code = issuer_says(x, charge->card);
    mem_set_string(&charge->id, object_id_make(&x->ids, "ch_").text);
    mem_set_string(&charge->decline_code, decline_code);
    if (decline_code == NULL)
        mem_set_string(&charge->transaction, object_id_make(&x->ids, "txn_").text);
    charge->created = clock_now_s(x->core->clock);
    enum err err = charge_insert(x->core->store, x->attempt.account, charge);
    if (err == ERR_OK && charge_paid(charge))
        err = exchange_effect(x, effect_of(charge));
    if (err == ERR_OK)
        err = events_emit(x, charge_paid(charge) ? "charge.succeeded" : "charge.failed",
                          render_charge(charge));
    return err;
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
