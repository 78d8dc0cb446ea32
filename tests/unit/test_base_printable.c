#include "printable.h"

#include <criterion/criterion.h>
#include <string.h>

static void shows(const char *text, const char *shown)
{
    struct buf out = {0};
    printable_add(&out, text, strlen(text), "");
    cr_expect_str_eq(buf_string(&out), shown);
    buf_release(&out);
}

Test(printable, what_can_be_shown_stays)
{
    shows("", "");
    shows("order_1 {\"a\":[~]}", "order_1 {\"a\":[~]}");
    shows("Zürich, 東京, 🙂", "Zürich, 東京, 🙂");
    shows("a\xc2\xa0z", "a\xc2\xa0z");
}

Test(printable, what_would_act_becomes_bytes)
{
    shows("\033[2J\a\r\n\t\177", "\\x1b[2J\\x07\\x0d\\x0a\\x09\\x7f");
    shows("\xc2\x9b"
          "31m",
          "\\xc2\\x9b31m");
    shows("\xe2\x80\xaelive\xe2\x80\xac", "\\xe2\\x80\\xaelive\\xe2\\x80\\xac");
    shows("\xe2\x80\x8b\xe2\x81\xa9\xef\xbb\xbf", "\\xe2\\x80\\x8b\\xe2\\x81\\xa9\\xef\\xbb\\xbf");
    shows("a\xc2\xad\xd8\x9c\xf3\xa0\x80\x81", "a\\xc2\\xad\\xd8\\x9c\\xf3\\xa0\\x80\\x81");
}

Test(printable, what_is_no_utf8_becomes_bytes)
{
    shows("\xff"
          "a",
          "\\xffa");
    shows("\x9b"
          "31m",
          "\\x9b31m");
    shows("\xc3", "\\xc3");
    shows("\xe2\x82", "\\xe2\\x82");
    shows("\xc0\x9b\xf8\x88", "\\xc0\\x9b\\xf8\\x88");
    shows("\xc3\033[m", "\\xc3\\x1b[m");
}

Test(printable, bytes_that_are_kept_and_nuls)
{
    struct buf out = {0};
    printable_add(&out, "a\n\0\tb", 5, "\n\t");
    cr_assert_str_eq(buf_string(&out), "a\n\\x00\tb");
    buf_release(&out);
}

static void shortens(const char *text, size_t most, const char *shown)
{
    struct buf out = {0};
    printable_add_short(&out, text, most);
    cr_expect_str_eq(buf_string(&out), shown);
    buf_release(&out);
}

Test(printable, what_is_too_long_loses_its_middle)
{
    shortens("12345678", 8, "12345678");
    shortens("123456789", 8, "1234..89");
    shortens("/v1/payment_intents/pi_8UylEGDxzEK2/confirm", 20, "/v1/payment_..onfirm");
    shortens("üüüüüüüüü", 8, "üüüü..üü");
    shortens("\033\033\033", 8, "\\x1b..1b");
}
