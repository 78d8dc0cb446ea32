/* /v1/payment_methods, and those of a customer */
#include "customer.h"
#include "details.h"
#include "events.h"
#include "expand.h"
#include "fields.h"
#include "lag.h"
#include "listing.h"
#include "mem.h"
#include "methods.h"
#include "objects.h"
#include "people_resources.h"

#include <stdlib.h>
#include <string.h>

/* Bank accounts come by the names of test methods alone. */
static const char *const MADE[] = {"card", NULL};

static void free_plan(void *plan)
{
    payment_method_release(plan);
    free(plan);
}

static struct payment_method *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(struct payment_method));
    x->free_plan = free_plan;
    return x->plan;
}

static enum err reply_method(struct exchange *x, const struct payment_method *method)
{
    struct json *json = methods_render(method);
    enum err err = expand_apply(x, json, false);
    reply_object(&x->reply, 200, json);
    return err;
}

static bool require(struct exchange *x, bool given, const char *param, const char *message)
{
    if (given)
        return true;
    reply_error(&x->reply, (struct api_error){.status = 400,
                                              .code = "parameter_missing",
                                              .param = param,
                                              .message = message});
    return false;
}

void payment_methods_check_create(struct exchange *x)
{
    static const char *const known[] = {
        "type", "card", "billing_details", "allow_redisplay", "metadata", "expand", NULL};
    struct payment_method *method = new_plan(x);
    const char *type = NULL;
    if (fields_only(x, known) && fields_choice(x, "type", MADE, &type) &&
        require(x, type != NULL, "type", "Say which type it is: card.") &&
        fields_card(x, "card[number]", &method->card) &&
        fields_card(x, "card[token]", &method->card) &&
        require(x, method->card != NULL, "card",
                "Give card[token], such as tok_visa, or card[number].") &&
        details_merge(x, "billing_details", DETAILS_BILLING, &method->billing) &&
        fields_metadata(x, &method->metadata))
        expand_check(x, "payment_method", false);
}

enum err payment_methods_create(struct exchange *x)
{
    struct payment_method *method = x->plan;
    struct cause cause;
    cause_request(&cause, x);
    enum err err = methods_save(&cause, method, NULL);
    return err == ERR_OK ? reply_method(x, method) : err;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* The one of the path, also a test card by its name. False after replying 404. */
static bool load(struct exchange *x, struct payment_method *method)
{
    *method = (struct payment_method){.card = card_find(x->object_id)};
    if (method->card != NULL && strcmp(method->card->method, x->object_id) == 0)
        return true;
    enum err err = payment_method_get(x->core->store, x->attempt.account, x->object_id, method);
    if (err == ERR_NOT_FOUND)
        fields_not_there(x, "payment_method");
    else if (err != ERR_OK)
        fields_broken(x);
    return err == ERR_OK;
}

static bool check_exists(struct exchange *x)
{
    struct payment_method method;
    bool found = load(x, &method);
    payment_method_release(&method);
    return found;
}

static enum err change(struct exchange *x,
                       enum err (*how)(struct exchange *x, struct payment_method *method))
{
    struct payment_method method;
    enum err err = load(x, &method) ? how(x, &method) : ERR_OK;
    if (err == ERR_OK && !reply_decided(&x->reply))
        err = reply_method(x, &method);
    payment_method_release(&method);
    return err;
}

void payment_methods_check_attach(struct exchange *x)
{
    static const char *const known[] = {"customer", "expand", NULL};
    const char *customer = NULL;
    if (fields_only(x, known) && expand_check(x, "payment_method", false) && check_exists(x) &&
        fields_customer(x, &customer))
        require(x, customer != NULL, "customer", "Say which customer it is for.");
}

static enum err attach(struct exchange *x, struct payment_method *method)
{
    const char *customer = params_get(&x->params, "customer");
    struct cause cause;
    cause_request(&cause, x);
    if (!fields_customer_stands(x, customer) || !methods_may_attach(x, method, customer))
        return ERR_OK;
    return methods_save(&cause, method, customer);
}

enum err payment_methods_attach(struct exchange *x)
{
    return change(x, attach);
}

static bool check_attached(struct exchange *x, const struct payment_method *method,
                           const char *message)
{
    if (method->customer != NULL)
        return true;
    reply_error(&x->reply,
                (struct api_error){.status = 400, .param = "payment_method", .message = message});
    return false;
}

void payment_methods_check_detach(struct exchange *x)
{
    static const char *const known[] = {"expand", NULL};
    if (fields_only(x, known) && expand_check(x, "payment_method", false))
        check_exists(x);
}

static enum err detach(struct exchange *x, struct payment_method *method)
{
    if (!check_attached(x, method, "This payment method is attached to no customer."))
        return ERR_OK;
    return methods_detach(x, method);
}

enum err payment_methods_detach(struct exchange *x)
{
    return change(x, detach);
}

static bool read_changes(struct exchange *x, struct payment_method *method)
{
    return check_attached(x, method, "Only a payment method of a customer can be updated.") &&
           details_merge(x, "billing_details", DETAILS_BILLING, &method->billing) &&
           fields_metadata_merge(x, &method->metadata);
}

void payment_methods_check_update(struct exchange *x)
{
    static const char *const known[] = {"billing_details", "metadata", "expand", NULL};
    struct payment_method *method = new_plan(x);
    if (fields_only(x, known) && expand_check(x, "payment_method", false) && load(x, method))
        read_changes(x, method);
}

/* The plan was for checking: another request may have changed it since. */
static enum err update(struct exchange *x, struct payment_method *method)
{
    struct json *before = methods_render(method);
    bool good = read_changes(x, method);
    enum err err = good ? payment_method_update(x->core->store, method) : ERR_OK;
    if (good && err == ERR_OK)
        err = events_emit_change(x, "payment_method.updated", before, methods_render(method));
    json_free(before);
    return err;
}

enum err payment_methods_update(struct exchange *x)
{
    return change(x, update);
}

/* --- reading ---------------------------------------------------------------------------------- */

enum err payment_methods_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "payment_method", "pm_");
}

