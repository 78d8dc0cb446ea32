#include "checkout.h"

#include "details.h"
#include "intent_flow.h"
#include "mem.h"
#include "object_id.h"
#include "render.h"
#include "setup_flow.h"

#include <stdlib.h>
#include <string.h>

/* --- as clients see it ------------------------------------------------------------------------ */

/* The page itself is not there: the control plane fills it in. */
static struct json *render_url(const struct checkout_session *session)
{
    if (session->status != CHECKOUT_OPEN)
        return json_null();
    char *url = mem_printf("https://checkout.mockpsp.invalid/c/pay/%s", session->id);
    struct json *json = json_string(url);
    free(url);
    return json;
}

static struct json *render_customer_details(const struct checkout_session *session)
{
    if (session->customer_email == NULL)
        return json_null();
    struct json *json = json_object();
    json_set_string(json, "email", session->customer_email);
    return json;
}

static const char *payment_status(const struct checkout_session *session)
{
    if (session->setup)
        return "no_payment_required";
    return session->paid ? "paid" : "unpaid";
}

static void add_amounts(const struct checkout_session *session, struct json *json)
{
    if (session->setup) {
        json_set_null(json, "amount_subtotal");
        json_set_null(json, "amount_total");
        return;
    }
    json_set_int(json, "amount_subtotal", session->amount);
    json_set_int(json, "amount_total", session->amount);
}

struct json *checkout_render(const struct checkout_session *session)
{
    struct json *json = json_object();
    json_set_string(json, "id", session->id);
    json_set_string(json, "object", "checkout.session");
    add_amounts(session, json);
    json_set_string(json, "cancel_url", session->cancel_url);
    json_set_string(json, "client_reference_id", session->reference);
    json_set_int(json, "created", session->created);
    json_set_string(json, "currency", session->currency);
    json_set_string(json, "customer", session->customer);
    json_set(json, "customer_details", render_customer_details(session));
    json_set_string(json, "customer_email", session->customer_email);
    json_set_int(json, "expires_at", session->expires);
    json_set_bool(json, "livemode", false);
    json_set(json, "metadata", details_render(session->metadata));
    json_set_string(json, "mode", session->setup ? "setup" : "payment");
    json_set_string(json, "payment_intent", session->payment_intent);
    json_set(json, "payment_method_types", details_render(session->method_types));
    json_set_string(json, "payment_status", payment_status(session));
    json_set_string(json, "setup_intent", session->setup_intent);
    json_set_string(json, "status", checkout_status_name(session->status));
    json_set_string(json, "success_url", session->success_url);
    json_set(json, "url", render_url(session));
    return json;
}

/* --- the customer pays ------------------------------------------------------------------------ */

static char *word(const struct json *words, const char *name)
{
    return mem_strdup(json_get_string(words, name));
}

static enum err make_intent(struct cause *cause, struct checkout_session *session,
                            struct intent *intent)
{
    struct json *words = details_render(session->intent_words);
    *intent = (struct intent){.id = mem_strdup(object_id_make(cause->ids, "pi_").text),
                              .created = clock_now_s(cause->core->clock),
                              .amount = session->amount,
                              .currency = mem_strdup(session->currency),
                              .customer = mem_strdup(session->customer),
                              .description = word(words, "description"),
                              .receipt_email = word(words, "receipt_email"),
                              .future_usage = word(words, "setup_future_usage"),
                              .metadata = json_print(json_get(words, "metadata"))};
    const char *capture = json_get_string(words, "capture_method");
    intent->manual_capture = capture != NULL && strcmp(capture, "manual") == 0;
    json_free(words);
    mem_set_string(&session->payment_intent, intent->id);
    enum err err = intent_insert(cause->core->store, cause->account, intent);
    if (err == ERR_OK)
        err = cause_tell(cause, "payment_intent.created", render_intent(intent));
    return err;
}

/* A customer who fills the page in is there, and authenticates when asked to. */
static enum err pay(struct cause *cause, struct checkout_session *session, const struct card *card)
{
    struct intent intent;
    enum err err = session->payment_intent == NULL ? make_intent(cause, session, &intent)
                                                   : intent_get(cause->core->store, cause->account,
                                                                session->payment_intent, &intent);
    if (err == ERR_OK && !intent_may_move(intent.status, INTENT_REQUIRES_CONFIRMATION))
        err = ERR_INVALID; /* somebody has canceled it, or paid it without the page */
    if (err == ERR_OK) {
        intent_use(&intent, card, NULL);
        intent_move(&intent, INTENT_REQUIRES_CONFIRMATION);
        intent_move(&intent, INTENT_REQUIRES_ACTION);
        err = intent_flow_authenticated(cause, &intent, true);
    }
    if (err == ERR_OK)
        err = intent_update(cause->core->store, &intent);
    session->paid = err == ERR_OK && intent.status == INTENT_SUCCEEDED;
    if (err == ERR_OK && intent.status != INTENT_REQUIRES_PAYMENT_METHOD)
        checkout_session_move(session, CHECKOUT_COMPLETE);
    intent_release(&intent);
    return err;
}

static enum err make_setup(struct cause *cause, struct checkout_session *session,
                           struct setup_intent *intent)
{
    struct json *words = details_render(session->intent_words);
    *intent = (struct setup_intent){.id = mem_strdup(object_id_make(cause->ids, "seti_").text),
                                    .created = clock_now_s(cause->core->clock),
                                    .customer = mem_strdup(session->customer),
                                    .description = word(words, "description"),
                                    .metadata = json_print(json_get(words, "metadata"))};
    json_free(words);
    mem_set_string(&session->setup_intent, intent->id);
    enum err err = setup_intent_insert(cause->core->store, cause->account, intent);
    if (err == ERR_OK)
        err = cause_tell(cause, "setup_intent.created", setup_flow_render(intent));
    return err;
}

