/* /v1/payment_intents */
#include "check.h"
#include "events.h"
#include "expand.h"
#include "fields.h"
#include "intent.h"
#include "listing.h"
#include "mem.h"
#include "object_id.h"
#include "objects.h"
#include "payment.h"
#include "render.h"
#include "resources.h"

#include <stdlib.h>

struct plan {
    struct intent intent;    /* what create makes */
    const struct card *card; /* what confirm brings along, or NULL */
    bool confirm;
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

/* Words that change nothing here, but must be words of the API. Manual capture is refused rather
 * than ignored. */
static bool check_modes(struct exchange *x)
{
    static const char *const capture[] = {"automatic", "automatic_async", NULL};
    static const char *const confirmation[] = {"automatic", "manual", NULL};
    const char *unused = NULL;
    bool flag = false;
    return fields_choice(x, "capture_method", capture, &unused) &&
           fields_choice(x, "confirmation_method", confirmation, &unused) &&
           fields_bool(x, "error_on_requires_action", &flag);
}

static bool check_confirmable(struct exchange *x, const struct plan *plan)
{
    if (!plan->confirm || plan->card != NULL)
        return true;
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
    const char *customer = NULL, *description = NULL;
    if (!fields_only(x, known) || !fields_amount(x, &intent->amount) ||
        !fields_currency(x, &intent->currency) || !fields_bool(x, "confirm", &plan->confirm) ||
        !read_card(x, &plan->card) || !check_confirmable(x, plan) ||
        !fields_customer(x, &customer) || !fields_text(x, "description", 1000, &description) ||
        !fields_metadata(x, &intent->metadata) || !check_modes(x) ||
        !expand_check(x, "payment_intent", false))
        return;
    intent->customer = mem_strdup(customer);
    intent->description = mem_strdup(description);
}

static struct charge charge_for(const struct intent *intent)
{
    return (struct charge){.amount = intent->amount,
                           .currency = mem_strdup(intent->currency),
                           .intent = mem_strdup(intent->id),
                           .customer = mem_strdup(intent->customer),
                           .card = intent->card,
                           .description = mem_strdup(intent->description),
                           .metadata = mem_strdup(intent->metadata)};
}

static void declined(struct exchange *x, struct intent *intent, const struct charge *charge)
{
    mem_set_string(&intent->decline_code, charge->decline_code);
    intent_move(intent, INTENT_REQUIRES_PAYMENT_METHOD);
    intent->card = NULL;
    payment_declined(x, charge, render_intent(intent));
}

/* What has become of INTENT, by its status. */
static enum err tell(struct exchange *x, const struct intent *intent)
{
    static const char *const types[INTENT_STATUS_COUNT] = {
        [INTENT_REQUIRES_PAYMENT_METHOD] = "payment_intent.payment_failed",
        [INTENT_REQUIRES_ACTION] = "payment_intent.requires_action",
        [INTENT_SUCCEEDED] = "payment_intent.succeeded",
        [INTENT_CANCELED] = "payment_intent.canceled",
    };
    CHECK(types[intent->status] != NULL);
    return events_emit(x, types[intent->status], render_intent(intent));
}

/* From REQUIRES_CONFIRMATION onwards: asks the issuer. A decline is replied at once. */
static enum err confirm(struct exchange *x, struct intent *intent)
{
    CHECK(intent->card != NULL); /* no intent gets this far without one */
    if (intent->card->needs_action && x->forced_decline == NULL) {
        intent_move(intent, INTENT_REQUIRES_ACTION);
        return tell(x, intent);
    }
    struct charge charge = charge_for(intent);
    enum err err = payment_take(x, &charge);
    if (err == ERR_OK) {
        mem_set_string(&intent->latest_charge, charge.id);
        if (charge_paid(&charge))
            intent_move(intent, INTENT_SUCCEEDED);
        else
            declined(x, intent, &charge);
        err = tell(x, intent);
    }
    charge_release(&charge);
    return err;
}

static enum err reply_intent(struct exchange *x, const struct intent *intent)
{
    if (reply_decided(&x->reply)) /* a decline */
        return ERR_OK;
    struct json *json = render_intent(intent);
    enum err err = expand_apply(x, json, false);
    reply_object(&x->reply, 200, json);
    return err;
}

enum err payment_intents_create(struct exchange *x)
{
    struct plan *plan = x->plan;
    struct intent *intent = &plan->intent;
    enum err err;
    mem_set_string(&intent->id, object_id_make(&x->ids, "pi_").text);
    intent->created = clock_now_s(x->core->clock);
    intent->status = INTENT_REQUIRES_PAYMENT_METHOD;
    intent->card = plan->card;
    if (plan->card != NULL)
        intent_move(intent, INTENT_REQUIRES_CONFIRMATION);
    err = events_emit(x, "payment_intent.created", render_intent(intent));
    if (err == ERR_OK && plan->confirm)
        err = confirm(x, intent);
    if (err == ERR_OK)
        err = intent_insert(x->core->store, x->attempt.account, intent);
    return err == ERR_OK ? reply_intent(x, intent) : err;
}

/* The intent of the path, for check: false after replying that it is not there. */
static bool check_exists(struct exchange *x)
{
    struct intent intent;
    enum err err = intent_get(x->core->store, x->attempt.account, x->object_id, &intent);
    intent_release(&intent);
    if (err == ERR_NOT_FOUND)
        fields_missing(x, "payment_intent", "intent", x->object_id);
    else if (err != ERR_OK)
        fields_broken(x);
    return err == ERR_OK;
}

static void refuse_state(struct exchange *x, const struct intent *intent, const char *verb)
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
    if (fields_only(x, known) && read_card(x, &plan->card) && check_modes(x) &&
        expand_check(x, "payment_intent", false))
        check_exists(x);
}

