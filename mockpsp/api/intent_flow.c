#include "intent_flow.h"

#include "check.h"
#include "checkout_session.h"
#include "fields.h"
#include "mem.h"
#include "methods.h"
#include "objects.h"
#include "payment.h"
#include "render.h"

#include <stdlib.h>

static struct charge charge_for(const struct intent *intent)
{
    return (struct charge){.amount = intent->amount,
                           .currency = mem_strdup(intent->currency),
                           .intent = mem_strdup(intent->id),
                           .customer = mem_strdup(intent->customer),
                           .card = intent->card,
                           .method = mem_strdup(intent->method),
                           .description = mem_strdup(intent->description),
                           .receipt_email = mem_strdup(intent->receipt_email),
                           .metadata = mem_strdup(intent->metadata)};
}

enum err intent_flow_tell(const struct cause *cause, const struct intent *intent)
{
    static const char *const types[INTENT_STATUS_COUNT] = {
        [INTENT_REQUIRES_PAYMENT_METHOD] = "payment_intent.payment_failed",
        [INTENT_REQUIRES_ACTION] = "payment_intent.requires_action",
        [INTENT_PROCESSING] = "payment_intent.processing",
        [INTENT_REQUIRES_CAPTURE] = "payment_intent.amount_capturable_updated",
        [INTENT_SUCCEEDED] = "payment_intent.succeeded",
        [INTENT_CANCELED] = "payment_intent.canceled",
    };
    CHECK(types[intent->status] != NULL);
    return cause_tell(cause, types[intent->status], render_intent(intent));
}

/* Whether what INTENT is paid with is kept for its customer. */
static bool saves(const struct intent *intent)
{
    return intent->future_usage != NULL && intent->customer != NULL;
}

/* A test card that is to be saved gets an id of its own first, so that the charge can name it. */
static enum err name_method(const struct cause *cause, struct intent *intent)
{
    struct payment_method method = {.card = intent->card};
    if (!saves(intent) || intent->method != NULL)
        return ERR_OK;
    enum err err = methods_save(cause, &method, NULL);
    intent_use(intent, method.card, method.id);
    payment_method_release(&method);
    return err;
}

static enum err save_method(const struct cause *cause, const struct intent *intent)
{
    struct payment_method method;
    enum err err = payment_method_get(cause->core->store, cause->account, intent->method, &method);
    method.spent = false;
    if (err == ERR_OK)
        err = methods_save(cause, &method, intent->customer);
    payment_method_release(&method);
    return err;
}

enum err intent_flow_follow(const struct cause *cause, struct intent *intent,
                            const struct charge *charge)
{
    static const enum intent_status to[CHARGE_STATE_COUNT] = {
        [CHARGE_PENDING] = INTENT_PROCESSING,
        [CHARGE_AUTHORIZED] = INTENT_REQUIRES_CAPTURE,
        [CHARGE_CAPTURED] = INTENT_SUCCEEDED,
        [CHARGE_RELEASED] = INTENT_CANCELED,
        [CHARGE_FAILED] = INTENT_REQUIRES_PAYMENT_METHOD,
    };
    bool newly_paid = intent->status != INTENT_REQUIRES_CAPTURE &&
                      (charge->state == CHARGE_AUTHORIZED || charge->state == CHARGE_CAPTURED);
    enum err err = ERR_OK;
    intent_move(intent, to[charge->state]);
    mem_set_string(&intent->latest_charge, charge->id);
    mem_set_string(&intent->decline_code, charge->decline_code);
    intent->received = charge->captured;
    if (charge->state == CHARGE_FAILED)
        intent_use(intent, NULL, NULL);
    if (charge->state == CHARGE_RELEASED) {
        intent->canceled_at = clock_now_s(cause->core->clock);
        mem_set_string(&intent->cancellation_reason, "automatic");
    }
    if (newly_paid && saves(intent) && intent->method != NULL)
        err = save_method(cause, intent);
    return err == ERR_OK ? intent_flow_tell(cause, intent) : err;
}

enum err intent_flow_confirm(struct exchange *x, struct intent *intent, bool off_session)
{
    struct cause cause;
    cause_request(&cause, x);
    CHECK(intent->card != NULL); /* no intent gets this far without one */
    if (intent->card->needs_action && !off_session && x->forced_decline == NULL) {
        intent_move(intent, INTENT_REQUIRES_ACTION);
        return intent_flow_tell(&cause, intent);
    }
    enum err err = name_method(&cause, intent);
    struct charge charge = charge_for(intent);
    if (err == ERR_OK)
        err = intent->manual_capture ? payment_authorize(x, &charge) : payment_take(x, &charge);
    if (err == ERR_OK)
        err = intent_flow_follow(&cause, intent, &charge);
    if (err == ERR_OK && charge.state == CHARGE_FAILED)
        payment_declined(x, &charge, render_intent(intent));
    charge_release(&charge);
    return err;
}

