#include "render.h"

#include "check.h"
#include "details.h"
#include "intent_shown.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

static struct json *parse_metadata(const char *text)
{
    struct json *json;
    CHECK(json_parse(text, strlen(text), &json, NULL) == ERR_OK); /* we wrote it */
    return json;
}

static struct json *begin(const char *id, const char *object, int64_t created)
{
    struct json *json = json_object();
    json_set_string(json, "id", id);
    json_set_string(json, "object", object);
    json_set_int(json, "created", created);
    json_set_bool(json, "livemode", false);
    return json;
}

const char *render_decline_message(const char *decline_code)
{
    static const char *const messages[][2] = {
        {"insufficient_funds", "The card has insufficient funds."},
        {"expired_card", "The card has expired."},
        {"incorrect_cvc", "The security code of the card is wrong."},
        {"processing_error", "The card could not be processed. Try again in a little while."},
        {"authentication_required", "The card needs to be authenticated by its holder."},
        {"account_closed", "The bank account has been closed."},
        {"no_account", "The bank account could not be found."},
        {"debit_not_authorized", "The customer has told the bank that the debit was not allowed."},
    };
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++)
        if (strcmp(messages[i][0], decline_code) == 0)
            return messages[i][1];
    return "The card was declined.";
}

static struct json *render_card(const struct card *card)
{
    struct json *json = json_object();
    json_set_string(json, "brand", card->brand);
    json_set_string(json, "country", "US");
    json_set_int(json, "exp_month", 12);
    json_set_int(json, "exp_year", 2040);
    json_set_string(json, "funding", "credit");
    json_set_string(json, "last4", card_last4(card));
    return json;
}

static struct json *render_bank_account(const struct card *account)
{
    struct json *json = json_object();
    json_set_string(json, "account_holder_type", "individual");
    json_set_string(json, "account_type", "checking");
    json_set_string(json, "bank_name", "TEST BANK");
    json_set_string(json, "last4", card_last4(account));
    json_set_string(json, "routing_number", "110000000");
    return json;
}

struct json *render_card_details(const struct card *card)
{
    return card->brand == NULL ? render_bank_account(card) : render_card(card);
}

static struct json *render_method_details(const struct card *card)
{
    struct json *json = json_object();
    json_set(json, card_type(card), render_card_details(card));
    json_set_string(json, "type", card_type(card));
    return json;
}

static struct json *render_outcome(const struct charge *charge)
{
    static const char *const words[CHARGE_STATE_COUNT][2] = {
        [CHARGE_PENDING] = {"approved_by_network", "authorized"},
        [CHARGE_AUTHORIZED] = {"approved_by_network", "authorized"},
        [CHARGE_CAPTURED] = {"approved_by_network", "authorized"},
        [CHARGE_RELEASED] = {"approved_by_network", "authorized"},
        [CHARGE_FAILED] = {"declined_by_network", "issuer_declined"},
    };
    struct json *json = json_object();
    json_set_string(json, "network_status", words[charge->state][0]);
    json_set_string(json, "reason", charge->decline_code);
    json_set_string(json, "type", words[charge->state][1]);
    return json;
}

static const char *failure_code(const struct charge *charge)
{
    if (charge->decline_code == NULL)
        return NULL;
    /* A bank's reason is the code itself. */
    return charge->card->brand == NULL ? charge->decline_code
                                       : card_error_code(charge->decline_code);
}

/* What clients are told is `paid` and `succeeded` from the authorization on; whether the money came
 * is `captured`. What was set aside and then not taken counts as refunded (Stripe: "The Charge
 * object", status, captured, amount_refunded). */
