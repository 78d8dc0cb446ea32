/* /payments/{id}/refunds */
#include "fields.h"
#include "lag.h"
#include "mem.h"
#include "money.h"
#include "plain.h"
#include "plain_resources.h"
#include "refund.h"
#include "refunding.h"

#include <stdlib.h>

static void free_plan(void *plan)
{
    refund_release(plan);
    free(plan);
}

/* Whether the payment that the path names is there, one of this face; replies when it is not.
 * LAGGING: as those see it who read. */
static bool payment_exists(struct exchange *x, bool lagging)
{
    struct plain_payment payment;
    enum err err = plain_payment_get(x->core->store, x->attempt.account, x->object_id, &payment);
    if (err == ERR_OK && lagging && lag_hides(x, x->object_id, payment.charge.created))
        err = ERR_NOT_FOUND;
    plain_payment_release(&payment);
    if (err == ERR_NOT_FOUND)
        fields_missing(x, "payment", "id", x->object_id);
    else if (err != ERR_OK)
        fields_broken(x);
    return err == ERR_OK;
}

void plain_refunds_check_create(struct exchange *x)
{
    static const char *const known[] = {"amount", "reason", "metadata", NULL};
    struct refund *refund = mem_alloc(sizeof *refund);
    const char *reason = NULL;
    x->plan = refund;
    x->free_plan = free_plan;
    if (!fields_only(x, known) || !fields_int(x, "amount", 1, MONEY_LARGEST, &refund->amount) ||
        !fields_text(x, "reason", 255, &reason) || !fields_metadata(x, &refund->metadata) ||
        !payment_exists(x, false))
        return;
    refund->reason = mem_strdup(reason);
    refund->charge = mem_strdup(x->object_id);
}

enum err plain_refunds_create(struct exchange *x)
{
    struct refund *refund = x->plan;
    enum err err = refunding_give(x, refund);
    if (err == ERR_OK && !reply_decided(&x->reply))
        reply_object(&x->reply, refund->state == REFUND_PENDING ? 202 : 201,
                     plain_render_refund(refund));
    return err;
}

static enum err find_cursor(struct exchange *x, const char *id)
{
    struct refund refund;
    enum err err = refund_get(x->core->store, x->attempt.account, id, &refund);
    refund_release(&refund);
    return err;
}

static struct json *item(const void *list, int i)
{
    return plain_render_refund((const struct refund *)list + i);
}

enum err plain_refunds_list(struct exchange *x)
{
    static const char *const known[] = {"limit", "cursor", NULL};
    struct refund list[PAGE_LARGEST + 1];
    struct refund_filter filter = {.charge = x->object_id};
    struct page page;
    int count = 0;
    if (!fields_only(x, known) || !payment_exists(x, true) ||
        !plain_page(x, "refund", find_cursor, &page))
        return ERR_OK;
    enum err err = refund_list(x->core->store, x->attempt.account, &filter, &page, list, &count);
    int shown = page_close(&page, count);
    if (err == ERR_OK)
        plain_reply_list(x, &page, list, shown, item);
    for (int i = 0; i < count; i++)
        refund_release(&list[i]);
    return err;
}
