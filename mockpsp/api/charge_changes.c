/* /v1/charges/{id}: update, capture. */
#include "events.h"
#include "expand.h"
#include "fields.h"
#include "mem.h"
#include "money.h"
#include "objects.h"
#include "payment.h"
#include "payment_resources.h"
#include "render.h"

#include <inttypes.h>
#include <stdlib.h>

/* The amount to capture, 0: all. */
static int64_t *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(int64_t));
    x->free_plan = free;
    return x->plan;
}

/* For check: whether the charge of the path is there; if not, it has replied 404. */
static bool check_exists(struct exchange *x)
{
    struct charge charge;
    enum err err = charge_get(x->core->store, x->attempt.account, x->object_id, &charge);
    charge_release(&charge);
    if (err == ERR_NOT_FOUND)
        fields_not_there(x, "charge");
    else if (err != ERR_OK)
        fields_broken(x);
    return err == ERR_OK;
}

static enum err change(struct exchange *x,
                       enum err (*how)(struct exchange *x, struct charge *charge))
{
    struct charge charge;
    enum err err = charge_get(x->core->store, x->attempt.account, x->object_id, &charge);
    if (err == ERR_OK)
        err = how(x, &charge);
    charge_release(&charge);
    return err;
}

void charges_check_capture(struct exchange *x)
{
    static const char *const known[] = {
        "amount", "receipt_email", "statement_descriptor", "statement_descriptor_suffix", "expand",
        NULL};
    int64_t *amount = new_plan(x);
    if (fields_only(x, known) && fields_int(x, "amount", 1, MONEY_LARGEST, amount) &&
        expand_check(x, "charge", false))
        check_exists(x);
}

/* Whether AMOUNT of the charge can be taken; if not, the reply says why. */
static bool capturable(struct exchange *x, const struct charge *charge, int64_t amount)
{
    struct api_error error = {.status = 400};
    char *message;
    if (charge->intent != NULL) {
        message = mem_printf("Charge %s belongs to a PaymentIntent: capture %s.", charge->id,
                             charge->intent);
    } else if (charge_paid(charge)) {
        error.code = "charge_already_captured";
        message = mem_printf("Charge %s has already been captured.", charge->id);
    } else if (charge->state != CHARGE_AUTHORIZED) {
        message = mem_printf("Charge %s is %s: there is nothing to capture.", charge->id,
                             charge_state_name(charge->state));
    } else if (amount > charge->amount) {
        error.code = "amount_too_large";
        error.param = "amount";
        message =
            mem_printf("The amount to capture is greater than what was authorized (%" PRId64 ").",
                       charge->amount);
    } else {
        return true;
    }
    error.message = message;
    reply_error(&x->reply, error);
    free(message);
    return false;
}

static enum err capture_loaded(struct exchange *x, struct charge *charge)
{
    int64_t amount = *(const int64_t *)x->plan;
    struct cause cause;
    if (!capturable(x, charge, amount))
        return ERR_OK;
    cause_request(&cause, x);
    enum err err = payment_capture(&cause, charge, amount == 0 ? charge->amount : amount);
    return err == ERR_OK ? objects_reply(x, render_charge(charge)) : err;
}

enum err charges_capture(struct exchange *x)
{
    return change(x, capture_loaded);
}

/* Lays what the request says over CHARGE. False after refusing. */
static bool apply(struct exchange *x, struct charge *charge)
{
    const char *customer = NULL;
    if (!fields_customer(x, &customer) ||
        !fields_set_text(x, "description", 1000, &charge->description) ||
        !fields_set_text(x, "receipt_email", 512, &charge->receipt_email) ||
        !fields_metadata_merge(x, &charge->metadata))
        return false;
    if (customer != NULL)
        mem_set_string(&charge->customer, customer);
    return true;
}

static enum err try_out(struct exchange *x, struct charge *charge)
{
    apply(x, charge);
    return ERR_OK;
}

void charges_check_update(struct exchange *x)
{
    static const char *const known[] = {"customer",       "description", "metadata",
                                        "receipt_email",  "shipping",    "fraud_details",
                                        "transfer_group", "expand",      NULL};
    if (fields_only(x, known) && expand_check(x, "charge", false) && check_exists(x) &&
        change(x, try_out) != ERR_OK)
        fields_broken(x);
}

static enum err write_update(struct exchange *x, const struct charge *charge,
                             const struct json *before)
{
    enum err err = charge_update(x->core->store, charge);
    if (err == ERR_OK)
        err = events_emit_change(x, "charge.updated", before, render_charge(charge));
    return err == ERR_OK ? objects_reply(x, render_charge(charge)) : err;
}

static enum err update_loaded(struct exchange *x, struct charge *charge)
{
    struct json *before = render_charge(charge);
    enum err err = apply(x, charge) ? write_update(x, charge, before) : ERR_OK;
    json_free(before);
    return err;
}

enum err charges_update(struct exchange *x)
{
    return change(x, update_loaded);
}
