/* The words of the ledger, without a database: cards, money, ids, and which moves a charge and an
 * intent can make. */
#include "card.h"
#include "charge.h"
#include "intent.h"
#include "money.h"
#include "object_id.h"
#include "refund.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <signal.h>
#include <string.h>

/* --- cards and money -------------------------------------------------------------------------- */

Test(card, is_found_by_every_name)
{
    static const char *const names[] = {"pm_card_visa", "tok_visa", "4242424242424242",
                                        "4242 4242 4242 4242"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_expect_eq(card_find(names[i]), card_default(), "%s", names[i]);
    cr_expect_str_eq(card_last4(card_find("tok_amex")), "0005");
}

Test(card, is_not_found_by_any_other)
{
    static const char *const names[] = {"",
                                        " ",
                                        "visa",
                                        "PM_CARD_VISA",
                                        "4242424242424241",
                                        "42424242424242424",
                                        "424242424242424",
                                        "4111111111111111",
                                        "4242-4242-4242-4242",
                                        "pm_card_visa "};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_expect_null(card_find(names[i]), "%s", names[i]);
}

Test(card, a_decline_has_an_error_code)
{
    cr_expect_str_eq(card_error_code("insufficient_funds"), "card_declined");
    cr_expect_str_eq(card_error_code("expired_card"), "expired_card");
    cr_expect_str_eq(card_error_code("whatever a scenario says"), "card_declined");
}

Test(money, knows_currencies_in_lower_case)
{
    cr_expect(money_currency_known("usd") && money_currency_known("jpy"));
    cr_expect_not(money_currency_known("USD") || money_currency_known("xxx") ||
                  money_currency_known("us") || money_currency_known("usdd") ||
                  money_currency_known("") || money_currency_known("d a") ||
                  money_currency_known(" us"));
}

Test(money, does_not_overflow)
{
    int64_t sum = 7;
    cr_expect(money_add(INT64_MAX - 1, 1, &sum));
    cr_expect_eq(sum, INT64_MAX);
    cr_expect_not(money_add(INT64_MAX, 1, &sum));
    cr_expect_not(money_add(INT64_MIN, -1, &sum));
    cr_expect_eq(sum, INT64_MAX);
}

/* --- moves ------------------------------------------------------------------------------------ */

Test(charge, moves_as_the_table_says)
{
    static const char wanted[CHARGE_STATE_COUNT][CHARGE_STATE_COUNT + 1] = {
        [CHARGE_PENDING] = "00101", /* to captured, failed */
        [CHARGE_AUTHORIZED] = "00110", [CHARGE_CAPTURED] = "00000",
        [CHARGE_RELEASED] = "00000",   [CHARGE_FAILED] = "00000",
    };
    for (int from = 0; from < CHARGE_STATE_COUNT; from++)
        for (int to = 0; to < CHARGE_STATE_COUNT; to++)
            cr_expect_eq(charge_may_move((enum charge_state)from, (enum charge_state)to),
                         wanted[from][to] == '1', "%s -> %s",
                         charge_state_name((enum charge_state)from),
                         charge_state_name((enum charge_state)to));
}

Test(refund, moves_as_the_table_says)
{
    static const char wanted[REFUND_STATE_COUNT][REFUND_STATE_COUNT + 1] = {
        [REFUND_SUCCEEDED] = "0010", /* to failed */
        [REFUND_PENDING] = "1001",
        [REFUND_FAILED] = "0000",
        [REFUND_CANCELED] = "0000",
    };
    for (int from = 0; from < REFUND_STATE_COUNT; from++)
        for (int to = 0; to < REFUND_STATE_COUNT; to++)
            cr_expect_eq(refund_may_move((enum refund_state)from, (enum refund_state)to),
                         wanted[from][to] == '1', "%s -> %s",
                         refund_state_name((enum refund_state)from),
                         refund_state_name((enum refund_state)to));
}

Test(intent, moves_as_the_table_says)
{
    static const char wanted[INTENT_STATUS_COUNT][INTENT_STATUS_COUNT + 1] = {
        [INTENT_REQUIRES_PAYMENT_METHOD] = "0100001", /* to requires_confirmation, canceled */
        [INTENT_REQUIRES_CONFIRMATION] = "1011111",
        [INTENT_REQUIRES_ACTION] = "1101111",
        [INTENT_PROCESSING] = "1000010",
        [INTENT_REQUIRES_CAPTURE] = "0000011",
        [INTENT_SUCCEEDED] = "0000000",
        [INTENT_CANCELED] = "0000000",
    };
    for (int from = 0; from < INTENT_STATUS_COUNT; from++)
        for (int to = 0; to < INTENT_STATUS_COUNT; to++)
            cr_expect_eq(intent_may_move((enum intent_status)from, (enum intent_status)to),
                         wanted[from][to] == '1', "%s -> %s",
                         intent_status_name((enum intent_status)from),
                         intent_status_name((enum intent_status)to));
}

Test(intent, any_other_move_is_a_bug, .signal = SIGABRT, .init = cr_redirect_stderr)
{
    struct intent intent = {.status = INTENT_SUCCEEDED};
    intent_move(&intent, INTENT_CANCELED);
}

/* --- ids -------------------------------------------------------------------------------------- */

Test(object_id, is_the_prefix_and_letters_from_the_seed)
{
    struct rng rng;
    struct rng other;
    rng_init(&rng, 7);
    rng_init(&other, 7);
    struct object_id id = object_id_make(&rng, "ch_");
    cr_expect_str_eq(id.text, object_id_make(&other, "ch_").text);
    cr_expect_str_neq(id.text, object_id_make(&rng, "ch_").text);
    cr_expect_eq(strncmp(id.text, "ch_", 3), 0);
    cr_expect_eq(strlen(id.text), 27);
}
