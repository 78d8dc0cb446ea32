/* POST /v1/payment_intents/{id} */
#include "expand.h"
#include "fields.h"
#include "intent_flow.h"
#include "intent_shown.h"
#include "mem.h"
#include "methods.h"
#include "money.h"
#include "payment_resources.h"

#include <stdlib.h>
#include <string.h>

/* What cannot change any more once money is on its way. */
static const char *const FIXED[] = {"amount",
                                    "currency",
                                    "payment_method",
                                    "customer",
                                    "capture_method",
                                    "payment_method_data",
                                    "payment_method_types"};

static bool names_fixed(const struct exchange *x)
{
    for (size_t i = 0; i < x->params.count; i++)
        for (size_t k = 0; k < sizeof FIXED / sizeof FIXED[0]; k++)
            if (params_under(&x->params.list[i], FIXED[k]))
                return true;
    return false;
}

static bool is_open(const struct intent *intent)
{
    return intent->status == INTENT_REQUIRES_PAYMENT_METHOD ||
           intent->status == INTENT_REQUIRES_CONFIRMATION ||
           intent->status == INTENT_REQUIRES_ACTION;
}

static bool set_money(struct exchange *x, struct intent *intent)
{
    char *currency = NULL;
    if (!fields_int(x, "amount", 1, MONEY_LARGEST, &intent->amount))
        return false;
    if (params_get(&x->params, "currency") == NULL)
        return true;
    if (!fields_currency(x, &currency))
        return false;
    mem_set_string(&intent->currency, currency);
    free(currency);
    return true;
}

static bool set_customer(struct exchange *x, struct intent *intent)
{
    const char *customer = NULL;
    if (!fields_customer(x, &customer))
        return false;
    if (params_get(&x->params, "customer") != NULL)
        mem_set_string(&intent->customer, customer);
    return methods_check(x, "payment_method", intent->customer);
}

static bool set_method(struct exchange *x, struct intent *intent)
{
    static const char *const methods[] = {"automatic", "automatic_async", "manual", NULL};
    const char *capture = NULL;
    const struct card *card = NULL;
    if (!fields_choice(x, "capture_method", methods, &capture) ||
        !fields_card(x, "payment_method", &card) ||
        !fields_card(x, "payment_method_data[card][number]", &card) ||
        !fields_card(x, "payment_method_data[card][token]", &card))
        return false;
    if (capture != NULL)
        intent->manual_capture = strcmp(capture, "manual") == 0;
    if (card != NULL)
        intent_use(intent, card, methods_own(x, "payment_method"));
    return intent_flow_may_capture(x, intent->card, intent->manual_capture);
}

/* Lays what the request says over INTENT. False after refusing. */
static bool apply(struct exchange *x, struct intent *intent)
{
    const struct card *card = intent->card;
    if (!set_money(x, intent) || !set_customer(x, intent) || !set_method(x, intent) ||
        !fields_set_text(x, "description", 1000, &intent->description) ||
        !fields_set_text(x, "receipt_email", 512, &intent->receipt_email) ||
        !fields_metadata_merge(x, &intent->metadata) || !intent_flow_read_usage(x, intent) ||
        !intent_shown_read(x, intent) || !intent_shown_takes(x, intent, intent->card))
        return false;
    bool other_card = intent->card != card || params_get(&x->params, "payment_method") != NULL;
    if (is_open(intent) && intent->card != NULL && other_card &&
        intent->status != INTENT_REQUIRES_CONFIRMATION)
        intent_move(intent, INTENT_REQUIRES_CONFIRMATION);
    return true;
}

/* Tried on a copy: what is refused here is not remembered under the key. */
static enum err try_out(struct exchange *x, struct intent *intent)
{
    apply(x, intent);
    return ERR_OK;
}

void payment_intents_check_update(struct exchange *x)
{
    static const char *const known[] = {"amount",
                                        "currency",
                                        "payment_method",
                                        "payment_method_data",
                                        "payment_method_types",
                                        "payment_method_options",
                                        "customer",
                                        "description",
                                        "metadata",
                                        "capture_method",
                                        "receipt_email",
                                        "shipping",
                                        "statement_descriptor",
                                        "statement_descriptor_suffix",
                                        "setup_future_usage",
                                        "transfer_group",
                                        "expand",
                                        NULL};
    if (fields_only(x, known) && expand_check(x, "payment_intent", false) &&
        intent_flow_check_exists(x) && intent_flow_change(x, try_out) != ERR_OK)
        fields_broken(x);
}

/* Applied anew: another request may have changed the intent since the check. */
static enum err update_loaded(struct exchange *x, struct intent *intent)
{
    if (!intent_flow_is_free(x, intent, "update"))
        return ERR_OK;
    if (!is_open(intent) && names_fixed(x)) {
        intent_flow_refuse(x, intent, "update");
        return ERR_OK;
    }
    if (!apply(x, intent))
        return ERR_OK;
    enum err err = intent_update(x->core->store, intent);
    return err == ERR_OK ? intent_flow_reply(x, intent) : err;
}

enum err payment_intents_update(struct exchange *x)
{
    return intent_flow_change(x, update_loaded);
}
