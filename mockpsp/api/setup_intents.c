/* /v1/setup_intents */
#include "expand.h"
#include "fields.h"
#include "intent_shown.h"
#include "listing.h"
#include "mem.h"
#include "methods.h"
#include "object_id.h"
#include "objects.h"
#include "people_resources.h"
#include "render.h"
#include "setup_flow.h"

#include <stdlib.h>
#include <string.h>

struct plan {
    struct setup_intent intent; /* what create makes; scratch for checks of the others */
    const struct card *card;    /* what the request brings along, or NULL */
    bool confirm;
    const char *reason; /* to cancel, or NULL; static */
};

static void free_plan(void *plan)
{
    setup_intent_release(&((struct plan *)plan)->intent);
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

static bool check_confirmable(struct exchange *x, const struct plan *plan)
{
    if (!plan->confirm || plan->card != NULL)
        return true;
    reply_error(&x->reply, (struct api_error){
                               .status = 400,
                               .code = "parameter_missing",
                               .param = "payment_method",
                               .message = "To confirm a SetupIntent, give a payment_method such "
                                          "as pm_card_visa."});
    return false;
}

static bool read_usage(struct exchange *x, struct setup_intent *intent)
{
    static const char *const usages[] = {"off_session", "on_session", NULL};
    const char *usage = NULL;
    if (!fields_choice(x, "usage", usages, &usage))
        return false;
    intent->on_session = usage != NULL && strcmp(usage, "on_session") == 0;
    return true;
}

/* They are not kept: what it is confirmed with decides. */
static bool check_types(struct exchange *x)
{
    struct json *types = json_array();
    bool good = intent_shown_read_types(x, types);
    json_free(types);
    return good;
}

/* What both create and update can say. Another customer's payment method is refused. */
static bool read_words(struct exchange *x, struct setup_intent *intent)
{
    const char *customer = NULL;
    if (!fields_customer(x, &customer))
        return false;
    if (customer != NULL)
        mem_set_string(&intent->customer, customer);
    return methods_check(x, "payment_method", intent->customer) && check_types(x) &&
           fields_set_text(x, "description", 1000, &intent->description) &&
           fields_metadata_merge(x, &intent->metadata);
}

void setup_intents_check_create(struct exchange *x)
{
    static const char *const known[] = {"confirm",
                                        "customer",
                                        "payment_method",
                                        "payment_method_types",
                                        "payment_method_data",
                                        "payment_method_options",
                                        "automatic_payment_methods",
                                        "usage",
                                        "description",
                                        "metadata",
                                        "mandate_data",
                                        "return_url",
                                        "use_stripe_sdk",
                                        "expand",
                                        NULL};
    struct plan *plan = new_plan(x);
    plan->intent.metadata = mem_strdup("{}");
    if (fields_only(x, known) && fields_bool(x, "confirm", &plan->confirm) &&
        read_card(x, &plan->card) && check_confirmable(x, plan) && read_usage(x, &plan->intent) &&
        read_words(x, &plan->intent))
        expand_check(x, "setup_intent", false);
}

static void reply_declined(struct exchange *x, const struct setup_intent *intent)
{
    const char *why = intent->decline_code;
    reply_error(&x->reply, (struct api_error){.status = 402,
                                              .type = "card_error",
                                              .code = card_error_code(why),
                                              .decline_code = why,
                                              .message = render_decline_message(why),
                                              .setup_intent = setup_flow_render(intent)});
}

static enum err reply_intent(struct exchange *x, const struct setup_intent *intent)
{
    if (reply_decided(&x->reply)) /* a decline */
        return ERR_OK;
    struct json *json = setup_flow_render(intent);
    enum err err = expand_apply(x, json, false);
    reply_object(&x->reply, 200, json);
    return err;
}

static enum err confirm(struct exchange *x, struct cause *cause, struct setup_intent *intent)
{
    enum err err = setup_flow_confirm(cause, intent, x->forced_decline);
    if (err == ERR_OK && intent->status == SETUP_REQUIRES_PAYMENT_METHOD)
        reply_declined(x, intent);
    return err;
}

/* Takes the payment method that the request brings along, if any. */
static void use_card(struct exchange *x, struct setup_intent *intent)
{
    const struct plan *plan = x->plan;
    if (plan->card != NULL)
        setup_intent_use(intent, plan->card, methods_own(x, "payment_method"));
    if (intent->status == SETUP_REQUIRES_PAYMENT_METHOD && intent->card != NULL)
        setup_intent_move(intent, SETUP_REQUIRES_CONFIRMATION);
}

enum err setup_intents_create(struct exchange *x)
{
    struct plan *plan = x->plan;
    struct setup_intent *intent = &plan->intent;
    struct cause cause;
    if (!fields_customer_stands(x, intent->customer))
        return ERR_OK;
    cause_request(&cause, x);
    mem_set_string(&intent->id, object_id_make(&x->ids, "seti_").text);
    intent->created = clock_now_s(x->core->clock);
    use_card(x, intent);
    enum err err = cause_tell(&cause, "setup_intent.created", setup_flow_render(intent));
    if (err == ERR_OK && plan->confirm)
        err = confirm(x, &cause, intent);
    if (err == ERR_OK)
        err = setup_intent_insert(x->core->store, x->attempt.account, intent);
    return err == ERR_OK ? reply_intent(x, intent) : err;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* The one of the path; false after replying that there is none. */
static bool load(struct exchange *x, struct setup_intent *intent)
{
    setup_intent_release(intent);
    enum err err = setup_intent_get(x->core->store, x->attempt.account, x->object_id, intent);
    if (err == ERR_NOT_FOUND)
        fields_not_there(x, "setup_intent");
    else if (err != ERR_OK)
        fields_broken(x);
    return err == ERR_OK;
}

static enum err change(struct exchange *x,
                       enum err (*how)(struct exchange *x, struct setup_intent *intent))
{
    struct setup_intent intent = {0};
    enum err err = load(x, &intent) ? how(x, &intent) : ERR_OK;
    setup_intent_release(&intent);
    return err;
}

static void refuse_state(struct exchange *x, const struct setup_intent *intent, const char *verb)
{
    char *message = mem_printf(
        "You cannot %s this SetupIntent: it has a status of %s%s.", verb,
        setup_intent_status_name(intent->status),
        intent->status == SETUP_REQUIRES_PAYMENT_METHOD ? ", give a payment_method" : "");
    reply_error(&x->reply, (struct api_error){.status = 400,
                                              .code = "setup_intent_unexpected_state",
                                              .message = message,
                                              .setup_intent = setup_flow_render(intent)});
    free(message);
}

void setup_intents_check_confirm(struct exchange *x)
{
    static const char *const known[] = {
        "payment_method",         "payment_method_data", "mandate_data", "return_url",
        "payment_method_options", "use_stripe_sdk",      "expand",       NULL};
    struct plan *plan = new_plan(x);
    if (fields_only(x, known) && read_card(x, &plan->card) &&
        expand_check(x, "setup_intent", false) && load(x, &plan->intent))
        methods_check(x, "payment_method", plan->intent.customer);
}

static enum err confirm_loaded(struct exchange *x, struct setup_intent *intent)
{
    const struct plan *plan = x->plan;
    struct cause cause;
    bool again = intent->status == SETUP_REQUIRES_ACTION && plan->card != NULL;
    if (again)
        setup_intent_move(intent, SETUP_REQUIRES_CONFIRMATION);
    if (setup_intent_may_move(intent->status, SETUP_CANCELED))
        use_card(x, intent);
    if (intent->status != SETUP_REQUIRES_CONFIRMATION) {
        refuse_state(x, intent, "confirm");
        return ERR_OK;
    }
    if (!fields_customer_stands(x, intent->customer))
        return ERR_OK;
    cause_request(&cause, x);
    enum err err = confirm(x, &cause, intent);
    if (err == ERR_OK)
        err = setup_intent_update(x->core->store, intent);
    return err == ERR_OK ? reply_intent(x, intent) : err;
}

enum err setup_intents_confirm(struct exchange *x)
{
    return change(x, confirm_loaded);
}

void setup_intents_check_update(struct exchange *x)
{
    static const char *const known[] = {"customer",
                                        "payment_method",
                                        "payment_method_data",
                                        "payment_method_options",
                                        "payment_method_types",
                                        "description",
                                        "metadata",
                                        "expand",
                                        NULL};
    struct plan *plan = new_plan(x);
    if (fields_only(x, known) && read_card(x, &plan->card) &&
        expand_check(x, "setup_intent", false) && load(x, &plan->intent))
        read_words(x, &plan->intent);
}

static bool is_over(const struct setup_intent *intent)
{
    return !setup_intent_may_move(intent->status, SETUP_CANCELED);
}

/* Only words about it can be changed once it is over. */
static enum err update_loaded(struct exchange *x, struct setup_intent *intent)
{
    const struct plan *plan = x->plan;
    if (is_over(intent) && (plan->card != NULL || params_get(&x->params, "customer") != NULL)) {
        refuse_state(x, intent, "update");
        return ERR_OK;
    }
    if (!read_words(x, intent))
        return ERR_OK;
    if (plan->card != NULL && intent->status == SETUP_REQUIRES_ACTION)
        setup_intent_move(intent, SETUP_REQUIRES_CONFIRMATION);
    if (!is_over(intent))
        use_card(x, intent);
    enum err err = setup_intent_update(x->core->store, intent);
    return err == ERR_OK ? reply_intent(x, intent) : err;
}

enum err setup_intents_update(struct exchange *x)
{
    return change(x, update_loaded);
}

void setup_intents_check_cancel(struct exchange *x)
{
    static const char *const known[] = {"cancellation_reason", "expand", NULL};
    static const char *const reasons[] = {"abandoned", "duplicate", "requested_by_customer", NULL};
    struct plan *plan = new_plan(x);
    if (fields_only(x, known) && fields_choice(x, "cancellation_reason", reasons, &plan->reason) &&
        expand_check(x, "setup_intent", false))
        load(x, &plan->intent);
}

static enum err cancel_loaded(struct exchange *x, struct setup_intent *intent)
{
    const struct plan *plan = x->plan;
    struct cause cause;
    if (is_over(intent)) {
        refuse_state(x, intent, "cancel");
        return ERR_OK;
    }
    cause_request(&cause, x);
    setup_intent_move(intent, SETUP_CANCELED);
    mem_set_string(&intent->cancellation_reason, plan->reason);
    enum err err = setup_intent_update(x->core->store, intent);
    if (err == ERR_OK)
        err = setup_flow_tell(&cause, intent);
    return err == ERR_OK ? reply_intent(x, intent) : err;
}

enum err setup_intents_cancel(struct exchange *x)
{
    return change(x, cancel_loaded);
}

/* --- reading ---------------------------------------------------------------------------------- */

enum err setup_intents_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "setup_intent", "seti_");
}

static struct json *item(const void *intent)
{
    return setup_flow_render(intent);
}

static void release(void *intent)
{
    setup_intent_release(intent);
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    struct setup_intent_filter filter = {0};
    if (!fields_text(x, "customer", 255, &filter.customer) ||
        !fields_text(x, "payment_method", 255, &filter.method))
        return ERR_OK;
    return setup_intent_list(x->core->store, x->attempt.account, &filter, page, list, count);
}

enum err setup_intents_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "setup_intent",
                                             .filters = {"customer", "payment_method"},
                                             .size = sizeof(struct setup_intent),
                                             .fetch = fetch,
                                             .item = item,
                                             .release = release});
}
