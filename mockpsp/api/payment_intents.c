/* /v1/payment_intents */
#include "events.h"
#include "expand.h"
#include "fields.h"
#include "intent_flow.h"
#include "intent_shown.h"
#include "listing.h"
#include "mem.h"
#include "methods.h"
#include "object_id.h"
#include "objects.h"
#include "payment_resources.h"
#include "render.h"

#include <stdlib.h>
#include <string.h>

struct plan {
    struct intent intent;    /* what create makes */
    const struct card *card; /* what confirm brings along, or NULL */
    bool confirm;
    bool off_session; /* nobody is there to authenticate */
};

static void free_plan(void *plan)
{
    intent_release(&((struct plan *)plan)->intent);
    free(plan);
}

static struct plan *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(struct plan));
    x->free_plan = free_plan;
    return x->plan;
}

static bool read_card(struct exchange *x, const struct card **card)
{
    return fields_card(x, "payment_method", card) &&
           fields_card(x, "payment_method_data[card][number]", card) &&
           fields_card(x, "payment_method_data[card][token]", card);
}

/* Where nobody is asked to authenticate, a card that wants it is declined. */
static bool read_modes(struct exchange *x, struct plan *plan)
{
    static const char *const confirmation[] = {"automatic", "manual", NULL};
    const char *unused = NULL;
    bool off_session = false, refuse_action = false;
    const char *how = params_get(&x->params, "off_session");
    bool recurring = how != NULL && (strcmp(how, "one_off") == 0 || strcmp(how, "recurring") == 0);
    if (!fields_choice(x, "confirmation_method", confirmation, &unused) ||
        (!recurring && !fields_bool(x, "off_session", &off_session)) ||
        !fields_bool(x, "error_on_requires_action", &refuse_action))
        return false;
    plan->off_session = recurring || off_session || refuse_action;
    return true;
}

static bool read_capture(struct exchange *x, bool *manual)
{
    static const char *const methods[] = {"automatic", "automatic_async", "manual", NULL};
    const char *method = NULL;
    if (!fields_choice(x, "capture_method", methods, &method))
        return false;
    if (method != NULL)
        *manual = strcmp(method, "manual") == 0;
    return true;
}

/* What is confirmed without a payment method is paid with the customer's default_source. */
static bool find_confirmable(struct exchange *x, struct plan *plan, const char *customer)
{
    struct payment_method method = {0};
    struct intent *intent = &plan->intent;
    intent_use(intent, plan->card, methods_own(x, "payment_method"));
    if (!plan->confirm || plan->card != NULL)
        return true;
    bool good = methods_default(x, customer, &method);
    if (method.card != NULL) {
        plan->card = method.card;
        intent_use(intent, method.card, method.id);
    }
    payment_method_release(&method);
    if (!good || plan->card != NULL)
        return good;
    reply_error(&x->reply, (struct api_error){
                               .status = 400,
                               .code = "parameter_missing",
                               .param = "payment_method",
                               .message = "To confirm a PaymentIntent, give a payment_method such "
                                          "as pm_card_visa."});
    return false;
}

void payment_intents_check_create(struct exchange *x)
{
    static const char *const known[] = {"amount",
                                        "currency",
                                        "confirm",
                                        "payment_method",
                                        "payment_method_types",
                                        "payment_method_data",
                                        "payment_method_options",
                                        "automatic_payment_methods",
                                        "customer",
                                        "description",
                                        "metadata",
                                        "capture_method",
                                        "confirmation_method",
                                        "receipt_email",
                                        "shipping",
                                        "statement_descriptor",
                                        "statement_descriptor_suffix",
                                        "setup_future_usage",
                                        "off_session",
                                        "return_url",
                                        "error_on_requires_action",
                                        "use_stripe_sdk",
                                        "expand",
                                        NULL};
    struct plan *plan = new_plan(x);
    struct intent *intent = &plan->intent;
    const char *customer = NULL, *description = NULL, *email = NULL;
    if (!fields_only(x, known) || !fields_amount(x, &intent->amount) ||
        !fields_currency(x, &intent->currency) || !fields_bool(x, "confirm", &plan->confirm) ||
        !read_card(x, &plan->card) || !fields_customer(x, &customer) ||
        !find_confirmable(x, plan, customer) || !methods_check(x, "payment_method", customer) ||
        !fields_text(x, "description", 1000, &description) ||
        !fields_metadata(x, &intent->metadata) || !read_modes(x, plan) ||
        !intent_shown_read(x, intent) || !intent_shown_takes(x, intent, plan->card) ||
        !read_capture(x, &intent->manual_capture) || !intent_flow_read_usage(x, intent) ||
        !fields_text(x, "receipt_email", 512, &email) ||
        !intent_flow_may_capture(x, plan->card, intent->manual_capture) ||
        !expand_check(x, "payment_intent", false))
        return;
    intent->customer = mem_strdup(customer);
    intent->description = mem_strdup(description);
    intent->receipt_email = mem_strdup(email);
}

