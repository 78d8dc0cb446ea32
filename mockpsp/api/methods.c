#include "methods.h"

#include "customer.h"
#include "details.h"
#include "events.h"
#include "fields.h"
#include "mem.h"
#include "object_id.h"
#include "render.h"

#include <string.h>

static bool refuse(struct exchange *x, const char *code, const char *param, const char *message)
{
    reply_error(&x->reply, (struct api_error){
                               .status = 400, .code = code, .param = param, .message = message});
    return false;
}

/* What was sent is not repeated: it may be a real card number. */
static bool refuse_unknown(struct exchange *x, const char *name)
{
    return refuse(x, "resource_missing", name,
                  "No such payment method: only those made here, and test cards such as "
                  "pm_card_visa or tok_visa, exist.");
}

static bool read_own(struct exchange *x, const char *name, const char *id,
                     struct payment_method *method)
{
    enum err err = payment_method_get(x->core->store, x->attempt.account, id, method);
    if (err == ERR_NOT_FOUND)
        return refuse_unknown(x, name);
    if (err != ERR_OK) {
        fields_broken(x);
        return false;
    }
    return !method->spent ||
           refuse(
               x, NULL, name,
               "This payment method was used without a customer, or was detached from one. It may "
               "not be used again: attach it to a customer first, to use it several times.");
}

bool methods_read(struct exchange *x, const char *name, struct payment_method *method)
{
    const char *value = params_get(&x->params, name);
    if (value == NULL || *value == '\0')
        return true;
    method->card = card_find(value);
    if (method->card != NULL)
        return true;
    if (strncmp(value, "pm_", 3) == 0)
        return read_own(x, name, value, method);
    return refuse_unknown(x, name);
}

static bool usable(struct exchange *x, const char *name, const struct payment_method *method,
                   const char *customer)
{
    if (method->customer == NULL || (customer != NULL && strcmp(method->customer, customer) == 0))
        return true;
    return refuse(x, NULL, name,
                  "This payment method is saved for a customer: give that customer with it.");
}

bool methods_check(struct exchange *x, const char *name, const char *customer)
{
    struct payment_method method = {0};
    bool good = methods_read(x, name, &method) && usable(x, name, &method, customer);
    payment_method_release(&method);
    return good;
}

bool methods_default(struct exchange *x, const char *customer, struct payment_method *method)
{
    struct customer found = {0};
    enum err err = ERR_OK;
    if (customer != NULL)
        err = customer_get(x->core->store, x->attempt.account, customer, &found);
    if (err == ERR_OK && found.default_source != NULL)
        err = payment_method_get(x->core->store, x->attempt.account, found.default_source, method);
    customer_release(&found);
    if (err != ERR_OK)
        fields_broken(x);
    return err == ERR_OK;
}

bool methods_ready(struct exchange *x, const char *id)
{
    struct payment_method method = {0};
    bool good = id == NULL || read_own(x, "payment_method", id, &method);
    payment_method_release(&method);
    return good;
}

enum err methods_gone(const struct cause *cause, const char *id, bool *gone)
{
    struct payment_method method = {0};
    enum err err = ERR_OK;
    if (id != NULL)
        err = payment_method_get(cause->core->store, cause->account, id, &method);
    *gone = method.spent;
    payment_method_release(&method);
    return err;
}

const char *methods_own(const struct exchange *x, const char *name)
{
    const char *value = params_get(&x->params, name);
    return value == NULL || *value == '\0' || card_find(value) != NULL ? NULL : value;
}

/* The issuer is asked before a card is saved. */
static bool issuer_agrees(struct exchange *x, const struct card *card)
{
    const char *decline = x->forced_decline;
    if (decline == NULL && !card_can_be_saved(card))
        decline = card->decline_code;
    if (decline == NULL)
        return true;
    reply_error(&x->reply, (struct api_error){.status = 402,
                                              .type = "card_error",
                                              .code = card_error_code(decline),
                                              .decline_code = decline,
                                              .message = render_decline_message(decline)});
    return false;
}

bool methods_may_attach(struct exchange *x, const struct payment_method *method,
                        const char *customer)
{
    if (method->spent)
        return refuse(x, NULL, "payment_method",
                      "This payment method was used without a customer, or was detached from one, "
                      "and may not be attached again.");
    if (method->customer != NULL && (customer == NULL || strcmp(method->customer, customer) != 0))
        return refuse(x, NULL, "payment_method",
                      "This payment method is attached to a customer already.");
    return issuer_agrees(x, method->card);
}

static enum err make(const struct cause *cause, struct payment_method *method)
{
    mem_set_string(&method->id, object_id_make(cause->ids, "pm_").text);
    method->created = clock_now_s(cause->core->clock);
    if (method->metadata == NULL)
        method->metadata = mem_strdup("{}");
    return payment_method_insert(cause->core->store, cause->account, method);
}

/* One that is being made just now is not there yet, and has not been deleted. */
static enum err is_deleted(const struct cause *cause, const char *id, bool *deleted)
{
    struct customer customer;
    enum err err = customer_get(cause->core->store, cause->account, id, &customer);
    *deleted = err == ERR_OK && customer.deleted;
    customer_release(&customer);
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

enum err methods_save(const struct cause *cause, struct payment_method *method,
                      const char *customer)
{
    enum err err = method->id == NULL ? make(cause, method) : ERR_OK;
    bool deleted = false;
    if (err == ERR_OK && customer != NULL && method->customer == NULL)
        err = is_deleted(cause, customer, &deleted);
    if (err != ERR_OK || customer == NULL || method->customer != NULL || deleted ||
        method->detached)
        return err;
    mem_set_string(&method->customer, customer);
    err = payment_method_update(cause->core->store, method);
    if (err == ERR_OK)
        err = cause_tell(cause, "payment_method.attached", methods_render(method));
    return err;
}

enum err methods_detach(struct exchange *x, struct payment_method *method)
{
    mem_set_string(&method->customer, NULL);
    method->spent = method->detached = true;
    enum err err = payment_method_update(x->core->store, method);
    if (err == ERR_OK)
        err = customer_forget_method(x->core->store, x->attempt.account, method->id);
    if (err == ERR_OK)
        err = events_emit(x, "payment_method.detached", methods_render(method));
    return err;
}

static struct json *render_empty_billing(void)
{
    struct json *json = json_object();
    json_set_null(json, "address");
    json_set_null(json, "email");
    json_set_null(json, "name");
    json_set_null(json, "phone");
    return json;
}

struct json *methods_render(const struct payment_method *method)
{
    struct json *json = json_object();
    bool is_test_card = method->id == NULL;
    json_set_string(json, "id", is_test_card ? method->card->method : method->id);
    json_set_string(json, "object", "payment_method");
    json_set(json, "billing_details",
             method->billing == NULL ? render_empty_billing() : details_render(method->billing));
    json_set(json, card_type(method->card), render_card_details(method->card));
    json_set_int(json, "created", method->created);
    json_set_string(json, "customer", method->customer);
    json_set_bool(json, "livemode", false);
    json_set(json, "metadata", details_render(is_test_card ? "{}" : method->metadata));
    json_set_string(json, "type", card_type(method->card));
    return json;
}
