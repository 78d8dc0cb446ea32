/* /payments: paying as many banks and acquirers have it. An answer of 2xx says that the payment was
 * taken in, its status says what became of it. */
#include "fields.h"
#include "foreign.h"
#include "lag.h"
#include "mem.h"
#include "payment.h"
#include "plain.h"
#include "plain_resources.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_OPERATION 64

static void free_plan(void *plan)
{
    plain_payment_release(plan);
    free(plan);
}

static struct plain_payment *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(struct plain_payment));
    x->free_plan = free_plan;
    return x->plan;
}

/* --- create ----------------------------------------------------------------------------------- */

static bool names_card(const struct param *param)
{
    return params_under(param, "card") || params_under(param, "source") ||
           params_under(param, "payment_method");
}

/* Whatever spelling the card came in; without any, the test card that pays. One of a shape that
 * nobody here knows is refused: to charge the default card for it would be a lie. */
static bool read_card(struct exchange *x, const struct card **card)
{
    static const char *const names[] = {"card",
                                        "card[number]",
                                        "card[token]",
                                        "source",
                                        "source[number]",
                                        "source[token]",
                                        "source[id]",
                                        "payment_method",
                                        "payment_method[number]",
                                        "payment_method[token]",
                                        "payment_method[id]"};
    *card = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!fields_card(x, names[i], card))
            return false;
    for (size_t i = 0; i < x->params.count && *card == NULL; i++) {
        if (!names_card(&x->params.list[i]))
            continue;
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .code = "parameter_missing",
                                                  .param = "card",
                                                  .message = "No card: give card[number], or a "
                                                             "token such as tok_visa."});
        return false;
    }
    if (*card == NULL)
        *card = card_default();
    return true;
}

/* It is part of a path later, and no two programs encode one alike: so only characters that none
 * of them encodes (RFC 3986, 2.3). "." and ".." say something else in a path, "" nothing at all. */
static bool may_name(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr("-._~", *c) == NULL)
            return false;
    return *text != '\0' && strcmp(text, ".") != 0 && strcmp(text, "..") != 0;
}

static bool read_operation(struct exchange *x, char **operation)
{
    const char *unused = NULL, *text = params_get(&x->params, "operation_id");
    if (!fields_text(x, "operation_id", LONGEST_OPERATION, &unused))
        return false;
    if (text != NULL && !may_name(text)) {
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .code = "parameter_invalid",
                                                  .param = "operation_id",
                                                  .message = "Invalid operation_id: letters, "
                                                             "digits and -._~ only, and neither "
                                                             "empty nor . or .. alone."});
        return false;
    }
    *operation = mem_strdup(text);
    return true;
}

/* Two foreign faces have the same path; what their requests look like tells them from ours. */
void plain_payments_check_create(struct exchange *x)
{
    static const char *const known[] = {
        "amount",         "currency", "operation_id", "reference", "card",
        "payment_method", "source",   "description",  "metadata",  NULL};
    if (foreign_speaks(x)) {
        foreign_check_create(x);
        return;
    }
    struct plain_payment *payment = new_plan(x);
    struct charge *charge = &payment->charge;
    const char *reference = NULL, *description = NULL;
    if (!fields_only(x, known) || !fields_amount(x, &charge->amount) ||
        !fields_currency(x, &charge->currency) || !read_card(x, &charge->card) ||
        !read_operation(x, &payment->operation) || !fields_text(x, "reference", 255, &reference) ||
        !fields_text(x, "description", 1000, &description) ||
        !fields_metadata(x, &charge->metadata))
        return;
    payment->reference = mem_strdup(reference);
    charge->description = mem_strdup(description);
}

static void refuse_operation(struct exchange *x, int status, const char *code,
                             const struct plain_payment *known)
{
    char *message =
        mem_printf("operation_id %s is that of payment %s, of %" PRId64 " %s.", known->operation,
                   known->charge.id, known->charge.amount, known->charge.currency);
    reply_error(&x->reply, (struct api_error){.status = status,
                                              .code = code,
                                              .param = "operation_id",
                                              .conflict = known->charge.id,
                                              .message = message});
    free(message);
}

static bool same_money(const struct charge *one, const struct charge *other)
{
    return one->amount == other->amount && strcmp(one->currency, other->currency) == 0;
}

