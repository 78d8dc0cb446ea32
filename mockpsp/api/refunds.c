/* /v1/refunds */
#include "charge.h"
#include "events.h"
#include "expand.h"
#include "fields.h"
#include "intent.h"
#include "listing.h"
#include "mem.h"
#include "money.h"
#include "objects.h"
#include "payment_resources.h"
#include "refund.h"
#include "refunding.h"
#include "render.h"

#include <stdlib.h>
#include <string.h>

struct plan {
    struct refund refund; /* amount 0: all that is left */
};

static void free_plan(void *plan)
{
    refund_release(&((struct plan *)plan)->refund);
    free(plan);
}

static struct plan *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(struct plan));
    x->free_plan = free_plan;
    return x->plan;
}

static enum err charge_of_intent(struct exchange *x, const char *id, char **charge)
{
    struct intent intent;
    enum err err = intent_get(x->core->store, x->attempt.account, id, &intent);
    if (err == ERR_OK && intent.status == INTENT_SUCCEEDED)
        *charge = mem_strdup(intent.latest_charge);
    else if (err == ERR_OK)
        reply_error(&x->reply,
                    (struct api_error){.status = 400,
                                       .param = "payment_intent",
                                       .message = "This PaymentIntent has no charge to refund."});
    intent_release(&intent);
    return err;
}

/* Of two names that mean different payments, neither is the one that was meant. */
static void refuse_stranger(struct exchange *x, const char *charge, const char *intent)
{
    char *message =
        mem_printf("Charge %.100s is not one of PaymentIntent %.100s: give one of them, or two "
                   "that belong together.",
                   charge, intent);
    reply_error(&x->reply,
                (struct api_error){.status = 400, .param = "charge", .message = message});
    free(message);
}

/* Names the charge in refund->charge, if it is there and (unless NULL) of INTENT. False after
 * replying that it is not. */
static bool load_charge(struct exchange *x, const char *id, const char *intent,
                        struct refund *refund)
{
    struct charge found;
    enum err err = charge_get(x->core->store, x->attempt.account, id, &found);
    bool stranger = err == ERR_OK && intent != NULL &&
                    (found.intent == NULL || strcmp(found.intent, intent) != 0);
    charge_release(&found);
    refund->charge = mem_strdup(id);
    if (err == ERR_NOT_FOUND)
        fields_missing(x, "charge", "charge", id);
    else if (err != ERR_OK)
        fields_broken(x);
    else if (stranger)
        refuse_stranger(x, id, intent);
    return err == ERR_OK && !stranger;
}

/* The same by itself, through its intent, or by both. */
static bool find_charge(struct exchange *x, struct refund *refund)
{
    const char *charge = NULL, *intent = NULL;
    if (!fields_text(x, "charge", 255, &charge) || !fields_text(x, "payment_intent", 255, &intent))
        return false;
    if (charge != NULL)
        return load_charge(x, charge, intent, refund);
    if (intent == NULL) {
        reply_error(&x->reply, (struct api_error){
                                   .status = 400,
                                   .code = "parameter_missing",
                                   .param = "charge",
                                   .message = "Give the charge or the payment_intent to refund."});
        return false;
    }
    enum err err = charge_of_intent(x, intent, &refund->charge);
    if (err == ERR_NOT_FOUND)
        fields_missing(x, "payment_intent", "payment_intent", intent);
    else if (err != ERR_OK)
        fields_broken(x);
    return !reply_decided(&x->reply);
}

static bool read_refund(struct exchange *x, struct refund *refund)
{
    static const char *const reasons[] = {"duplicate", "fraudulent", "requested_by_customer", NULL};
    const char *reason = NULL;
    if (!fields_int(x, "amount", 1, MONEY_LARGEST, &refund->amount) ||
        !fields_choice(x, "reason", reasons, &reason) || !fields_metadata(x, &refund->metadata) ||
        !expand_check(x, "refund", false))
        return false;
    refund->reason = mem_strdup(reason);
    return true;
}

void refunds_check_create(struct exchange *x)
{
    static const char *const known[] = {"charge",   "payment_intent", "amount", "reason",
                                        "metadata", "expand",         NULL};
    struct refund *refund = &new_plan(x)->refund;
    if (fields_only(x, known) && read_refund(x, refund))
        find_charge(x, refund);
}

