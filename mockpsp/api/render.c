#include "render.h"

#include "check.h"
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

static struct json *render_method_details(const struct card *card)
{
    struct json *json = json_object();
    json_set(json, "card", render_card(card));
    json_set_string(json, "type", "card");
    return json;
}

static struct json *render_outcome(const struct charge *charge)
{
    bool paid = charge_paid(charge);
    struct json *json = json_object();
    json_set_string(json, "network_status", paid ? "approved_by_network" : "declined_by_network");
    json_set_string(json, "reason", charge->decline_code);
    json_set_string(json, "type", paid ? "authorized" : "issuer_declined");
    return json;
}

static void add_failure(struct json *json, const char *decline_code)
{
    bool failed = decline_code != NULL;
    json_set_string(json, "failure_code", failed ? card_error_code(decline_code) : NULL);
    json_set_string(json, "failure_message", failed ? render_decline_message(decline_code) : NULL);
}

struct json *render_charge(const struct charge *charge)
{
    bool paid = charge_paid(charge);
    struct json *json = begin(charge->id, "charge", charge->created);
    json_set_int(json, "amount", charge->amount);
    json_set_int(json, "amount_captured", paid ? charge->amount : 0);
    json_set_int(json, "amount_refunded", charge->refunded);
    json_set_string(json, "balance_transaction", charge->transaction);
    json_set_bool(json, "captured", paid);
    json_set_string(json, "currency", charge->currency);
    json_set_string(json, "customer", charge->customer);
    json_set_string(json, "description", charge->description);
    add_failure(json, charge->decline_code);
    json_set(json, "metadata", parse_metadata(charge->metadata));
    json_set(json, "outcome", render_outcome(charge));
    json_set_bool(json, "paid", paid);
    json_set_string(json, "payment_intent", charge->intent);
    json_set_string(json, "payment_method", charge->card->method);
    json_set(json, "payment_method_details", render_method_details(charge->card));
    json_set_bool(json, "refunded", paid && charge->refunded == charge->amount);
    json_set_string(json, "status", paid ? "succeeded" : "failed");
    return json;
}

static struct json *render_last_error(const struct intent *intent)
{
    if (intent->decline_code == NULL)
        return json_null();
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

static struct json *render_method_types(void)
{
    struct json *types = json_array();
    json_push(types, json_string("card"));
    return types;
}

struct json *render_intent(const struct intent *intent)
{
    bool paid = intent->status == INTENT_SUCCEEDED;
    struct json *json = begin(intent->id, "payment_intent", intent->created);
    char *secret = mem_printf("%s_secret_%s", intent->id, intent->id + strlen("pi_"));
    json_set_int(json, "amount", intent->amount);
    json_set_int(json, "amount_capturable", 0);
    json_set_int(json, "amount_received", paid ? intent->amount : 0);
    json_set_string(json, "capture_method", "automatic");
    json_set_string(json, "client_secret", secret);
    json_set_string(json, "confirmation_method", "automatic");
    json_set_string(json, "currency", intent->currency);
    json_set_string(json, "customer", intent->customer);
    json_set_string(json, "description", intent->description);
    json_set(json, "last_payment_error", render_last_error(intent));
    json_set_string(json, "latest_charge", intent->latest_charge);
    json_set(json, "metadata", parse_metadata(intent->metadata));
    json_set(json, "next_action", render_next_action(intent));
    json_set_string(json, "payment_method", intent->card == NULL ? NULL : intent->card->method);
    json_set(json, "payment_method_types", render_method_types());
    json_set_string(json, "status", intent_status_name(intent->status));
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
    json_set_string(json, "status", "succeeded");
    return json;
}

struct json *render_customer(const struct customer *customer)
{
    struct json *json = begin(customer->id, "customer", customer->created);
    json_set_null(json, "currency");
    json_set_string(json, "description", customer->description);
    json_set_string(json, "email", customer->email);
    json_set(json, "metadata", parse_metadata(customer->metadata));
    json_set_string(json, "name", customer->name);
    json_set_string(json, "phone", customer->phone);
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