static enum err save(struct cause *cause, struct checkout_session *session, const struct card *card)
{
    struct setup_intent intent;
    enum err err =
        session->setup_intent == NULL
            ? make_setup(cause, session, &intent)
            : setup_intent_get(cause->core->store, cause->account, session->setup_intent, &intent);
    if (err == ERR_OK && !setup_intent_may_move(intent.status, SETUP_REQUIRES_CONFIRMATION))
        err = ERR_INVALID;
    if (err == ERR_OK) {
        setup_intent_use(&intent, card, NULL);
        setup_intent_move(&intent, SETUP_REQUIRES_CONFIRMATION);
        err = setup_flow_confirm(cause, &intent, NULL);
    }
    if (err == ERR_OK && intent.status == SETUP_REQUIRES_ACTION)
        err = setup_flow_authenticated(cause, &intent, true);
    if (err == ERR_OK)
        err = setup_intent_update(cause->core->store, &intent);
    if (err == ERR_OK && intent.status == SETUP_SUCCEEDED)
        checkout_session_move(session, CHECKOUT_COMPLETE);
    setup_intent_release(&intent);
    return err;
}

/* --- in a transaction of its own -------------------------------------------------------------- */

struct visit {
    const char *id;
    const struct card *card; /* NULL: the time has passed */
    struct json *object;
};

static bool takes(const struct checkout_session *session, const struct card *card)
{
    struct json *types = details_render(session->method_types);
    bool found = false;
    for (const struct json *type = json_first(types); type != NULL; type = json_next(type))
        found = found || strcmp(json_as_string(type), card_type(card)) == 0;
    json_free(types);
    return found;
}

static enum err fill_in(struct cause *cause, struct checkout_session *session,
                        const struct card *card)
{
    if (!takes(session, card))
        return ERR_INVALID;
    char *order = cause_order_in(session->metadata);
    cause->order = order == NULL ? session->reference : order;
    enum err err = session->setup ? save(cause, session, card) : pay(cause, session, card);
    if (err == ERR_OK)
        err = checkout_session_update(cause->core->store, session);
    if (err == ERR_OK && session->status == CHECKOUT_COMPLETE)
        err = cause_tell(cause, "checkout.session.completed", checkout_render(session));
    cause->order = NULL;
    free(order);
    return err;
}

static enum err visit_page(struct cause *cause, void *context)
{
    struct visit *visit = context;
    struct checkout_session session;
    enum err err = checkout_session_get(cause->core->store, cause->account, visit->id, &session);
    if (err == ERR_OK && session.status != CHECKOUT_OPEN)
        err = ERR_INVALID;
    if (err == ERR_OK)
        err = visit->card == NULL ? checkout_expire(cause, &session)
                                  : fill_in(cause, &session, visit->card);
    if (err == ERR_OK)
        visit->object = checkout_render(&session);
    checkout_session_release(&session);
    return err;
}

enum err checkout_complete(struct core *core, const char *account, const char *id,
                           const struct card *card, struct json **object)
{
    struct visit visit = {.id = id, .card = card};
    char *owner = mem_strdup(account);
    enum err err = owner == NULL ? checkout_session_owner(core->store, id, &owner) : ERR_OK;
    if (err == ERR_OK)
        err = cause_commit(core, owner, visit_page, &visit);
    if (err != ERR_OK) {
        json_free(visit.object);
        visit.object = NULL;
    }
    *object = visit.object;
    free(owner);
    return err;
}

enum err checkout_follow(const struct cause *cause, const struct charge *charge)
{
    struct checkout_session session;
    bool came = charge->state == CHARGE_CAPTURED;
    bool late = charge->card->settles != CARD_SETTLES_AT_ONCE;
    enum err err =
        checkout_session_of_intent(cause->core->store, cause->account, charge->intent, &session);
    if (err == ERR_OK && came) {
        session.paid = true;
        err = checkout_session_update(cause->core->store, &session);
    }
    if (err == ERR_OK && late)
        err = cause_tell(cause,
                         came ? "checkout.session.async_payment_succeeded"
                              : "checkout.session.async_payment_failed",
                         checkout_render(&session));
    checkout_session_release(&session);
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

enum err checkout_expire(const struct cause *cause, struct checkout_session *session)
{
    checkout_session_move(session, CHECKOUT_EXPIRED);
    enum err err = checkout_session_update(cause->core->store, session);
    if (err == ERR_OK)
        err = cause_tell(cause, "checkout.session.expired", checkout_render(session));
    return err;
}

static enum err expire_alone(struct core *core, const char *account, const char *id)
{
    struct visit visit = {.id = id};
    enum err err = cause_commit(core, account, visit_page, &visit);
    json_free(visit.object);
    return err;
}

enum err checkout_expire_due(struct core *core, int64_t *next_ms)
{
    enum err err = ERR_OK;
    bool ripe = true;
    *next_ms = 0;
    while (err == ERR_OK && ripe) {
        char *id, *account;
        int64_t expires = 0;
        err = checkout_session_next(core->store, &id, &account, &expires);
        ripe = err == ERR_OK && expires <= clock_now_s(core->clock);
        if (ripe)
            err = expire_alone(core, account, id);
        else if (err == ERR_OK)
            *next_ms = expires * 1000;
        free(id);
        free(account);
    }
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}
