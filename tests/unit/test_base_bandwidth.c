#include "bandwidth.h"

#include <criterion/criterion.h>
#include <string.h>

Test(bandwidth, is_read_in_every_unit)
{
    static const struct {
        const char *text;
        int64_t bytes;
    } right[] = {{"1B/s", 1},     {"500B/s", 500},    {"8kB/s", 8000}, {"1.5kB/s", 1500},
                 {".5kB/s", 500}, {"1MB/s", 1000000}, {"0.6B/s", 1},   {"0.25MB/s", 250000}};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        int64_t bytes = -1;
        struct err_text why = {0};
        cr_expect_eq(bandwidth_parse(right[i].text, &bytes, &why), ERR_OK, "%s: %s", right[i].text,
                     why.text);
        cr_expect_eq(bytes, right[i].bytes, "%s is not %lld", right[i].text, (long long)bytes);
    }
}

Test(bandwidth, what_is_none_is_refused_with_the_remedy)
{
    static const struct {
        const char *text;
        const char *word;
    } wrong[] = {{"", "no bandwidth"},
                 {"8", "unit"},
                 {"fast", "no bandwidth"},
                 {"8kb/s", "did you mean kB/s?"},
                 {"8KB/s", "did you mean kB/s?"},
                 {"8kB", "unit"},
                 {"8 kB/s", "unit"},
                 {"8kbit/s", "unit"},
                 {"-8kB/s", "no bandwidth"},
                 {"1.2.3B/s", "no bandwidth"},
                 {"0B/s", "within"},
                 {"0.4B/s", "within"},
                 {"1.1MB/s", "within"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        int64_t bytes;
        struct err_text why = {0};
        cr_expect_eq(bandwidth_parse(wrong[i].text, &bytes, &why), ERR_INVALID, "%s",
                     wrong[i].text);
        cr_expect_not_null(strstr(why.text, wrong[i].word), "%s: %s", wrong[i].text, why.text);
        cr_expect_eq(bandwidth_parse(wrong[i].text, &bytes, NULL), ERR_INVALID);
    }
}

Test(bandwidth, is_written_in_the_shortest_exact_form)
{
    cr_assert_str_eq(bandwidth_format(8000).text, "8kB/s");
    cr_assert_str_eq(bandwidth_format(1500).text, "1500B/s");
    cr_assert_str_eq(bandwidth_format(1).text, "1B/s");
    cr_assert_str_eq(bandwidth_format(2000000).text, "2MB/s");
}