static void add_progress(const struct charge *charge, struct json *json)
{
    static const char *const statuses[CHARGE_STATE_COUNT] = {
        [CHARGE_PENDING] = "pending",    [CHARGE_AUTHORIZED] = "succeeded",
        [CHARGE_CAPTURED] = "succeeded", [CHARGE_RELEASED] = "succeeded",
        [CHARGE_FAILED] = "failed",
    };
    bool over = charge->state == CHARGE_CAPTURED || charge->state == CHARGE_RELEASED;
    int64_t given_back = charge->refunded + (over ? charge->amount - charge->captured : 0);
    json_set_int(json, "amount_refunded", given_back);
    json_set_bool(json, "captured",
                  charge->state == CHARGE_CAPTURED || charge->state == CHARGE_PENDING);
    json_set_bool(json, "paid", over || charge->state == CHARGE_AUTHORIZED);
    json_set_bool(json, "refunded", over && given_back == charge->amount);
    json_set_string(json, "status", statuses[charge->state]);
}

struct json *render_charge(const struct charge *charge)
{
    bool failed = charge->state == CHARGE_FAILED;
    struct json *json = begin(charge->id, "charge", charge->created);
    json_set_int(json, "amount", charge->amount);
    json_set_int(json, "amount_captured", charge->captured);
    json_set_string(json, "balance_transaction", charge->transaction);
    json_set_string(json, "currency", charge->currency);
    json_set_string(json, "customer", charge->customer);
    json_set_string(json, "description", charge->description);
    json_set_string(json, "dispute", charge->dispute);
    json_set_bool(json, "disputed", charge->dispute != NULL);
    json_set_string(json, "failure_code", failure_code(charge));
    json_set_string(json, "failure_message",
                    failed ? render_decline_message(charge->decline_code) : NULL);
    json_set(json, "metadata", parse_metadata(charge->metadata));
    json_set(json, "outcome", render_outcome(charge));
    json_set_string(json, "payment_intent", charge->intent);
    json_set_string(json, "payment_method",
                    charge->method == NULL ? charge->card->method : charge->method);
    json_set(json, "payment_method_details", render_method_details(charge->card));
    json_set_string(json, "receipt_email", charge->receipt_email);
    add_progress(charge, json);
    return json;
}

static struct json *render_not_authenticated(void)
{
    struct json *json = json_object();
    json_set_string(json, "code", INTENT_NOT_AUTHENTICATED);
    json_set_string(json, "message",
                    "The customer did not authenticate. Try again, or with another payment "
                    "method.");
    json_set_string(json, "type", "invalid_request_error");
    return json;
}

static struct json *render_last_error(const struct intent *intent)
{
    if (intent->decline_code == NULL)
        return json_null();
    if (strcmp(intent->decline_code, INTENT_NOT_AUTHENTICATED) == 0)
        return render_not_authenticated();
    struct json *json = json_object();
    json_set_string(json, "charge", intent->latest_charge);
    json_set_string(json, "code", card_error_code(intent->decline_code));
    json_set_string(json, "decline_code", intent->decline_code);
    json_set_string(json, "message", render_decline_message(intent->decline_code));
    json_set_string(json, "type", "card_error");
    return json;
}

static struct json *render_next_action(const struct intent *intent)
{
    if (intent->status != INTENT_REQUIRES_ACTION)
        return json_null();
    struct json *json = json_object();
    json_set_string(json, "type", "use_stripe_sdk");
    json_set(json, "use_stripe_sdk", json_object());
    return json;
}

static struct json *render_method_types(const struct card *card)
{
    struct json *types = json_array();
    json_push(types, json_string(card == NULL ? "card" : card_type(card)));
    return types;
}