enum err payment_intents_create(struct exchange *x)
{
    struct plan *plan = x->plan;
    struct intent *intent = &plan->intent;
    if (!methods_ready(x, intent->method) || !fields_customer_stands(x, intent->customer))
        return ERR_OK;
    mem_set_string(&intent->id, object_id_make(&x->ids, "pi_").text);
    intent->created = clock_now_s(x->core->clock);
    intent->status = INTENT_REQUIRES_PAYMENT_METHOD;
    if (plan->card != NULL)
        intent_move(intent, INTENT_REQUIRES_CONFIRMATION);
    enum err err = events_emit(x, "payment_intent.created", render_intent(intent));
    if (err == ERR_OK && plan->confirm)
        err = intent_flow_confirm(x, intent, plan->off_session);
    if (err == ERR_OK)
        err = intent_insert(x->core->store, x->attempt.account, intent);
    return err == ERR_OK ? intent_flow_reply(x, intent) : err;
}

/* A payment method that belongs to somebody pays for that customer only. */
static void check_owner(struct exchange *x)
{
    struct intent intent;
    enum err err = intent_get(x->core->store, x->attempt.account, x->object_id, &intent);
    if (err == ERR_OK && intent_flow_read_usage(x, &intent))
        methods_check(x, "payment_method", intent.customer);
    else if (err != ERR_OK)
        fields_broken(x);
    intent_release(&intent);
}

void payment_intents_check_confirm(struct exchange *x)
{
    static const char *const known[] = {"payment_method",
                                        "payment_method_data",
                                        "return_url",
                                        "off_session",
                                        "receipt_email",
                                        "setup_future_usage",
                                        "error_on_requires_action",
                                        "use_stripe_sdk",
                                        "payment_method_types",
                                        "payment_method_options",
                                        "shipping",
                                        "expand",
                                        NULL};
    struct plan *plan = new_plan(x);
    if (fields_only(x, known) && read_card(x, &plan->card) && read_modes(x, plan) &&
        expand_check(x, "payment_intent", false) && intent_flow_check_exists(x))
        check_owner(x);
}

static bool confirmable(const struct intent *intent, bool other_card)
{
    return intent->card != NULL && (intent->status == INTENT_REQUIRES_PAYMENT_METHOD ||
                                    (intent->status == INTENT_REQUIRES_ACTION && other_card));
}

static enum err confirm_loaded(struct exchange *x, struct intent *intent)
{
    const struct plan *plan = x->plan;
    if (!intent_flow_is_free(x, intent, "confirm"))
        return ERR_OK;
    if (plan->card != NULL && intent_may_move(intent->status, INTENT_CANCELED))
        intent_use(intent, plan->card, methods_own(x, "payment_method"));
    if (confirmable(intent, plan->card != NULL))
        intent_move(intent, INTENT_REQUIRES_CONFIRMATION);
    if (intent->status != INTENT_REQUIRES_CONFIRMATION) {
        intent_flow_refuse(x, intent, "confirm");
        return ERR_OK;
    }
    if (!intent_flow_may_capture(x, intent->card, intent->manual_capture) ||
        !intent_shown_read(x, intent) || !intent_shown_takes(x, intent, intent->card) ||
        !methods_ready(x, intent->method) || !fields_customer_stands(x, intent->customer) ||
        !intent_flow_read_usage(x, intent))
        return ERR_OK;
    enum err err = intent_flow_confirm(x, intent, plan->off_session);
    if (err == ERR_OK)
        err = intent_update(x->core->store, intent);
    return err == ERR_OK ? intent_flow_reply(x, intent) : err;
}

enum err payment_intents_confirm(struct exchange *x)
{
    return intent_flow_change(x, confirm_loaded);
}

enum err payment_intents_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "payment_intent", "pi_");
}

static struct json *item(const void *intent)
{
    return render_intent(intent);
}

static void release(void *intent)
{
    intent_release(intent);
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    struct intent_filter filter = {0};
    if (!fields_text(x, "customer", 255, &filter.customer))
        return ERR_OK;
    return intent_list(x->core->store, x->attempt.account, &filter, page, list, count);
}

enum err payment_intents_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "payment_intent",
                                             .filters = {"customer"},
                                             .size = sizeof(struct intent),
                                             .fetch = fetch,
                                             .item = item,
                                             .release = release});
}
