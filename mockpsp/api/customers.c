/* /v1/customers */
#include "customer.h"
#include "details.h"
#include "events.h"
#include "expand.h"
#include "fields.h"
#include "listing.h"
#include "mem.h"
#include "methods.h"
#include "object_id.h"
#include "objects.h"
#include "people_resources.h"
#include "render.h"

#include <stdlib.h>
#include <string.h>

#define INVOICE_METHOD "invoice_settings[default_payment_method]"

struct plan {
    struct customer customer;
    struct payment_method method; /* payment_method: to be attached */
    struct payment_method source; /* source, the older way: to be attached, and the default */
};

static void free_plan(void *plan)
{
    struct plan *freed = plan;
    customer_release(&freed->customer);
    payment_method_release(&freed->method);
    payment_method_release(&freed->source);
    free(freed);
}

static struct plan *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(struct plan));
    x->free_plan = free_plan;
    return x->plan;
}

/* Whether METHOD is the one that this request attaches as well. */
static bool is_given(struct exchange *x, const char *method)
{
    const char *given = params_get(&x->params, "payment_method");
    return given != NULL && method != NULL && strcmp(given, method) == 0;
}

/* invoice_settings and default_source name payment methods that the customer has, or is given by
 * this request. "" unsets. */
static bool read_default(struct exchange *x, const char *name, const struct plan *plan,
                         char **method)
{
    struct payment_method found = {0};
    const char *value = params_get(&x->params, name);
    if (value == NULL)
        return true;
    bool good = methods_read(x, name, &found);
    bool given = is_given(x, value);
    bool owned = found.customer != NULL && plan->customer.id != NULL &&
                 strcmp(found.customer, plan->customer.id) == 0;
    payment_method_release(&found);
    if (good && (*value == '\0' || given || owned)) {
        mem_set_string(method, *value == '\0' ? NULL : value);
        return true;
    }
    if (good)
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .param = name,
                                                  .message = "The customer has no such payment "
                                                             "method: attach it first."});
    return false;
}

/* What the request says, put into CUSTOMER, which is a new one or the one that is there. */
static bool read_words(struct exchange *x, struct customer *customer)
{
    return fields_set_text(x, "email", 512, &customer->email) &&
           fields_set_text(x, "name", 256, &customer->name) &&
           fields_set_text(x, "phone", 20, &customer->phone) &&
           fields_set_text(x, "description", 1000, &customer->description) &&
           details_merge(x, "address", DETAILS_ADDRESS, &customer->address) &&
           details_merge(x, "shipping", DETAILS_SHIPPING, &customer->shipping) &&
           fields_metadata_merge(x, &customer->metadata);
}

static bool settings_known(struct exchange *x)
{
    for (size_t i = 0; i < x->params.count; i++) {
        const char *name = x->params.list[i].name;
        if (!params_under(&x->params.list[i], "invoice_settings") ||
            strcmp(name, INVOICE_METHOD) == 0)
            continue;
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .code = "parameter_unknown",
                                                  .param = name,
                                                  .message = "Received unknown parameter in "
                                                             "invoice_settings."});
        return false;
    }
    return true;
}

static bool read_plan(struct exchange *x, struct plan *plan)
{
    struct customer *customer = &plan->customer;
    return settings_known(x) && methods_read(x, "source", &plan->source) &&
           methods_read(x, "payment_method", &plan->method) && read_words(x, customer) &&
           read_default(x, INVOICE_METHOD, plan, &customer->default_method) &&
           read_default(x, "default_source", plan, &customer->default_source);
}

void customers_check_create(struct exchange *x)
{
    static const char *const known[] = {"email",    "name",           "phone",
                                        "metadata", "description",    "address",
                                        "shipping", "payment_method", "invoice_settings",
                                        "source",   "expand",         NULL};
    struct plan *plan = new_plan(x);
    plan->customer.metadata = mem_strdup("{}");
    if (fields_only(x, known) && expand_check(x, "customer", false))
        read_plan(x, plan);
}

static enum err reply_customer(struct exchange *x, const struct customer *customer)
{
    struct json *json = render_customer(customer);
    enum err err = expand_apply(x, json, false);
    reply_object(&x->reply, 200, json);
    return err;
}

static bool may_attach(struct exchange *x, const struct plan *plan)
{
    const char *customer = plan->customer.id;
    return (plan->source.card == NULL || methods_may_attach(x, &plan->source, customer)) &&
           (plan->method.card == NULL || methods_may_attach(x, &plan->method, customer));
}

