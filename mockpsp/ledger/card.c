#include "card.h"

#include <string.h>

#define VISA(suffix, number, code, decline)                                                        \
    {                                                                                              \
        "pm_card_" suffix, "tok_" suffix, number, "visa", code, decline, false,                    \
            CARD_SETTLES_AT_ONCE, CARD_REFUNDS_AT_ONCE                                             \
    }

/* Accounts have numbers of their own kind: these are found by method alone. */
#define BANK(suffix, number, reason, settles)                                                      \
    {                                                                                              \
        "pm_usBankAccount_" suffix, "pm_usBankAccount_" suffix, number, NULL, reason, reason,      \
            false, settles, CARD_REFUNDS_AT_ONCE                                                   \
    }

static const struct card CARDS[] = {
    {"pm_card_visa", "tok_visa", "4242424242424242", "visa", NULL, NULL, false,
     CARD_SETTLES_AT_ONCE, CARD_REFUNDS_AT_ONCE},
    {"pm_card_mastercard", "tok_mastercard", "5555555555554444", "mastercard", NULL, NULL, false,
     CARD_SETTLES_AT_ONCE, CARD_REFUNDS_AT_ONCE},
    {"pm_card_amex", "tok_amex", "378282246310005", "amex", NULL, NULL, false, CARD_SETTLES_AT_ONCE,
     CARD_REFUNDS_AT_ONCE},
    VISA("chargeCustomerFail", "4000000000000341", "card_declined", "generic_decline"),
    VISA("chargeDeclined", "4000000000000002", "card_declined", "generic_decline"),
    VISA("chargeDeclinedInsufficientFunds", "4000000000009995", "card_declined",
         "insufficient_funds"),
    VISA("chargeDeclinedLostCard", "4000000000009987", "card_declined", "lost_card"),
    VISA("chargeDeclinedStolenCard", "4000000000009979", "card_declined", "stolen_card"),
    VISA("chargeDeclinedExpiredCard", "4000000000000069", "expired_card", "expired_card"),
    VISA("chargeDeclinedIncorrectCvc", "4000000000000127", "incorrect_cvc", "incorrect_cvc"),
    VISA("chargeDeclinedProcessingError", "4000000000000119", "processing_error",
         "processing_error"),
    VISA("createDispute", "4000000000000259", NULL, NULL),
    VISA("createDisputeProductNotReceived", "4000000000002685", NULL, NULL),
    {"pm_card_authenticationRequired", "tok_authenticationRequired", "4000002500003155", "visa",
     NULL, NULL, true, CARD_SETTLES_AT_ONCE, CARD_REFUNDS_AT_ONCE},
    {"pm_card_pendingRefund", "tok_pendingRefund", "4000000000007726", "visa", NULL, NULL, false,
     CARD_SETTLES_AT_ONCE, CARD_REFUNDS_LATER},
    {"pm_card_refundFail", "tok_refundFail", "4000000000005126", "visa", NULL, NULL, false,
     CARD_SETTLES_AT_ONCE, CARD_REFUNDS_FAIL},
    BANK("success", "000123456789", NULL, CARD_SETTLES_LATER),
    BANK("accountClosed", "000111111113", "account_closed", CARD_SETTLES_LATER),
    BANK("noAccount", "000111111116", "no_account", CARD_SETTLES_LATER),
    BANK("insufficientFunds", "000222222227", "insufficient_funds", CARD_SETTLES_LATER),
    BANK("debitNotAuthorized", "000333333335", "debit_not_authorized", CARD_SETTLES_LATER),
    BANK("processing", "000000000009", NULL, CARD_SETTLES_NEVER),
    BANK("processing_success", "000123456789", NULL, CARD_SETTLES_LATER),
    BANK("processing_failure", "000333333335", "debit_not_authorized", CARD_SETTLES_LATER),
};

#define CARD_COUNT (sizeof CARDS / sizeof CARDS[0])

/* Compares NUMBER with TEXT, whose spaces do not count. */
static bool same_number(const char *number, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == ' ')
            continue;
        if (*text != *number)
            return false;
        number++;
    }
    return *number == '\0';
}

const struct card *card_find(const char *text)
{
    for (size_t i = 0; i < CARD_COUNT; i++)
        if (strcmp(CARDS[i].method, text) == 0 || strcmp(CARDS[i].token, text) == 0 ||
            (CARDS[i].brand != NULL && same_number(CARDS[i].number, text)))
            return &CARDS[i];
    return NULL;
}

bool card_can_be_saved(const struct card *card)
{
    /* A bank says nothing until it is asked for money. */
    return card->decline_code == NULL || card->settles != CARD_SETTLES_AT_ONCE ||
           strcmp(card->method, "pm_card_chargeCustomerFail") == 0;
}

const struct card *card_default(void)
{
    return &CARDS[0];
}

const char *card_type(const struct card *card)
{
    return card->brand == NULL ? "us_bank_account" : "card";
}

const char *card_last4(const struct card *card)
{
    return card->number + strlen(card->number) - 4;
}

const char *card_error_code(const char *decline_code)
{
    for (size_t i = 0; i < CARD_COUNT; i++)
        if (CARDS[i].decline_code != NULL && strcmp(CARDS[i].decline_code, decline_code) == 0)
            return CARDS[i].code;
    return "card_declined";
}
