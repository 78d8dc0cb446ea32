#include "objects.h"

#include "checkout.h"
#include "delivery.h"
#include "disputes.h"
#include "endpoint.h"
#include "expand.h"
#include "fields.h"
#include "foreign.h"
#include "lag.h"
#include "methods.h"
#include "notice.h"
#include "plain.h"
#include "render.h"
#include "setup_flow.h"

#include <string.h>

/* A charge as the plain face has it. */
static enum err render_the_payment(struct exchange *x, const char *id, struct json **object)
{
    struct plain_payment payment;
    enum err err = plain_payment_get(x->core->store, x->attempt.account, id, &payment);
    if (err == ERR_OK)
        *object = plain_render_payment(&payment);
    plain_payment_release(&payment);
    return err;
}

static enum err render_the_charge(struct exchange *x, const char *id, struct json **object)
{
    if (plain_path(x->request.path))
        return render_the_payment(x, id, object);
    struct charge charge;
    enum err err = charge_get(x->core->store, x->attempt.account, id, &charge);
    if (err == ERR_OK)
        *object = render_charge(&charge);
    charge_release(&charge);
    return err;
}

static enum err render_the_intent(struct exchange *x, const char *id, struct json **object)
{
    struct intent intent;
    enum err err = intent_get(x->core->store, x->attempt.account, id, &intent);
    if (err == ERR_OK)
        *object = render_intent(&intent);
    intent_release(&intent);
    return err;
}

static enum err render_the_refund(struct exchange *x, const char *id, struct json **object)
{
    struct refund refund;
    bool plain = plain_path(x->request.path);
    enum err err = refund_get(x->core->store, x->attempt.account, id, &refund);
    if (err == ERR_OK)
        *object = plain ? plain_render_refund(&refund) : render_refund(&refund);
    refund_release(&refund);
    return err;
}

static enum err render_the_customer(struct exchange *x, const char *id, struct json **object)
{
    struct customer customer;
    enum err err = customer_get(x->core->store, x->attempt.account, id, &customer);
    if (err == ERR_OK)
        *object = render_customer(&customer);
    customer_release(&customer);
    return err;
}

static enum err render_the_movement(struct exchange *x, const char *id, struct json **object)
{
    struct movement movement;
    enum err err = movement_get(x->core->store, x->attempt.account, id, &movement);
    if (err == ERR_OK)
        *object = render_movement(&movement);
    movement_release(&movement);
    return err;
}

/* Test cards are there without having been made. */
static enum err render_the_method(struct exchange *x, const char *id, struct json **object)
{
    struct payment_method method = {.card = card_find(id)};
    enum err err = ERR_OK;
    if (method.card == NULL)
        err = payment_method_get(x->core->store, x->attempt.account, id, &method);
    if (err == ERR_OK)
        *object = methods_render(&method);
    payment_method_release(&method);
    return err;
}

static enum err render_the_dispute(struct exchange *x, const char *id, struct json **object)
{
    struct dispute dispute;
    enum err err = dispute_get(x->core->store, x->attempt.account, id, &dispute);
    if (err == ERR_OK)
        err = disputes_render(x->core, x->attempt.account, &dispute, object);
    dispute_release(&dispute);
    return err;
}

static enum err render_the_setup(struct exchange *x, const char *id, struct json **object)
{
    struct setup_intent intent;
    enum err err = setup_intent_get(x->core->store, x->attempt.account, id, &intent);
    if (err == ERR_OK)
        *object = setup_flow_render(&intent);
    setup_intent_release(&intent);
    return err;
}

static enum err render_the_session(struct exchange *x, const char *id, struct json **object)
{
    struct checkout_session session;
    enum err err = checkout_session_get(x->core->store, x->attempt.account, id, &session);
    if (err == ERR_OK)
        *object = checkout_render(&session);
    checkout_session_release(&session);
    return err;
}

/* For 30 days. */
static enum err render_the_event(struct exchange *x, const char *id, struct json **object)
{
    struct notice notice;
    int64_t pending = 0;
    enum err err = notice_get(x->core->store, x->attempt.account, id, &notice);
    if (err == ERR_OK && notice.created_ms / 1000 < clock_now_s(x->core->clock) - NOTICE_LIFE_S)
        err = ERR_NOT_FOUND;
    if (err == ERR_OK)
        err = delivery_pending(x->core->store, id, &pending);
    if (err == ERR_OK)
        *object = notice_render(&notice, pending);
    notice_release(&notice);
    return err;
}

static enum err render_the_endpoint(struct exchange *x, const char *id, struct json **object)
{
    struct endpoint endpoint;
    enum err err = endpoint_get(x->core->store, x->attempt.account, id, &endpoint);
    if (err == ERR_OK)
        *object = endpoint_render(&endpoint);
    endpoint_release(&endpoint);
    return err;
}

static const struct kind {
    const char *prefix;
    enum err (*render)(struct exchange *x, const char *id, struct json **object);
} KINDS[] = {
    {"ch_", render_the_charge},    {"pi_", render_the_intent},  {"re_", render_the_refund},
    {"cus_", render_the_customer}, {"evt_", render_the_event},  {"txn_", render_the_movement},
    {"we_", render_the_endpoint},  {"pm_", render_the_method},  {"seti_", render_the_setup},
    {"cs_", render_the_session},   {"du_", render_the_dispute},
};

enum err objects_render(struct exchange *x, const char *id, struct json **object)
{
    *object = NULL;
    if (foreign_speaks(x))
        return foreign_render(x, id, object);
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
        if (strncmp(id, KINDS[i].prefix, strlen(KINDS[i].prefix)) == 0)
            return KINDS[i].render(x, id, object);
    return ERR_NOT_FOUND;
}

enum err objects_reply(struct exchange *x, struct json *object)
{
    enum err err = expand_apply(x, object, false);
    reply_object(&x->reply, 200, object);
    return err;
}

enum err objects_retrieve(struct exchange *x, const char *kind, const char *prefix)
{
    struct json *object = NULL;
    static const char *const known[] = {"expand", NULL};
    if (!fields_only(x, known) || !expand_check(x, kind, false))
        return ERR_OK;
    enum err err = strncmp(x->object_id, prefix, strlen(prefix)) == 0
                       ? objects_render(x, x->object_id, &object)
                       : ERR_NOT_FOUND;
    if (err == ERR_OK && lag_hides(x, x->object_id, json_get_int(object, "created", 0))) {
        json_free(object);
        err = ERR_NOT_FOUND;
    }
    if (err == ERR_NOT_FOUND) {
        fields_not_there(x, kind);
        return ERR_OK;
    }
    if (err == ERR_OK)
        err = expand_apply(x, object, false);
    if (err == ERR_OK)
        reply_object(&x->reply, 200, object);
    else
        json_free(object);
    return err;
}