/* A test card has become a payment method of its own, whose id is the one to remember. */
static enum err attach(struct exchange *x, struct plan *plan, struct customer *customer)
{
    struct cause cause;
    enum err err = ERR_OK;
    cause_request(&cause, x);
    if (plan->source.card != NULL) {
        err = methods_save(&cause, &plan->source, customer->id);
        mem_set_string(&customer->default_source, plan->source.id);
    }
    if (err != ERR_OK || plan->method.card == NULL)
        return err;
    err = methods_save(&cause, &plan->method, customer->id);
    if (is_given(x, customer->default_method))
        mem_set_string(&customer->default_method, plan->method.id);
    return err;
}

enum err customers_create(struct exchange *x)
{
    struct plan *plan = x->plan;
    struct customer *customer = &plan->customer;
    mem_set_string(&customer->id, object_id_make(&x->ids, "cus_").text);
    customer->created = clock_now_s(x->core->clock);
    if (!may_attach(x, plan))
        return ERR_OK;
    enum err err = attach(x, plan, customer);
    if (err == ERR_OK)
        err = customer_insert(x->core->store, x->attempt.account, customer);
    if (err == ERR_OK)
        err = events_emit(x, "customer.created", render_customer(customer));
    return err == ERR_OK ? reply_customer(x, customer) : err;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* The customer of the path; false after replying that there is none. */
static bool load(struct exchange *x, struct customer *customer)
{
    enum err err = customer_get(x->core->store, x->attempt.account, x->object_id, customer);
    if (err != ERR_OK && err != ERR_NOT_FOUND)
        fields_broken(x);
    else if (err == ERR_NOT_FOUND || customer->deleted)
        fields_not_there(x, "customer");
    return !reply_decided(&x->reply);
}

void customers_check_update(struct exchange *x)
{
    static const char *const known[] = {"email",    "name",           "phone",
                                        "metadata", "description",    "address",
                                        "shipping", "default_source", "invoice_settings",
                                        "source",   "expand",         NULL};
    struct plan *plan = new_plan(x);
    if (fields_only(x, known) && expand_check(x, "customer", false) && load(x, &plan->customer))
        read_plan(x, plan);
}

static enum err write_update(struct exchange *x, struct plan *plan, const struct json *before)
{
    enum err err = attach(x, plan, &plan->customer);
    if (err == ERR_OK)
        err = customer_update(x->core->store, &plan->customer);
    if (err == ERR_OK)
        err = events_emit_change(x, "customer.updated", before, render_customer(&plan->customer));
    return err == ERR_OK ? reply_customer(x, &plan->customer) : err;
}

/* Read anew: another request may have changed the customer since the check. */
static enum err update(struct exchange *x, struct plan *plan)
{
    if (!load(x, &plan->customer))
        return ERR_OK;
    struct json *before = render_customer(&plan->customer);
    enum err err = ERR_OK;
    if (read_plan(x, plan) && may_attach(x, plan))
        err = write_update(x, plan, before);
    json_free(before);
    return err;
}

enum err customers_update(struct exchange *x)
{
    struct plan *plan = mem_alloc(sizeof *plan);
    enum err err = update(x, plan);
    free_plan(plan);
    return err;
}

void customers_check_delete(struct exchange *x)
{
    static const char *const known[] = {NULL};
    if (fields_only(x, known))
        load(x, &new_plan(x)->customer);
}

/* What a deleted customer was is forgotten, and the payment methods with it. */
static enum err forget(struct exchange *x, struct customer *customer)
{
    struct customer left = {.id = mem_strdup(customer->id), .metadata = mem_strdup("{}")};
    left.deleted = true;
    enum err err = payment_method_detach_all(x->core->store, x->attempt.account, customer->id);
    if (err == ERR_OK)
        err = customer_update(x->core->store, &left);
    if (err == ERR_OK)
        err = events_emit(x, "customer.deleted", render_customer(customer));
    if (err == ERR_OK)
        err = reply_customer(x, &left);
    customer_release(&left);
    return err;
}

enum err customers_delete(struct exchange *x)
{
    struct customer customer;
    enum err err = load(x, &customer) ? forget(x, &customer) : ERR_OK;
    customer_release(&customer);
    return err;
}

/* --- reading ---------------------------------------------------------------------------------- */

enum err customers_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "customer", "cus_");
}

static struct json *item(const void *customer)
{
    return render_customer(customer);
}

static void release(void *customer)
{
    customer_release(customer);
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    struct customer_filter filter = {0};
    if (!fields_text(x, "email", 512, &filter.email))
        return ERR_OK;
    return customer_list(x->core->store, x->attempt.account, &filter, page, list, count);
}

enum err customers_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "customer",
                                             .filters = {"email"},
                                             .size = sizeof(struct customer),
                                             .fetch = fetch,
                                             .item = item,
                                             .release = release});
}