/* Whether METHOD belongs to the customer whom the path names: /v1/customers/{customer}/… */
static bool is_of_customer(const struct exchange *x, const struct payment_method *method)
{
    const char *id = x->request.path + strlen("/v1/customers/");
    size_t length = strcspn(id, "/");
    return method->customer != NULL && strlen(method->customer) == length &&
           strncmp(method->customer, id, length) == 0;
}

/* One of somebody else, or of nobody, is not there. */
enum err payment_methods_retrieve_of_customer(struct exchange *x)
{
    struct payment_method method;
    enum err err = payment_method_get(x->core->store, x->attempt.account, x->object_id, &method);
    bool theirs = err == ERR_OK && is_of_customer(x, &method);
    payment_method_release(&method);
    if (theirs)
        return payment_methods_retrieve(x);
    if (err == ERR_OK || err == ERR_NOT_FOUND)
        fields_not_there(x, "payment_method");
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

static struct json *item(const void *method)
{
    return methods_render(method);
}

static void release(void *method)
{
    payment_method_release(method);
}

static bool read_type(struct exchange *x, struct payment_method_filter *filter)
{
    static const char *const types[] = {"card", "us_bank_account", NULL};
    const char *type = NULL;
    if (!fields_choice(x, "type", types, &type))
        return false;
    if (type != NULL)
        filter->cards = strcmp(type, "card") == 0 ? "pm_card_*" : "pm_usBankAccount_*";
    return true;
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    struct payment_method_filter filter = {0};
    if (!read_type(x, &filter) || !fields_text(x, "customer", 255, &filter.customer))
        return ERR_OK;
    return payment_method_list(x->core->store, x->attempt.account, &filter, page, list, count);
}

enum err payment_methods_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "payment_method",
                                             .filters = {"customer", "type"},
                                             .size = sizeof(struct payment_method),
                                             .fetch = fetch,
                                             .item = item,
                                             .release = release});
}

static bool customer_stands(struct exchange *x)
{
    struct customer customer;
    enum err err = customer_get(x->core->store, x->attempt.account, x->object_id, &customer);
    bool stands =
        err == ERR_OK && !customer.deleted && !lag_hides(x, customer.id, customer.created);
    customer_release(&customer);
    if (err == ERR_OK || err == ERR_NOT_FOUND) {
        if (!stands)
            fields_missing(x, "customer", "customer", x->object_id);
    } else {
        fields_broken(x);
    }
    return stands;
}

static enum err fetch_of_customer(struct exchange *x, struct page *page, void *list, int *count)
{
    struct payment_method_filter filter = {.customer = x->object_id};
    if (!read_type(x, &filter) || !customer_stands(x))
        return ERR_OK;
    return payment_method_list(x->core->store, x->attempt.account, &filter, page, list, count);
}

enum err payment_methods_list_of_customer(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "payment_method",
                                             .filters = {"type"},
                                             .size = sizeof(struct payment_method),
                                             .fetch = fetch_of_customer,
                                             .item = item,
                                             .release = release});
}
