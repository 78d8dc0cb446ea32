#include "duration.h"

#include <criterion/criterion.h>
#include <string.h>

Test(duration, is_read_in_every_unit)
{
    static const struct {
        const char *text;
        int64_t ms;
    } right[] = {
        {"0", 0},          {"0ms", 0},        {"0s", 0},
        {"1ms", 1},        {"250ms", 250},    {"2s", 2000},
        {"1.5s", 1500},    {".5s", 500},      {"5m", 300000},
        {"25h", 90000000}, {"3d", 259200000}, {"0.001s", 1},
        {"0.0004s", 0},    {"007s", 7000},    {"36600d", INT64_C(3162240000000)},
    };
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        int64_t ms = -1;
        struct err_text why = {0};
        cr_expect_eq(duration_parse(right[i].text, &ms, &why), ERR_OK, "%s: %s", right[i].text,
                     why.text);
        cr_expect_eq(ms, right[i].ms, "%s is not %lld", right[i].text, (long long)ms);
    }
}

Test(duration, what_is_none_is_refused_with_the_remedy)
{
    static const char *const wrong[] = {
        "",
        "5",
        "1.5",
        "s",
        "ms",
        "-1s",
        "+1s",
        " 1s",
        "1 s",
        "1s ",
        "1S",
        "1sec",
        "1s2",
        "1.2.3s",
        "1e3s",
        "0x10s",
        ".s",
        "..5s",
        "infs",
        "nans",
        "36601d",
        "1,5s",
        "٣s",
        "1w",
        "99999999999999999999999999999999999999999999999999999999999999999d",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        int64_t ms = 77;
        struct err_text why = {0};
        cr_expect_eq(duration_parse(wrong[i], &ms, &why), ERR_INVALID, "%s was taken", wrong[i]);
        cr_expect_eq(ms, 77, "%s changed the result", wrong[i]);
        cr_expect(strstr(why.text, wrong[i]) != NULL, "'%s' is not named in: %s", wrong[i],
                  why.text);
        cr_expect_eq(duration_parse(wrong[i], &ms, NULL), ERR_INVALID);
    }
}

Test(duration, a_unit_of_other_places_is_understood_and_refused)
{
    static const struct {
        const char *text;
        const char *said;
    } wrong[] = {
        {"5", "'5' needs a unit: one of ms, s, m, h, d"},
        {"1sec", "'1sec' needs a unit (did you mean 1s?): one of ms, s, m, h, d"},
        {"1.5S", "'1.5S' needs a unit (did you mean 1.5s?): one of"},
        {"5 min", "'5 min' needs a unit: one of"},
        {"5min", "(did you mean 5m?)"},
        {"5millis", "(did you mean 5ms?)"},
        {"5msec", "(did you mean 5ms?)"},
        {"2hours", "(did you mean 2h?)"},
        {"2days", "(did you mean 2d?)"},
        {"2months", "'2months' needs a unit: one of"},
        {"1w", "'1w' needs a unit: one of"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        int64_t ms;
        struct err_text why = {0};
        cr_expect_eq(duration_parse(wrong[i].text, &ms, &why), ERR_INVALID);
        cr_expect_not_null(strstr(why.text, wrong[i].said), "%s: %s", wrong[i].text, why.text);
    }
}

Test(duration, is_written_in_the_shortest_exact_form)
{
    cr_expect_str_eq(duration_format(0).text, "0ms");
    cr_expect_str_eq(duration_format(1).text, "1ms");
    cr_expect_str_eq(duration_format(999).text, "999ms");
    cr_expect_str_eq(duration_format(1000).text, "1s");
    cr_expect_str_eq(duration_format(1500).text, "1500ms");
    cr_expect_str_eq(duration_format(90000).text, "90s");
    cr_expect_str_eq(duration_format(3600000).text, "1h");
    cr_expect_str_eq(duration_format(86400000).text, "1d");
    cr_expect_str_eq(duration_format(90000000).text, "25h");
    cr_expect_str_eq(duration_format(INT64_MAX).text, "9223372036854775807ms");
    cr_expect_str_eq(duration_format(-1000).text, "-1s");
}

Test(duration, what_is_written_can_be_read)
{
    for (int64_t ms = 0; ms < INT64_C(100000000000); ms = ms * 3 + 1) {
        int64_t again = -1;
        cr_assert_eq(duration_parse(duration_format(ms).text, &again, NULL), ERR_OK);
        cr_assert_eq(again, ms);
    }
}