enum err refunds_create(struct exchange *x)
{
    struct refund *refund = &((struct plan *)x->plan)->refund;
    enum err err = refunding_give(x, refund);
    if (err != ERR_OK || reply_decided(&x->reply))
        return err;
    return objects_reply(x, render_refund(refund));
}

/* The older form, POST /v1/charges/{id}/refunds, names the charge in its path. */
void refunds_check_create_of_charge(struct exchange *x)
{
    static const char *const known[] = {"amount", "reason", "metadata", "expand", NULL};
    struct refund *refund = &new_plan(x)->refund;
    if (fields_only(x, known) && read_refund(x, refund))
        load_charge(x, x->object_id, NULL, refund);
}

static enum err load(struct exchange *x, struct refund *refund)
{
    return refund_get(x->core->store, x->attempt.account, x->object_id, refund);
}

/* For check: whether the refund of the path is there; if not, it has replied 404. */
static bool check_exists(struct exchange *x)
{
    struct refund refund;
    enum err err = load(x, &refund);
    refund_release(&refund);
    if (err == ERR_NOT_FOUND)
        fields_not_there(x, "refund");
    else if (err != ERR_OK)
        fields_broken(x);
    return err == ERR_OK;
}

void refunds_check_update(struct exchange *x)
{
    static const char *const known[] = {"metadata", "expand", NULL};
    struct refund *refund = &new_plan(x)->refund;
    if (!fields_only(x, known) || !expand_check(x, "refund", false) || !check_exists(x))
        return;
    if (load(x, refund) == ERR_OK)
        fields_metadata_merge(x, &refund->metadata);
    else
        fields_broken(x);
}

static enum err write_update(struct exchange *x, const struct refund *refund,
                             const struct json *before)
{
    enum err err = refund_update(x->core->store, refund);
    if (err == ERR_OK)
        err = events_emit_change(x, "refund.updated", before, render_refund(refund));
    return err == ERR_OK ? objects_reply(x, render_refund(refund)) : err;
}

/* Read anew: another request may have changed it since the check. */
enum err refunds_update(struct exchange *x)
{
    struct refund *refund = &((struct plan *)x->plan)->refund;
    refund_release(refund);
    enum err err = load(x, refund);
    if (err != ERR_OK)
        return err;
    struct json *before = render_refund(refund);
    if (fields_metadata_merge(x, &refund->metadata))
        err = write_update(x, refund, before);
    json_free(before);
    return err;
}

void refunds_check_cancel(struct exchange *x)
{
    static const char *const known[] = {"expand", NULL};
    if (fields_only(x, known) && expand_check(x, "refund", false))
        check_exists(x);
}

/* Only what has not arrived can be taken back. */
static enum err cancel_loaded(struct exchange *x, struct refund *refund)
{
    struct cause cause;
    if (refund->state != REFUND_PENDING) {
        char *message = mem_printf("Refund %s is %s: only a pending refund can be canceled.",
                                   refund->id, refund_state_name(refund->state));
        reply_error(&x->reply, (struct api_error){.status = 400, .message = message});
        free(message);
        return ERR_OK;
    }
    cause_request(&cause, x);
    enum err err = refunding_undo(&cause, refund, REFUND_CANCELED, NULL);
    return err == ERR_OK ? objects_reply(x, render_refund(refund)) : err;
}

enum err refunds_cancel(struct exchange *x)
{
    struct refund refund;
    enum err err = load(x, &refund);
    if (err == ERR_OK)
        err = cancel_loaded(x, &refund);
    refund_release(&refund);
    return err;
}

enum err refunds_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "refund", "re_");
}

static struct json *item(const void *refund)
{
    return render_refund(refund);
}

static void release(void *refund)
{
    refund_release(refund);
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    struct refund_filter filter = {0};
    if (!fields_text(x, "charge", 255, &filter.charge) ||
        !fields_text(x, "payment_intent", 255, &filter.intent))
        return ERR_OK;
    return refund_list(x->core->store, x->attempt.account, &filter, page, list, count);
}

enum err refunds_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "refund",
                                             .filters = {"charge", "payment_intent"},
                                             .size = sizeof(struct refund),
                                             .fetch = fetch,
                                             .item = item,
                                             .release = release});
}
