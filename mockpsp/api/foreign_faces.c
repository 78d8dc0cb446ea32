#include "foreign_faces.h"

#include <stddef.h>
#include <string.h>

#define BRAINTREE_MEMBER                                                                           \
    "\"transaction\":{\"id\":$id,\"type\":\"sale\",\"status\":$status,\"amount\":$decimal,"        \
    "\"currency_iso_code\":$currency,\"created_at\":$time,"                                        \
    "\"processor_response_code\":$processor,\"processor_response_text\":$processed,"               \
    "\"order_id\":$reference}"

/* The requests are those of the captures. The answers are the least that says what became of it, in
 * the provider's words; Braintree's libraries read theirs in a test, no other has yet. Where a
 * customer would have to go to a page and pay there, that has been done. */
static const struct face FACES[] = {
    {.name = "adyen",
     .path = "/v71/payments",
     .prefix = "adyen_",
     .amount = "amount[value]",
     .currency = "amount[currency]",
     .references = {"reference"},
     .token = "paymentMethod[storedPaymentMethodId]",
     .style = STYLE_PLAIN,
     .status = 200,
     .paid = "Authorised",
     .pending = "Received",
     .failed = "Refused",
     .body = "{\"pspReference\":$id,\"resultCode\":$status,\"refusalReason\":$decline,"
             "\"amount\":{\"currency\":$currency,\"value\":$amount},"
             "\"merchantReference\":$reference}"},
    {.name = "mercadopago",
     .path = "/v1/payments",
     .prefix = "mp_",
     .amount = "transaction_amount",
     .decimal = true,
     .home_currency = "brl",
     .references = {"external_reference", "metadata[order_id]", "description"},
     .token = "token",
     .step = "capture",
     .two_steps = "false",
     .style = STYLE_PLAIN,
     .status = 201,
     .paid = "approved",
     .pending = "pending",
     .failed = "rejected",
     .body = "{\"id\":$id,\"status\":$status,\"status_detail\":$decline,"
             "\"transaction_amount\":$number,\"currency_id\":$currency,\"date_created\":$time,"
             "\"captured\":$succeeded,\"live_mode\":false,\"external_reference\":$reference}"},
    {.name = "mollie",
     .path = "/v2/payments",
     .sign = "amount",
     .prefix = "tr_",
     .amount = "amount[value]",
     .decimal = true,
     .currency = "amount[currency]",
     .references = {"metadata[order_id]", "description"},
     .token = "cardToken",
     .step = "captureMode",
     .two_steps = "manual",
     .style = STYLE_PLAIN,
     .status = 201,
     .paid = "paid",
     .pending = "pending",
     .failed = "failed",
     .body = "{\"resource\":\"payment\",\"id\":$id,\"mode\":\"test\",\"status\":$status,"
             "\"amount\":{\"value\":$decimal,\"currency\":$currency},\"createdAt\":$time,"
             "\"description\":$reference,\"_links\":{}}"},
    {.name = "square",
     .path = "/v2/payments",
     .prefix = "sq_",
     .amount = "amount_money[amount]",
     .currency = "amount_money[currency]",
     .references = {"reference_id", "order_id", "note"},
     .token = "source_id",
     .step = "autocomplete",
     .two_steps = "false",
     .style = STYLE_PLAIN,
     .status = 200,
     .declined = 402,
     .paid = "COMPLETED",
     .pending = "PENDING",
     .failed = "FAILED",
     .body = "{\"payment\":{\"id\":$id,\"status\":$status,"
             "\"amount_money\":{\"amount\":$amount,\"currency\":$currency},\"created_at\":$time,"
             "\"reference_id\":$reference}}"},
    {.name = "yookassa",
     .path = "/v3/payments",
     .prefix = "yoo_",
     .amount = "amount[value]",
     .decimal = true,
     .currency = "amount[currency]",
     .references = {"metadata[order_id]", "description"},
     .token = "payment_token",
     .step = "capture",
     .two_steps = "false",
     .one_step_said = true,
     .style = STYLE_PLAIN,
     .status = 200,
     .paid = "succeeded",
     .pending = "pending",
     .failed = "canceled",
     .body = "{\"id\":$id,\"status\":$status,\"paid\":$succeeded,"
             "\"amount\":{\"value\":$decimal,\"currency\":$currency},\"created_at\":$time,"
             "\"test\":true,\"description\":$reference}"},
    {.name = "checkout",
     .path = "/payments",
     .sign = "source[type]",
     .prefix = "pay_",
     .amount = "amount",
     .currency = "currency",
     .references = {"reference", "metadata[order_id]"},
     .token = "source[token]",
     .step = "capture",
     .two_steps = "false",
     .style = STYLE_PLAIN,
     .status = 201,
     .paid = "Captured",
     .pending = "Pending",
     .failed = "Declined",
     .body = "{\"id\":$id,\"amount\":$amount,\"currency\":$currency,\"approved\":$succeeded,"
             "\"status\":$status,\"response_summary\":$decline,\"processed_on\":$time,"
             "\"reference\":$reference,\"_links\":{}}"},
    {.name = "gocardless",
     .path = "/payments",
     .sign = "payments",
     .prefix = "PM",
     .amount = "payments[amount]",
     .currency = "payments[currency]",
     .references = {"payments[reference]", "payments[metadata][order_id]", "payments[description]"},
     .token = "payments[links][mandate]",
     .style = STYLE_STRIPE, /* with "errors" inside */
     .status = 201,
     .paid = "confirmed",
     .pending = "pending_submission",
     .failed = "failed",
     .body = "{\"payments\":{\"id\":$id,\"created_at\":$time,\"amount\":$amount,"
             "\"currency\":$currency,\"status\":$status,\"amount_refunded\":0,"
             "\"reference\":$reference}}"},
    /* Its library speaks XML, here and in what it sends: see reply.h. */
    {.name = "braintree",
     .path = "/merchants/{merchant}/transactions",
     .prefix = "bt",
     .amount = "transaction[amount]",
     .decimal = true,
     .home_currency = "usd",
     .references = {"transaction[order_id]"},
     .token = "transaction[payment_method_nonce]",
     .only = "transaction[type]",
     .only_value = "sale",
     .step = "transaction[options][submit_for_settlement]",
     .two_steps = "false",
     .one_step_said = true,
     .style = STYLE_XML,
     .status = 201,
     .declined = 422,
     .paid = "submitted_for_settlement",
     .pending = "settlement_pending",
     .failed = "processor_declined",
     .body = "{" BRAINTREE_MEMBER "}",
     .declined_body = "{\"api_error_response\":{\"errors\":{\"errors\":[]},\"params\":{},"
                      "\"message\":$decline," BRAINTREE_MEMBER "}}"},
    {.name = "paypal",
     .path = "/v2/checkout/orders",
     .prefix = "PP",
     .amount = "purchase_units[0][amount][value]",
     .decimal = true,
     .currency = "purchase_units[0][amount][currency_code]",
     .references = {"purchase_units[0][custom_id]", "purchase_units[0][invoice_id]",
                    "purchase_units[0][reference_id]"},
     .step = "intent",
     .two_steps = "AUTHORIZE",
     .order_only = true,
     .style = STYLE_PLAIN,
     .status = 201,
     .paid = "CREATED",
     .body = "{\"id\":$id,\"intent\":\"CAPTURE\",\"status\":$status,\"purchase_units\":["
             "{\"amount\":{\"currency_code\":$currency,\"value\":$decimal},"
             "\"custom_id\":$reference}],\"create_time\":$time,\"links\":[]}"},
    {.name = "razorpay",
     .path = "/v1/orders",
     .prefix = "order_",
     .amount = "amount",
     .currency = "currency",
     .references = {"receipt", "notes[order_id]"},
     .order_only = true,
     .style = STYLE_PLAIN,
     .status = 200,
     .paid = "created",
     .body = "{\"id\":$id,\"entity\":\"order\",\"amount\":$amount,\"amount_paid\":0,"
             "\"amount_due\":$amount,\"currency\":$currency,\"status\":$status,\"attempts\":0,"
             "\"created_at\":$unix,\"receipt\":$reference}"},
};