static enum err confirm_loaded(struct exchange *x, struct intent *intent)
{
    const struct plan *plan = x->plan;
    if (plan->card != NULL)
        intent->card = plan->card;
    if (intent->status == INTENT_REQUIRES_PAYMENT_METHOD && intent->card != NULL)
        intent_move(intent, INTENT_REQUIRES_CONFIRMATION);
    if (intent->status != INTENT_REQUIRES_CONFIRMATION) {
        refuse_state(x, intent, "confirm");
        return ERR_OK;
    }
    enum err err = confirm(x, intent);
    if (err == ERR_OK)
        err = intent_update(x->core->store, intent);
    return err == ERR_OK ? reply_intent(x, intent) : err;
}

enum err payment_intents_confirm(struct exchange *x)
{
    struct intent intent;
    enum err err = intent_get(x->core->store, x->attempt.account, x->object_id, &intent);
    if (err == ERR_OK)
        err = confirm_loaded(x, &intent);
    intent_release(&intent);
    return err;
}

void payment_intents_check_cancel(struct exchange *x)
{
    static const char *const known[] = {"cancellation_reason", "expand", NULL};
    if (fields_only(x, known) && expand_check(x, "payment_intent", false))
        check_exists(x);
}

static enum err cancel_loaded(struct exchange *x, struct intent *intent)
{
    if (!intent_may_move(intent->status, INTENT_CANCELED)) {
        refuse_state(x, intent, "cancel");
        return ERR_OK;
    }
    intent_move(intent, INTENT_CANCELED);
    enum err err = intent_update(x->core->store, intent);
    if (err == ERR_OK)
        err = tell(x, intent);
    return err == ERR_OK ? reply_intent(x, intent) : err;
}

enum err payment_intents_cancel(struct exchange *x)
{
    struct intent intent;
    enum err err = intent_get(x->core->store, x->attempt.account, x->object_id, &intent);
    if (err == ERR_OK)
        err = cancel_loaded(x, &intent);
    intent_release(&intent);
    return err;
}

enum err payment_intents_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "payment_intent", "pi_");
}

static struct json *item(const void *list, int i)
{
    return render_intent((const struct intent *)list + i);
}

enum err payment_intents_list(struct exchange *x)
{
    static const char *const filters[] = {"customer", NULL};
    struct intent list[PAGE_LARGEST + 1];
    struct intent_filter filter = {0};
    struct page page;
    int count = 0;
    if (!listing_open(x, "payment_intent", filters, &page) ||
        !fields_text(x, "customer", 255, &filter.customer))
        return ERR_OK;
    enum err err = intent_list(x->core->store, x->attempt.account, &filter, &page, list, &count);
    int shown = page_close(&page, count);
    if (err == ERR_OK)
        err = listing_reply(x, &page, list, shown, item);
    for (int i = 0; i < count; i++)
        intent_release(&list[i]);
    return err;
}