/* Replies when the operation has its payment already, in the way of the dialect. */
static enum err known_operation(struct exchange *x, const struct plain_payment *payment)
{
    struct plain_payment known;
    enum operations operations = x->core->dialect.operations;
    if (payment->operation == NULL || operations == OPERATIONS_IGNORE)
        return ERR_OK;
    enum err err =
        plain_payment_of_operation(x->core->store, x->attempt.account, payment->operation, &known);
    if (err == ERR_NOT_FOUND)
        return ERR_OK;
    if (err == ERR_OK && operations == OPERATIONS_CONFLICT)
        refuse_operation(x, 409, "operation_exists", &known);
    else if (err == ERR_OK && !same_money(&known.charge, &payment->charge))
        refuse_operation(x, 422, "operation_mismatch", &known);
    else if (err == ERR_OK)
        reply_object(&x->reply, 200, plain_render_payment(&known));
    plain_payment_release(&known);
    return err;
}

enum err plain_payments_create(struct exchange *x)
{
    if (foreign_speaks(x))
        return foreign_create(x);
    struct plain_payment *payment = x->plan;
    enum err err = known_operation(x, payment);
    if (err != ERR_OK || reply_decided(&x->reply))
        return err;
    err = payment_take(x, &payment->charge);
    if (err != ERR_OK)
        return err;
    err = plain_payment_insert(x->core->store, x->attempt.account, payment);
    reply_object(&x->reply, payment->charge.state == CHARGE_PENDING ? 202 : 201,
                 plain_render_payment(payment));
    return err;
}

/* --- read ------------------------------------------------------------------------------------- */

static enum err reply_found(struct exchange *x, enum err err, const char *kind,
                            struct plain_payment *payment)
{
    if (err == ERR_OK && lag_hides(x, x->object_id, payment->charge.created))
        err = ERR_NOT_FOUND;
    if (err == ERR_OK)
        reply_object(&x->reply, 200, plain_render_payment(payment));
    plain_payment_release(payment);
    if (err != ERR_NOT_FOUND)
        return err;
    fields_missing(x, kind, strcmp(kind, "operation") == 0 ? "operation_id" : "id", x->object_id);
    return ERR_OK;
}

static bool no_parameters(struct exchange *x)
{
    static const char *const known[] = {NULL};
    return fields_only(x, known);
}

enum err plain_payments_retrieve(struct exchange *x)
{
    struct plain_payment payment;
    if (!no_parameters(x))
        return ERR_OK;
    enum err err = plain_payment_get(x->core->store, x->attempt.account, x->object_id, &payment);
    if (err == ERR_NOT_FOUND)
        return foreign_retrieve(x);
    return reply_found(x, err, "payment", &payment);
}

enum err plain_payments_operation(struct exchange *x)
{
    struct plain_payment payment;
    if (!no_parameters(x))
        return ERR_OK;
    enum err err =
        plain_payment_of_operation(x->core->store, x->attempt.account, x->object_id, &payment);
    return reply_found(x, err, "operation", &payment);
}

static enum err find_cursor(struct exchange *x, const char *id)
{
    struct plain_payment payment;
    enum err err = plain_payment_get(x->core->store, x->attempt.account, id, &payment);
    plain_payment_release(&payment);
    return err;
}

static struct json *item(const void *list, int i)
{
    return plain_render_payment((const struct plain_payment *)list + i);
}

enum err plain_payments_list(struct exchange *x)
{
    static const char *const known[] = {"reference", "limit", "cursor", NULL};
    struct plain_payment list[PAGE_LARGEST + 1];
    const char *reference = NULL;
    struct page page;
    int count = 0;
    if (!fields_only(x, known) || !fields_text(x, "reference", 255, &reference) ||
        !plain_page(x, "payment", find_cursor, &page))
        return ERR_OK;
    enum err err =
        plain_payment_list(x->core->store, x->attempt.account, reference, &page, list, &count);
    int shown = page_close(&page, count);
    if (err == ERR_OK)
        plain_reply_list(x, &page, list, shown, item);
    for (int i = 0; i < count; i++)
        plain_payment_release(&list[i]);
    return err;
}
