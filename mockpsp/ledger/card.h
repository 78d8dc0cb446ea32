/* The test cards and bank accounts: what a payment method, a token or a number stands for, and what
 * its issuer says.
 *
 * A number that is not in this table is refused and never written anywhere. Source: STRIPE_FACTS
 * §4, "Test methods". */
#ifndef CARD_H
#define CARD_H

#include <stdbool.h>
#include <stdint.h>

#define CARD_SETTLE_MS INT64_C(60000) /* a bank account's payment is processing for so long */

#define CARD_AUTHORIZED_MS INT64_C(604800000) /* what is set aside is free again after 7 days */

enum card_settles {
    CARD_SETTLES_AT_ONCE,
    CARD_SETTLES_LATER, /* after CARD_SETTLE_MS on the provider's clock */
    CARD_SETTLES_NEVER  /* only when somebody says so at the control plane */
};

/* What becomes of a refund to it. */
enum card_refunds {
    CARD_REFUNDS_AT_ONCE,
    CARD_REFUNDS_LATER, /* pending for CARD_SETTLE_MS */
    CARD_REFUNDS_FAIL   /* comes back after CARD_SETTLE_MS */
};

struct card {
    const char *method;       /* "pm_card_visa": the name it is kept under */
    const char *token;        /* "tok_visa" */
    const char *number;       /* "4242424242424242" */
    const char *brand;        /* "visa"; NULL: a bank account */
    const char *code;         /* NULL: pays; else the error code: "card_declined", … */
    const char *decline_code; /* the issuer's reason, NULL when it pays */
    bool needs_action;        /* pays only after the customer has authenticated */
    enum card_settles settles;
    enum card_refunds refunds;
};

/* "card" or "us_bank_account". */
const char *card_type(const struct card *card);

/* By payment method, token or number (spaces allowed). NULL when it is no test card. */
const struct card *card_find(const char *text);

/* Whether the issuer lets CARD be saved for a customer. Most of those that decline charges refuse
 * that, too; pm_card_chargeCustomerFail can be saved and declines afterwards. */
bool card_can_be_saved(const struct card *card);

/* The card that pays when a charge names none. */
const struct card *card_default(void);

/* The last four digits. */
const char *card_last4(const struct card *card);

/* The error code that goes with an issuer's reason: "expired_card" for itself, "card_declined" for
 * most. */
const char *card_error_code(const char *decline_code);

#endif
