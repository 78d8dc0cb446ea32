#include "setup_flow.h"

#include "check.h"
#include "details.h"
#include "mem.h"
#include "methods.h"
#include "render.h"

#include <stdlib.h>
#include <string.h>

enum err setup_flow_tell(const struct cause *cause, const struct setup_intent *intent)
{
    static const char *const types[SETUP_STATUS_COUNT] = {
        [SETUP_REQUIRES_PAYMENT_METHOD] = "setup_intent.setup_failed",
        [SETUP_REQUIRES_ACTION] = "setup_intent.requires_action",
        [SETUP_SUCCEEDED] = "setup_intent.succeeded",
        [SETUP_CANCELED] = "setup_intent.canceled",
    };
    CHECK(types[intent->status] != NULL);
    return cause_tell(cause, types[intent->status], setup_flow_render(intent));
}

/* Saved for the customer, if there is one; a test card becomes a payment method of its own. */
static enum err save(struct cause *cause, struct setup_intent *intent)
{
    struct payment_method method = {.card = intent->card};
    enum err err = ERR_OK;
    if (intent->method != NULL)
        err = payment_method_get(cause->core->store, cause->account, intent->method, &method);
    if (err == ERR_OK)
        err = methods_save(cause, &method, intent->customer);
    if (err == ERR_OK)
        setup_intent_use(intent, method.card, method.id);
    payment_method_release(&method);
    return err;
}

static enum err fail(struct cause *cause, struct setup_intent *intent, const char *why)
{
    setup_intent_move(intent, SETUP_REQUIRES_PAYMENT_METHOD);
    setup_intent_use(intent, NULL, NULL);
    mem_set_string(&intent->decline_code, why);
    return setup_flow_tell(cause, intent);
}

static enum err succeed(struct cause *cause, struct setup_intent *intent)
{
    setup_intent_move(intent, SETUP_SUCCEEDED);
    mem_set_string(&intent->decline_code, NULL);
    enum err err = save(cause, intent);
    return err == ERR_OK ? setup_flow_tell(cause, intent) : err;
}

enum err setup_flow_confirm(struct cause *cause, struct setup_intent *intent, const char *decline)
{
    CHECK(intent->card != NULL); /* no intent gets this far without one */
    if (decline == NULL && !card_can_be_saved(intent->card))
        decline = intent->card->decline_code;
    if (decline != NULL)
        return fail(cause, intent, decline);
    if (!intent->card->needs_action)
        return succeed(cause, intent);
    setup_intent_move(intent, SETUP_REQUIRES_ACTION);
    return setup_flow_tell(cause, intent);
}

enum err setup_flow_authenticated(struct cause *cause, struct setup_intent *intent, bool good)
{
    bool gone = false;
    enum err err = methods_gone(cause, intent->method, &gone);
    if (err != ERR_OK)
        return err;
    return good && !gone ? succeed(cause, intent) : fail(cause, intent, SETUP_NOT_AUTHENTICATED);
}

struct answer {
    const char *id;
    bool good;
    struct json *object;
};

static enum err take_answer(struct cause *cause, void *context)
{
    struct answer *answer = context;
    struct setup_intent intent;
    enum err err = setup_intent_get(cause->core->store, cause->account, answer->id, &intent);
    if (err == ERR_OK && intent.status != SETUP_REQUIRES_ACTION)
        err = ERR_INVALID;
    if (err == ERR_OK)
        err = setup_flow_authenticated(cause, &intent, answer->good);
    if (err == ERR_OK)
        err = setup_intent_update(cause->core->store, &intent);
    if (err == ERR_OK)
        answer->object = setup_flow_render(&intent);
    setup_intent_release(&intent);
    return err;
}

enum err setup_flow_complete(struct core *core, const char *account, const char *id, bool good,
                             struct json **object)
{
    struct answer answer = {.id = id, .good = good};
    char *owner = mem_strdup(account);
    enum err err = owner == NULL ? setup_intent_owner(core->store, id, &owner) : ERR_OK;
    if (err == ERR_OK)
        err = cause_commit(core, owner, take_answer, &answer);
    if (err != ERR_OK) {
        json_free(answer.object);
        answer.object = NULL;
    }
    *object = answer.object;
    free(owner);
    return err;
}

/* --- as clients see it ------------------------------------------------------------------------ */

static struct json *render_error(const struct setup_intent *intent)
{
    if (intent->decline_code == NULL)
        return json_null();
    bool declined = strcmp(intent->decline_code, SETUP_NOT_AUTHENTICATED) != 0;
    struct json *json = json_object();
    json_set_string(json, "code",
                    declined ? card_error_code(intent->decline_code) : SETUP_NOT_AUTHENTICATED);
    if (declined)
        json_set_string(json, "decline_code", intent->decline_code);
    json_set_string(json, "message",
                    declined ? render_decline_message(intent->decline_code)
                             : "The customer did not authenticate.");
    json_set_string(json, "type", declined ? "card_error" : "invalid_request_error");
    return json;
}

static struct json *render_action(const struct setup_intent *intent)
{
    if (intent->status != SETUP_REQUIRES_ACTION)
        return json_null();
    struct json *json = json_object();
    json_set_string(json, "type", "use_stripe_sdk");
    json_set(json, "use_stripe_sdk", json_object());
    return json;
}

static struct json *render_types(const struct setup_intent *intent)
{
    struct json *types = json_array();
    json_push(types, json_string(intent->card == NULL ? "card" : card_type(intent->card)));
    return types;
}

static const char *method_name(const struct setup_intent *intent)
{
    return intent->method == NULL && intent->card != NULL ? intent->card->method : intent->method;
}

struct json *setup_flow_render(const struct setup_intent *intent)
{
    struct json *json = json_object();
    char *secret = mem_printf("%s_secret_%s", intent->id, intent->id + strlen("seti_"));
    json_set_string(json, "id", intent->id);
    json_set_string(json, "object", "setup_intent");
    json_set_string(json, "cancellation_reason", intent->cancellation_reason);
    json_set_string(json, "client_secret", secret);
    json_set_int(json, "created", intent->created);
    json_set_string(json, "customer", intent->customer);
    json_set_string(json, "description", intent->description);
    json_set(json, "last_setup_error", render_error(intent));
    json_set_bool(json, "livemode", false);
    json_set(json, "metadata", details_render(intent->metadata));
    json_set(json, "next_action", render_action(intent));
    json_set_string(json, "payment_method", method_name(intent));
    json_set(json, "payment_method_types", render_types(intent));
    json_set_string(json, "status", setup_intent_status_name(intent->status));
    json_set_string(json, "usage", intent->on_session ? "on_session" : "off_session");
    free(secret);
    return json;
}