#define FACE_COUNT (sizeof FACES / sizeof FACES[0])

static bool signs(const struct params *params, const char *sign)
{
    for (size_t i = 0; i < params->count; i++)
        if (strcmp(params->list[i].name, sign) == 0 || params_under(&params->list[i], sign))
            return true;
    return false;
}

/* Where PATH goes on behind that of FACE; NULL when it is another one. */
static const char *behind(const struct face *face, const char *path)
{
    const char *template = face->path;
    for (; *template != '\0'; template ++) {
        if (*template == '{') {
            path += strcspn(path, "/");
            template += strcspn(template, "}");
        } else if (*template != *path++) {
            return NULL;
        }
    }
    return path;
}

const struct face *face_find(const char *path, const struct params *params)
{
    for (size_t i = 0; i < FACE_COUNT; i++) {
        const char *rest = behind(&FACES[i], path);
        if (rest != NULL && *rest == '\0' &&
            (FACES[i].sign == NULL || signs(params, FACES[i].sign)))
            return &FACES[i];
    }
    return NULL;
}

const struct face *face_named(const char *name)
{
    for (size_t i = 0; i < FACE_COUNT; i++)
        if (strcmp(FACES[i].name, name) == 0)
            return &FACES[i];
    return NULL;
}

bool face_has(const struct face *face, const char *path)
{
    const char *rest = behind(face, path);
    return rest != NULL && (*rest == '\0' || *rest == '/');
}

const struct face *face_number(int number)
{
    return number < (int)FACE_COUNT ? &FACES[number] : NULL;
}
