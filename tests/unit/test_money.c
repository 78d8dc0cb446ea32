/* Amounts as text, there and back: exactly, or not at all. */
#include "money.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static int64_t parsed(const char *text, int decimals)
{
    int64_t amount = -1;
    bool good = money_parse(text, decimals, &amount);
    cr_expect_eq(good, amount >= 0, "'%s'", text);
    return amount;
}

static void prints(int64_t amount, int decimals, const char *expected)
{
    char *text = money_print(amount, decimals);
    cr_expect_str_eq(text, expected);
    free(text);
}

Test(money, currencies_have_their_places)
{
    cr_expect_eq(money_decimals("usd"), 2);
    cr_expect_eq(money_decimals("jpy"), 0);
    cr_expect_eq(money_decimals("kwd"), 3);
    cr_expect_eq(money_decimals("y x"), 2);
    cr_expect_eq(money_decimals(""), 2);
}

Test(money, a_decimal_is_exact)
{
    cr_expect_eq(parsed("20.00", 2), 2000);
    cr_expect_eq(parsed("20", 2), 2000);
    cr_expect_eq(parsed("20.5", 2), 2050);
    cr_expect_eq(parsed("0.07", 2), 7);
    cr_expect_eq(parsed("007", 0), 7);
    cr_expect_eq(parsed("1.234", 3), 1234);
    cr_expect_eq(parsed("0", 2), 0);
    cr_expect_eq(parsed("999999.99", 2), MONEY_LARGEST);
}

Test(money, anything_else_is_no_amount)
{
    static const char *const bad[] = {"",
                                      ".",
                                      "1.",
                                      ".5",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1,0",
                                      "1e2",
                                      "0x1",
                                      "1.2.3",
                                      "1.005",
                                      "1000000",
                                      "nan",
                                      "9223372036854775808",
                                      "99999999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_eq(parsed(bad[i], 2), -1);
    cr_expect_eq(parsed("500.0", 0), -1);
}

Test(money, is_printed_with_all_its_places)
{
    prints(2000, 2, "20.00");
    prints(7, 2, "0.07");
    prints(500, 0, "500");
    prints(1234, 3, "1.234");
    prints(5, 3, "0.005");
    prints(MONEY_LARGEST, 2, "999999.99");
}
