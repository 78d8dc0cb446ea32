/* /v1/charges */
#include "expand.h"
#include "fields.h"
#include "listing.h"
#include "mem.h"
#include "methods.h"
#include "objects.h"
#include "payment.h"
#include "payment_resources.h"
#include "render.h"

#include <stdlib.h>

struct plan {
    struct charge charge; /* what create makes */
    bool authorize;       /* capture=false */
};

static void free_plan(void *plan)
{
    charge_release(&((struct plan *)plan)->charge);
    free(plan);
}

static struct plan *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(struct plan));
    x->free_plan = free_plan;
    return x->plan;
}

/* Two steps are for cards: a bank account's money comes, or does not, in its own time. */
static bool read_capture(struct exchange *x, struct plan *plan)
{
    bool capture = true;
    if (!fields_bool(x, "capture", &capture))
        return false;
    plan->authorize = !capture;
    if (capture || plan->charge.card->settles == CARD_SETTLES_AT_ONCE)
        return true;
    reply_error(&x->reply, (struct api_error){.status = 400,
                                              .param = "capture",
                                              .message = "A bank account cannot be paid from in "
                                                         "two steps: leave capture out."});
    return false;
}

/* A source of a shape that nobody here knows: to charge the default card for it would be a lie. */
static bool refuse_shape(struct exchange *x)
{
    reply_error(&x->reply,
                (struct api_error){.status = 400,
                                   .code = "parameter_missing",
                                   .param = "source",
                                   .message = "The source names no card: give a token such as "
                                              "tok_visa, or source[number]."});
    return false;
}

/* What the customer has as default_source, or else the test card that pays, so that a client
 * without a card form can be tried as well. */
static bool read_default(struct exchange *x, struct charge *charge)
{
    struct payment_method method = {0};
    bool good = methods_default(x, charge->customer, &method);
    charge->card = method.card == NULL ? card_default() : method.card;
    charge->method = mem_strdup(method.id);
    payment_method_release(&method);
    return good;
}

/* Whatever spelling the card came in. */
static bool read_card(struct exchange *x, struct charge *charge)
{
    static const char *const names[] = {"source", "source[number]", "card", "card[number]",
                                        "payment_method"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!fields_card(x, names[i], &charge->card) ||
            !methods_check(x, names[i], charge->customer))
            return false;
        if (charge->card != NULL && charge->method == NULL)
            charge->method = mem_strdup(methods_own(x, names[i]));
    }
    for (size_t i = 0; i < x->params.count && charge->card == NULL; i++)
        if (params_under(&x->params.list[i], "source") || params_under(&x->params.list[i], "card"))
            return refuse_shape(x);
    return charge->card != NULL || read_default(x, charge);
}

static bool read_customer(struct exchange *x, struct charge *charge)
{
    const char *customer = NULL;
    if (!fields_customer(x, &customer))
        return false;
    charge->customer = mem_strdup(customer);
    return true;
}

/* Not a word of this resource, but clients that were written for PaymentIntents say it, and mean
 * what a charge does anyway. */
static bool read_confirm(struct exchange *x)
{
    static const char *const yes[] = {"true", "True", NULL};
    const char *unused = NULL;
    return fields_choice(x, "confirm", yes, &unused);
}

void charges_check_create(struct exchange *x)
{
    static const char *const known[] = {"amount",
                                        "currency",
                                        "source",
                                        "card",
                                        "customer",
                                        "description",
                                        "metadata",
                                        "capture",
                                        "confirm",
                                        "receipt_email",
                                        "shipping",
                                        "expand",
                                        "statement_descriptor",
                                        "payment_method",
                                        "statement_descriptor_suffix",
                                        NULL};
    struct plan *plan = new_plan(x);
    struct charge *charge = &plan->charge;
    const char *description = NULL, *email = NULL;
    if (!fields_only(x, known) || !fields_amount(x, &charge->amount) ||
        !fields_currency(x, &charge->currency) || !read_customer(x, charge) ||
        !read_card(x, charge) || !fields_text(x, "description", 1000, &description) ||
        !fields_metadata(x, &charge->metadata) || !read_capture(x, plan) || !read_confirm(x) ||
        !fields_text(x, "receipt_email", 512, &email) || !expand_check(x, "charge", false))
        return;
    charge->description = mem_strdup(description);
    charge->receipt_email = mem_strdup(email);
}

enum err charges_create(struct exchange *x)
{
    struct plan *plan = x->plan;
    struct charge *charge = &plan->charge;
    if (!methods_ready(x, charge->method) || !fields_customer_stands(x, charge->customer))
        return ERR_OK;
    enum err err = plan->authorize ? payment_authorize(x, charge) : payment_take(x, charge);
    if (err != ERR_OK)
        return err;
    if (charge->state == CHARGE_FAILED) {
        payment_declined(x, charge, NULL);
        return ERR_OK;
    }
    return objects_reply(x, render_charge(charge));
}

enum err charges_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "charge", "ch_");
}

static struct json *item(const void *charge)
{
    return render_charge(charge);
}

static void release(void *charge)
{
    charge_release(charge);
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    struct charge_filter filter = {0};
    if (!fields_text(x, "customer", 255, &filter.customer) ||
        !fields_text(x, "payment_intent", 255, &filter.intent))
        return ERR_OK;
    return charge_list(x->core->store, x->attempt.account, &filter, page, list, count);
}

enum err charges_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "charge",
                                             .filters = {"customer", "payment_intent"},
                                             .size = sizeof(struct charge),
                                             .fetch = fetch,
                                             .item = item,
                                             .release = release});
}
