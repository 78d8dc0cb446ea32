#include "nesting.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define ANY  "*" /* read by whoever takes it, unknown members refused there */
#define LIST "[]"

#define METHOD_TYPES                                                                               \
    " acss_debit affirm afterpay_clearpay alipay alma amazon_pay au_becs_debit bacs_debit"         \
    " bancontact blik boleto card card_present cashapp customer_balance eps fpx giropay grabpay"   \
    " ideal interac_present klarna konbini link mobilepay multibanco oxxo p24 pay_by_bank paynow"  \
    " paypal pix promptpay revolut_pay sepa_debit sofort swish twint us_bank_account wechat_pay"   \
    " zip "

/* Each member has a space before and behind it. Source: Stripe's API reference. */
static const struct root {
    const char *name;
    const char *members;
} ROOTS[] = {
    {"address", ANY},
    {"automatic_payment_methods", " allow_redirects enabled "},
    {"automatic_tax", " enabled liability "},
    {"billing_details", ANY},
    {"card", " cvc exp_month exp_year name networks number token "},
    {"consent_collection", " payment_method_reuse_agreement promotions terms_of_service "},
    {"created", ANY},
    {"custom_text", " after_submit shipping_address submit terms_of_service_acceptance "},
    {"customer_update", " address name shipping "},
    {"enabled_events", LIST},
    {"evidence", ANY},
    {"expand", LIST},
    {"fraud_details", " user_report "},
    {"invoice_creation", " enabled invoice_data "},
    {"invoice_settings", ANY},
    {"line_items", ANY},
    {"mandate_data", " customer_acceptance "},
    {"metadata", ANY},
    {"payment_intent_data", ANY},
    {"payment_method_data",
     " allow_redisplay billing_details metadata radar_options type" METHOD_TYPES},
    {"payment_method_options", METHOD_TYPES},
    {"payment_method_types", LIST},
    {"phone_number_collection", " enabled "},
    {"saved_payment_method_options",
     " allow_redisplay_filters payment_method_remove payment_method_save "},
    {"setup_intent_data", ANY},
    {"shipping", " address carrier name phone tracking_number "},
    {"shipping_address_collection", " allowed_countries "},
    {"source", ANY},
    {"tax_id_collection", " enabled required "},
    {"types", LIST},
};

static const struct root *find(const char *name)
{
    for (size_t i = 0; i < sizeof ROOTS / sizeof ROOTS[0]; i++)
        if (strcmp(ROOTS[i].name, name) == 0)
            return &ROOTS[i];
    return NULL;
}

/* MEMBER has LENGTH bytes. */
static bool is_among(const char *members, const char *member, size_t length)
{
    for (const char *at = members; (at = strchr(at, ' ')) != NULL; at++)
        if (strncmp(at + 1, member, length) == 0 && at[1 + length] == ' ' && length > 0)
            return true;
    return false;
}

static bool is_index(const char *member, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)member[i]))
            return false;
    return true;
}

enum nesting nesting_of(const char *name, const char *root)
{
    const char *bracket = name + strlen(root);
    const struct root *row = find(root);
    if (*bracket == '\0' || (row != NULL && strcmp(row->members, ANY) == 0))
        return NESTING_FITS;
    if (row == NULL)
        return NESTING_TEXT;
    size_t length = strcspn(bracket + 1, "]");
    bool fits = strcmp(row->members, LIST) == 0
                    ? is_index(bracket + 1, length) && bracket[length + 2] == '\0'
                    : is_among(row->members, bracket + 1, length);
    return fits ? NESTING_FITS : NESTING_UNKNOWN;
}

bool nesting_is_method_type(const char *text)
{
    return is_among(METHOD_TYPES, text, strlen(text));
}
