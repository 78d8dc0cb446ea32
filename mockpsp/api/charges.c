/* /v1/charges */
#include "expand.h"
#include "fields.h"
#include "listing.h"
#include "mem.h"
#include "objects.h"
#include "payment.h"
#include "render.h"
#include "resources.h"

#include <stdlib.h>

static void free_plan(void *plan)
{
    charge_release(plan);
    free(plan);
}

static struct charge *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(struct charge));
    x->free_plan = free_plan;
    return x->plan;
}

/* Manual capture comes with its own endpoint; until then it is refused, not ignored. */
static bool captures_at_once(struct exchange *x)
{
    bool capture = true;
    if (!fields_bool(x, "capture", &capture))
        return false;
    if (!capture)
        reply_error(&x->reply,
                    (struct api_error){.status = 400,
                                       .param = "capture",
                                       .message = "This provider captures at once: leave capture "
                                                  "out, or set it to true."});
    return capture;
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

/* Whatever spelling the card came in. Without any, the test card that pays is charged, so that a
 * client without a card form can be tried as well. */
static bool read_card(struct exchange *x, const struct card **card)
{
    static const char *const names[] = {"source", "source[number]", "card", "card[number]",
                                        "payment_method"};
    *card = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!fields_card(x, names[i], card))
            return false;
    for (size_t i = 0; i < x->params.count && *card == NULL; i++)
        if (params_under(&x->params.list[i], "source") || params_under(&x->params.list[i], "card"))
            return refuse_shape(x);
    if (*card == NULL)
        *card = card_default();
    return true;
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
                                        "receipt_email",
                                        "shipping",
                                        "expand",
                                        "statement_descriptor",
                                        "payment_method",
                                        "statement_descriptor_suffix",
                                        NULL};
    struct charge *charge = new_plan(x);
    const char *customer = NULL, *description = NULL;
    if (!fields_only(x, known) || !fields_amount(x, &charge->amount) ||
        !fields_currency(x, &charge->currency) || !read_card(x, &charge->card) ||
        !fields_customer(x, &customer) || !fields_text(x, "description", 1000, &description) ||
        !fields_metadata(x, &charge->metadata) || !captures_at_once(x) ||
        !expand_check(x, "charge", false))
        return;
    charge->customer = mem_strdup(customer);
    charge->description = mem_strdup(description);
}

enum err charges_create(struct exchange *x)
{
    struct charge *charge = x->plan;
    enum err err = payment_take(x, charge);
    if (err != ERR_OK)
        return err;
    if (!charge_paid(charge)) {
        payment_declined(x, charge, NULL);
        return ERR_OK;
    }
    struct json *json = render_charge(charge);
    err = expand_apply(x, json, false);
    reply_object(&x->reply, 200, json);
    return err;
}

enum err charges_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "charge", "ch_");
}

static struct json *item(const void *list, int i)
{
    return render_charge((const struct charge *)list + i);
}

enum err charges_list(struct exchange *x)
{
    static const char *const filters[] = {"customer", "payment_intent", NULL};
    struct charge list[PAGE_LARGEST + 1];
    struct charge_filter filter = {0};
    struct page page;
    int count = 0;
    if (!listing_open(x, "charge", filters, &page) ||
        !fields_text(x, "customer", 255, &filter.customer) ||
        !fields_text(x, "payment_intent", 255, &filter.intent))
        return ERR_OK;
    enum err err = charge_list(x->core->store, x->attempt.account, &filter, &page, list, &count);
    int shown = page_close(&page, count);
    if (err == ERR_OK)
        err = listing_reply(x, &page, list, shown, item);
    for (int i = 0; i < count; i++)
        charge_release(&list[i]);
    return err;
}
