#include "card.h"

#include <string.h>

#define VISA(suffix, number, code, decline)                                                        \
    {                                                                                              \
        "pm_card_" suffix, "tok_" suffix, number, "visa", code, decline, false                     \
    }

static const struct card CARDS[] = {
    {"pm_card_visa", "tok_visa", "4242424242424242", "visa", NULL, NULL, false},
    {"pm_card_mastercard", "tok_mastercard", "5555555555554444", "mastercard", NULL, NULL, false},
    {"pm_card_amex", "tok_amex", "378282246310005", "amex", NULL, NULL, false},
    VISA("chargeDeclined", "4000000000000002", "card_declined", "generic_decline"),
    VISA("chargeDeclinedInsufficientFunds", "4000000000009995", "card_declined",
         "insufficient_funds"),
    VISA("chargeDeclinedLostCard", "4000000000009987", "card_declined", "lost_card"),
    VISA("chargeDeclinedStolenCard", "4000000000009979", "card_declined", "stolen_card"),
    VISA("chargeDeclinedExpiredCard", "4000000000000069", "expired_card", "expired_card"),
    VISA("chargeDeclinedIncorrectCvc", "4000000000000127", "incorrect_cvc", "incorrect_cvc"),
    VISA("chargeDeclinedProcessingError", "4000000000000119", "processing_error",
         "processing_error"),
    {"pm_card_authenticationRequired", "tok_authenticationRequired", "4000002500003155", "visa",
     NULL, NULL, true},
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
            same_number(CARDS[i].number, text))
            return &CARDS[i];
    return NULL;
}

const struct card *card_default(void)
{
    return &CARDS[0];
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
