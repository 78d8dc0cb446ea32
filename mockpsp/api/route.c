#include "route.h"

#include "foreign.h"
#include "mem.h"
#include "payment_resources.h"
#include "people_resources.h"
#include "plain_resources.h"
#include "resources.h"

#include <stdlib.h>
#include <string.h>

static const struct operation TABLE[] = {
    {"POST", "/v1/payment_intents", payment_intents_check_create, payment_intents_create,
     PAYS_IF_CONFIRMED},
    {"GET", "/v1/payment_intents", NULL, payment_intents_list, PAYS_NEVER},
    {"GET", "/v1/payment_intents/search", NULL, payment_intents_search, PAYS_NEVER},
    {"GET", "/v1/payment_intents/{id}", NULL, payment_intents_retrieve, PAYS_NEVER},
    {"POST", "/v1/payment_intents/{id}", payment_intents_check_update, payment_intents_update,
     PAYS_NEVER},
    {"POST", "/v1/payment_intents/{id}/confirm", payment_intents_check_confirm,
     payment_intents_confirm, PAYS_ALWAYS},
    {"POST", "/v1/payment_intents/{id}/capture", payment_intents_check_capture,
     payment_intents_capture, PAYS_ALWAYS},
    {"POST", "/v1/payment_intents/{id}/cancel", payment_intents_check_cancel,
     payment_intents_cancel, PAYS_NEVER},
    {"POST", "/v1/charges", charges_check_create, charges_create, PAYS_UNLESS_HELD},
    {"GET", "/v1/charges", NULL, charges_list, PAYS_NEVER},
    {"GET", "/v1/charges/search", NULL, charges_search, PAYS_NEVER},
    {"GET", "/v1/charges/{id}", NULL, charges_retrieve, PAYS_NEVER},
    {"POST", "/v1/charges/{id}", charges_check_update, charges_update, PAYS_NEVER},
    {"POST", "/v1/charges/{id}/capture", charges_check_capture, charges_capture, PAYS_ALWAYS},
    {"POST", "/v1/charges/{id}/refunds", refunds_check_create_of_charge, refunds_create,
     PAYS_NEVER},
    {"POST", "/v1/refunds", refunds_check_create, refunds_create, PAYS_NEVER},
    {"GET", "/v1/refunds", NULL, refunds_list, PAYS_NEVER},
    {"GET", "/v1/refunds/{id}", NULL, refunds_retrieve, PAYS_NEVER},
    {"POST", "/v1/refunds/{id}", refunds_check_update, refunds_update, PAYS_NEVER},
    {"POST", "/v1/refunds/{id}/cancel", refunds_check_cancel, refunds_cancel, PAYS_NEVER},
    {"POST", "/v1/customers", customers_check_create, customers_create, PAYS_NEVER},
    {"GET", "/v1/customers", NULL, customers_list, PAYS_NEVER},
    {"GET", "/v1/customers/search", NULL, customers_search, PAYS_NEVER},
    {"GET", "/v1/customers/{id}", NULL, customers_retrieve, PAYS_NEVER},
    {"POST", "/v1/customers/{id}", customers_check_update, customers_update, PAYS_NEVER},
    {"DELETE", "/v1/customers/{id}", customers_check_delete, customers_delete, PAYS_NEVER},
    {"GET", "/v1/customers/{id}/payment_methods", NULL, payment_methods_list_of_customer,
     PAYS_NEVER},
    {"GET", "/v1/customers/{customer}/payment_methods/{id}", NULL,
     payment_methods_retrieve_of_customer, PAYS_NEVER},
    {"POST", "/v1/payment_methods", payment_methods_check_create, payment_methods_create,
     PAYS_NEVER},
    {"GET", "/v1/payment_methods", NULL, payment_methods_list, PAYS_NEVER},
    {"GET", "/v1/payment_methods/{id}", NULL, payment_methods_retrieve, PAYS_NEVER},
    {"POST", "/v1/payment_methods/{id}", payment_methods_check_update, payment_methods_update,
     PAYS_NEVER},
    {"POST", "/v1/payment_methods/{id}/attach", payment_methods_check_attach,
     payment_methods_attach, PAYS_NEVER},
    {"POST", "/v1/payment_methods/{id}/detach", payment_methods_check_detach,
     payment_methods_detach, PAYS_NEVER},
    {"POST", "/v1/setup_intents", setup_intents_check_create, setup_intents_create,
     ASKS_IF_CONFIRMED},
    {"GET", "/v1/setup_intents", NULL, setup_intents_list, PAYS_NEVER},
    {"GET", "/v1/setup_intents/{id}", NULL, setup_intents_retrieve, PAYS_NEVER},
    {"POST", "/v1/setup_intents/{id}", setup_intents_check_update, setup_intents_update,
     PAYS_NEVER},
    {"POST", "/v1/setup_intents/{id}/confirm", setup_intents_check_confirm, setup_intents_confirm,
     ASKS_ALWAYS},
    {"POST", "/v1/setup_intents/{id}/cancel", setup_intents_check_cancel, setup_intents_cancel,
     PAYS_NEVER},
    {"POST", "/v1/checkout/sessions", checkout_sessions_check_create, checkout_sessions_create,
     PAYS_NEVER},
    {"GET", "/v1/checkout/sessions", NULL, checkout_sessions_list, PAYS_NEVER},
    {"GET", "/v1/checkout/sessions/{id}", NULL, checkout_sessions_retrieve, PAYS_NEVER},
    {"POST", "/v1/checkout/sessions/{id}", checkout_sessions_check_update, checkout_sessions_update,
     PAYS_NEVER},
    {"POST", "/v1/checkout/sessions/{id}/expire", checkout_sessions_check_expire,
     checkout_sessions_expire, PAYS_NEVER},
    {"GET", "/v1/checkout/sessions/{id}/line_items", NULL, checkout_sessions_line_items,
     PAYS_NEVER},
    {"GET", "/v1/disputes", NULL, disputes_list, PAYS_NEVER},
    {"GET", "/v1/disputes/{id}", NULL, disputes_retrieve, PAYS_NEVER},
    {"POST", "/v1/disputes/{id}", disputes_check_update, disputes_update, PAYS_NEVER},
    {"POST", "/v1/disputes/{id}/close", disputes_check_close, disputes_close, PAYS_NEVER},
    {"GET", "/v1/balance", NULL, balance_retrieve, PAYS_NEVER},
    {"GET", "/v1/balance_transactions", NULL, balance_transactions_list, PAYS_NEVER},
    {"GET", "/v1/balance_transactions/{id}", NULL, balance_transactions_retrieve, PAYS_NEVER},
    {"GET", "/v1/events", NULL, events_list, PAYS_NEVER},
    {"GET", "/v1/events/{id}", NULL, events_retrieve, PAYS_NEVER},
    {"POST", "/payments", plain_payments_check_create, plain_payments_create, PAYS_ALWAYS},
    {"GET", "/payments", NULL, plain_payments_list, PAYS_NEVER},
    {"GET", "/payments/operations/{id}", NULL, plain_payments_operation, PAYS_NEVER},
    {"GET", "/payments/{id}", NULL, plain_payments_retrieve, PAYS_NEVER},
    {"POST", "/payments/{id}/refunds", plain_refunds_check_create, plain_refunds_create,
     PAYS_NEVER},
    {"GET", "/payments/{id}/refunds", NULL, plain_refunds_list, PAYS_NEVER},
    {"POST", "/v71/payments", foreign_check_create, foreign_create, PAYS_ALWAYS},
    {"POST", "/v1/payments", foreign_check_create, foreign_create, PAYS_ALWAYS},
    {"GET", "/v1/payments/{id}", NULL, foreign_retrieve, PAYS_NEVER},
    {"POST", "/v2/payments", foreign_check_create, foreign_create, PAYS_ALWAYS},
    {"GET", "/v2/payments/{id}", NULL, foreign_retrieve, PAYS_NEVER},
    {"POST", "/v3/payments", foreign_check_create, foreign_create, PAYS_ALWAYS},
    {"GET", "/v3/payments/{id}", NULL, foreign_retrieve, PAYS_NEVER},
    {"POST", "/v2/checkout/orders", foreign_check_create, foreign_create, PAYS_NEVER},
    {"GET", "/v2/checkout/orders/{id}", NULL, foreign_retrieve, PAYS_NEVER},
    {"POST", "/v1/orders", foreign_check_create, foreign_create, PAYS_NEVER},
    {"GET", "/v1/orders/{id}", NULL, foreign_retrieve, PAYS_NEVER},
    {"POST", "/merchants/{merchant}/transactions", foreign_check_create, foreign_create,
     PAYS_ALWAYS},
    {"GET", "/merchants/{merchant}/transactions/{id}", NULL, foreign_retrieve, PAYS_NEVER},
    {"POST", "/v1/webhook_endpoints", webhook_endpoints_check_create, webhook_endpoints_create,
     PAYS_NEVER},
    {"GET", "/v1/webhook_endpoints", NULL, webhook_endpoints_list, PAYS_NEVER},
    {"GET", "/v1/webhook_endpoints/{id}", NULL, webhook_endpoints_retrieve, PAYS_NEVER},
    {"POST", "/v1/webhook_endpoints/{id}", webhook_endpoints_check_update, webhook_endpoints_update,
     PAYS_NEVER},
    {"DELETE", "/v1/webhook_endpoints/{id}", webhook_endpoints_check_delete,
     webhook_endpoints_delete, PAYS_NEVER},
    {"POST", "/oauth/token", oauth_check_token, oauth_token, PAYS_NEVER},
    {"POST", "/v1/oauth2/token", oauth_check_token, oauth_token, PAYS_NEVER},
    {NULL, NULL, NULL, NULL, PAYS_NEVER},
};

