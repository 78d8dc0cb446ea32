/* /v1/customers */
#include "customer.h"
#include "events.h"
#include "expand.h"
#include "fields.h"
#include "listing.h"
#include "mem.h"
#include "object_id.h"
#include "objects.h"
#include "render.h"
#include "resources.h"

#include <stdlib.h>

static void free_plan(void *plan)
{
    customer_release(plan);
    free(plan);
}

void customers_check_create(struct exchange *x)
{
    static const char *const known[] = {"email",    "name",           "phone",
                                        "metadata", "description",    "address",
                                        "shipping", "payment_method", "invoice_settings",
                                        "source",   "expand",         NULL};
    struct customer *customer = x->plan = mem_alloc(sizeof *customer);
    const char *email = NULL, *name = NULL, *phone = NULL, *description = NULL;
    const struct card *card = NULL;
    x->free_plan = free_plan;
    if (!fields_only(x, known) || !fields_text(x, "email", 512, &email) ||
        !fields_text(x, "name", 256, &name) || !fields_text(x, "phone", 20, &phone) ||
        !fields_text(x, "description", 1000, &description) || !fields_card(x, "source", &card) ||
        !fields_card(x, "payment_method", &card) || !fields_metadata(x, &customer->metadata) ||
        !expand_check(x, "customer", false))
        return;
    customer->email = mem_strdup(email);
    customer->name = mem_strdup(name);
    customer->phone = mem_strdup(phone);
    customer->description = mem_strdup(description);
}

enum err customers_create(struct exchange *x)
{
    struct customer *customer = x->plan;
    mem_set_string(&customer->id, object_id_make(&x->ids, "cus_").text);
    customer->created = clock_now_s(x->core->clock);
    enum err err = customer_insert(x->core->store, x->attempt.account, customer);
    if (err == ERR_OK)
        err = events_emit(x, "customer.created", render_customer(customer));
    if (err == ERR_OK)
        reply_object(&x->reply, 200, render_customer(customer));
    return err;
}

enum err customers_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "customer", "cus_");
}

static struct json *item(const void *list, int i)
{
    return render_customer((const struct customer *)list + i);
}

enum err customers_list(struct exchange *x)
{
    static const char *const filters[] = {NULL};
    struct customer list[PAGE_LARGEST + 1];
    struct page page;
    int count = 0;
    if (!listing_open(x, "customer", filters, &page))
        return ERR_OK;
    enum err err = customer_list(x->core->store, x->attempt.account, &page, list, &count);
    int shown = page_close(&page, count);
    if (err == ERR_OK)
        err = listing_reply(x, &page, list, shown, item);
    for (int i = 0; i < count; i++)
        customer_release(&list[i]);
    return err;
}
