/* /v1/payment_intents/{id}: capture and cancel. */
#include "checkout.h"
#include "expand.h"
#include "fields.h"
#include "intent_flow.h"
#include "mem.h"
#include "money.h"
#include "payment.h"
#include "payment_resources.h"

#include <inttypes.h>
#include <stdlib.h>

struct plan {
    int64_t amount;     /* to capture, 0: all */
    const char *reason; /* to cancel, or NULL; static */
};

static struct plan *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(struct plan));
    x->free_plan = free;
    return x->plan;
}

/* --- capture ---------------------------------------------------------------------------------- */

void payment_intents_check_capture(struct exchange *x)
{
    static const char *const known[] = {
        "amount_to_capture",           "final_capture", "metadata", "statement_descriptor",
        "statement_descriptor_suffix", "expand",        NULL};
    struct plan *plan = new_plan(x);
    bool final = true;
    if (fields_only(x, known) &&
        fields_int(x, "amount_to_capture", 1, MONEY_LARGEST, &plan->amount) &&
        fields_bool(x, "final_capture", &final) && expand_check(x, "payment_intent", false))
        intent_flow_check_exists(x);
}

static void refuse_amount(struct exchange *x, const struct intent *intent)
{
    char *message = mem_printf("The amount to capture is greater than what was authorized "
                               "(%" PRId64 ").",
                               intent->amount);
    reply_error(&x->reply, (struct api_error){.status = 400,
                                              .code = "amount_too_large",
                                              .param = "amount_to_capture",
                                              .message = message});
    free(message);
}

static enum err capture_charge(struct exchange *x, struct intent *intent, int64_t amount)
{
    struct cause cause;
    struct charge charge;
    cause_request(&cause, x);
    enum err err = charge_get(x->core->store, x->attempt.account, intent->latest_charge, &charge);
    if (err == ERR_OK)
        err = payment_capture(&cause, &charge, amount);
    if (err == ERR_OK)
        err = intent_flow_follow(&cause, intent, &charge);
    if (err == ERR_OK)
        err = checkout_follow(&cause, &charge);
    charge_release(&charge);
    return err;
}

static enum err capture_loaded(struct exchange *x, struct intent *intent)
{
    const struct plan *plan = x->plan;
    if (intent->status != INTENT_REQUIRES_CAPTURE) {
        intent_flow_refuse(x, intent, "capture");
        return ERR_OK;
    }
    if (plan->amount > intent->amount) {
        refuse_amount(x, intent);
        return ERR_OK;
    }
    enum err err = capture_charge(x, intent, plan->amount == 0 ? intent->amount : plan->amount);
    if (err == ERR_OK)
        err = intent_update(x->core->store, intent);
    return err == ERR_OK ? intent_flow_reply(x, intent) : err;
}

enum err payment_intents_capture(struct exchange *x)
{
    return intent_flow_change(x, capture_loaded);
}

/* --- cancel ----------------------------------------------------------------------------------- */

void payment_intents_check_cancel(struct exchange *x)
{
    static const char *const known[] = {"cancellation_reason", "expand", NULL};
    static const char *const reasons[] = {"duplicate", "fraudulent", "requested_by_customer",
                                          "abandoned", NULL};
    struct plan *plan = new_plan(x);
    if (fields_only(x, known) && fields_choice(x, "cancellation_reason", reasons, &plan->reason) &&
        expand_check(x, "payment_intent", false))
        intent_flow_check_exists(x);
}

static enum err release_charge(struct cause *cause, const struct intent *intent)
{
    struct charge charge;
    enum err err = charge_get(cause->core->store, cause->account, intent->latest_charge, &charge);
    if (err == ERR_OK)
        err = payment_release(cause, &charge);
    charge_release(&charge);
    return err;
}

static enum err cancel_loaded(struct exchange *x, struct intent *intent)
{
    const struct plan *plan = x->plan;
    struct cause cause;
    enum err err = ERR_OK;
    if (!intent_may_move(intent->status, INTENT_CANCELED)) {
        intent_flow_refuse(x, intent, "cancel");
        return ERR_OK;
    }
    cause_request(&cause, x);
    if (intent->status == INTENT_REQUIRES_CAPTURE)
        err = release_charge(&cause, intent);
    if (err != ERR_OK)
        return err;
    intent_move(intent, INTENT_CANCELED);
    intent->canceled_at = clock_now_s(x->core->clock);
    mem_set_string(&intent->cancellation_reason, plan->reason);
    err = intent_update(x->core->store, intent);
    if (err == ERR_OK)
        err = intent_flow_tell(&cause, intent);
    return err == ERR_OK ? intent_flow_reply(x, intent) : err;
}

enum err payment_intents_cancel(struct exchange *x)
{
    return intent_flow_change(x, cancel_loaded);
}