const struct operation *route_table(void)
{
    return TABLE;
}

bool route_matches(const char *template, const char *path, const char **id, size_t *length)
{
    *length = 0;
    while (*template != '\0') {
        if (*template == '{') {
            size_t segment = strcspn(path, "/");
            if (segment == 0)
                return false;
            if (strncmp(template, "{id}", 4) == 0) {
                *id = path;
                *length = segment;
            }
            template += strcspn(template, "}") + 1;
            path += segment;
        } else if (*template ++ != *path++) {
            return false;
        }
    }
    return *path == '\0';
}

static void refuse(struct exchange *x, bool path_known)
{
    char *message =
        path_known
            ? mem_printf("%s is not allowed on %s.", x->request.method, x->request.path)
            : mem_printf("Unrecognized request URL (%s: %s).", x->request.method, x->request.path);
    reply_error(&x->reply,
                (struct api_error){.status = path_known ? 405 : 404, .message = message});
    free(message);
}

void route_find(struct exchange *x)
{
    bool path_known = false;
    for (const struct operation *row = TABLE; row->method != NULL; row++) {
        const char *id = NULL;
        size_t length = 0;
        if (!route_matches(row->path, x->request.path, &id, &length))
            continue;
        path_known = true;
        if (strcmp(row->method, x->request.method) == 0) {
            x->operation = row;
            x->object_id = length == 0 ? NULL : mem_strndup(id, length);
            return;
        }
    }
    refuse(x, path_known);
}

bool route_writes(const struct exchange *x)
{
    return x->operation != NULL && strcmp(x->operation->method, "GET") != 0;
}