struct json *render_intent(const struct intent *intent)
{
    bool capturable = intent->status == INTENT_REQUIRES_CAPTURE;
    struct json *json = begin(intent->id, "payment_intent", intent->created);
    char *secret = mem_printf("%s_secret_%s", intent->id, intent->id + strlen("pi_"));
    json_set_int(json, "amount", intent->amount);
    json_set_int(json, "amount_capturable", capturable ? intent->amount : 0);
    json_set_int(json, "amount_received", intent->received);
    if (intent->canceled_at == 0)
        json_set_null(json, "canceled_at");
    else
        json_set_int(json, "canceled_at", intent->canceled_at);
    json_set_string(json, "cancellation_reason", intent->cancellation_reason);
    json_set_string(json, "capture_method", intent->manual_capture ? "manual" : "automatic");
    json_set_string(json, "client_secret", secret);
    json_set_string(json, "confirmation_method", "automatic");
    json_set_string(json, "currency", intent->currency);
    json_set_string(json, "customer", intent->customer);
    json_set_string(json, "description", intent->description);
    json_set(json, "last_payment_error", render_last_error(intent));
    json_set_string(json, "latest_charge", intent->latest_charge);
    json_set(json, "metadata", parse_metadata(intent->metadata));
    json_set(json, "next_action", render_next_action(intent));
    json_set_string(json, "payment_method",
                    intent->card == NULL || intent->method != NULL ? intent->method
                                                                   : intent->card->method);
    json_set_string(json, "receipt_email", intent->receipt_email);
    json_set(json, "payment_method_types", render_method_types(intent->card));
    json_set_string(json, "setup_future_usage", intent->future_usage);
    json_set_string(json, "status", intent_status_name(intent->status));
    intent_shown_render(intent, json);
    free(secret);
    return json;
}

struct json *render_refund(const struct refund *refund)
{
    struct json *json = begin(refund->id, "refund", refund->created);
    json_set_int(json, "amount", refund->amount);
    json_set_string(json, "balance_transaction", refund->transaction);
    json_set_string(json, "charge", refund->charge);
    json_set_string(json, "currency", refund->currency);
    json_set(json, "metadata", parse_metadata(refund->metadata));
    json_set_string(json, "payment_intent", refund->intent);
    json_set_string(json, "reason", refund->reason);
    json_set_string(json, "status", refund_state_name(refund->state));
    json_maybe_string(json, "failure_reason", refund->failure_reason);
    json_maybe_string(json, "failure_balance_transaction", refund->failure_transaction);
    return json;
}

struct json *render_deleted(const char *id, const char *object)
{
    struct json *json = json_object();
    json_set_string(json, "id", id);
    json_set_string(json, "object", object);
    json_set_bool(json, "deleted", true);
    return json;
}

struct json *render_customer(const struct customer *customer)
{
    if (customer->deleted)
        return render_deleted(customer->id, "customer");
    struct json *json = begin(customer->id, "customer", customer->created);
    struct json *invoices = json_object();
    json_set_string(invoices, "default_payment_method", customer->default_method);
    json_set(json, "address", details_render(customer->address));
    json_set_int(json, "balance", 0);
    json_set_null(json, "currency");
    json_set_string(json, "default_source", customer->default_source);
    json_set_bool(json, "delinquent", false);
    json_set_string(json, "description", customer->description);
    json_set_string(json, "email", customer->email);
    json_set(json, "invoice_settings", invoices);
    json_set(json, "metadata", parse_metadata(customer->metadata));
    json_set_string(json, "name", customer->name);
    json_set_string(json, "phone", customer->phone);
    json_set(json, "shipping", details_render(customer->shipping));
    return json;
}

/* What reports call it. Source: Stripe, "Reporting categories". */
static const char *reporting_category(const struct movement *movement)
{
    if (strcmp(movement->type, "adjustment") != 0)
        return movement->type;
    return movement->amount < 0 ? "dispute" : "dispute_reversal";
}

struct json *render_movement(const struct movement *movement)
{
    struct json *json = json_object();
    json_set_string(json, "id", movement->id);
    json_set_string(json, "object", "balance_transaction");
    json_set_int(json, "amount", movement->amount);
    json_set_int(json, "available_on", movement->created);
    json_set_int(json, "created", movement->created);
    json_set_string(json, "currency", movement->currency);
    json_set_null(json, "description");
    json_set_null(json, "exchange_rate");
    json_set_int(json, "fee", 0);
    json_set(json, "fee_details", json_array());
    json_set_int(json, "net", movement->amount);
    json_set_string(json, "reporting_category", reporting_category(movement));
    json_set_string(json, "source", movement->source);
    json_set_string(json, "status", "available");
    json_set_string(json, "type", movement->type);
    return json;
}