static enum err fail_authentication(const struct cause *cause, struct intent *intent)
{
    intent_move(intent, INTENT_REQUIRES_PAYMENT_METHOD);
    mem_set_string(&intent->decline_code, INTENT_NOT_AUTHENTICATED);
    intent_use(intent, NULL, NULL);
    return intent_flow_tell(cause, intent);
}

enum err intent_flow_authenticated(struct cause *cause, struct intent *intent, bool good)
{
    bool gone = false;
    enum err err = methods_gone(cause, intent->method, &gone);
    if (err == ERR_OK && (!good || gone))
        return fail_authentication(cause, intent);
    if (err == ERR_OK)
        err = name_method(cause, intent);
    struct charge charge = charge_for(intent);
    if (err == ERR_OK)
        err = payment_take_authenticated(cause, &charge, intent->manual_capture);
    if (err == ERR_OK)
        err = intent_flow_follow(cause, intent, &charge);
    charge_release(&charge);
    return err;
}

bool intent_flow_may_capture(struct exchange *x, const struct card *card, bool manual)
{
    if (!manual || card == NULL || card->settles == CARD_SETTLES_AT_ONCE)
        return true;
    reply_error(&x->reply,
                (struct api_error){.status = 400,
                                   .param = "capture_method",
                                   .message = "A bank account cannot be paid from in two steps: "
                                              "leave capture_method at automatic."});
    return false;
}

bool intent_flow_read_usage(struct exchange *x, struct intent *intent)
{
    static const char *const usages[] = {"off_session", "on_session", NULL};
    const char *usage = NULL;
    if (!fields_choice(x, "setup_future_usage", usages, &usage))
        return false;
    if (params_get(&x->params, "setup_future_usage") != NULL)
        mem_set_string(&intent->future_usage, usage);
    return true;
}

bool intent_flow_check_exists(struct exchange *x)
{
    struct intent intent;
    enum err err = intent_get(x->core->store, x->attempt.account, x->object_id, &intent);
    intent_release(&intent);
    if (err == ERR_NOT_FOUND)
        fields_not_there(x, "payment_intent");
    else if (err != ERR_OK)
        fields_broken(x);
    return err == ERR_OK;
}

void intent_flow_refuse(struct exchange *x, const struct intent *intent, const char *verb)
{
    char *message = mem_printf(
        "You cannot %s this PaymentIntent: it has a status of %s%s.", verb,
        intent_status_name(intent->status),
        intent->status == INTENT_REQUIRES_PAYMENT_METHOD ? ", give a payment_method" : "");
    reply_error(&x->reply, (struct api_error){.status = 400,
                                              .code = "payment_intent_unexpected_state",
                                              .message = message,
                                              .intent = render_intent(intent)});
    free(message);
}

bool intent_flow_is_free(struct exchange *x, const struct intent *intent, const char *verb)
{
    bool held = false;
    enum err err = checkout_session_holds(x->core->store, x->attempt.account, intent->id, &held);
    if (err != ERR_OK)
        fields_broken(x);
    if (err != ERR_OK || !held)
        return err == ERR_OK;
    char *message = mem_printf("You cannot %s this PaymentIntent: it belongs to an open Checkout "
                               "Session. Let the customer pay there, or expire the session.",
                               verb);
    reply_error(&x->reply, (struct api_error){.status = 400,
                                              .code = "payment_intent_unexpected_state",
                                              .message = message,
                                              .intent = render_intent(intent)});
    free(message);
    return false;
}

enum err intent_flow_reply(struct exchange *x, const struct intent *intent)
{
    if (reply_decided(&x->reply)) /* a decline */
        return ERR_OK;
    return objects_reply(x, render_intent(intent));
}

enum err intent_flow_change(struct exchange *x,
                            enum err (*change)(struct exchange *x, struct intent *intent))
{
    struct intent intent;
    enum err err = intent_get(x->core->store, x->attempt.account, x->object_id, &intent);
    if (err == ERR_OK)
        err = change(x, &intent);
    intent_release(&intent);
    return err;
}
