#include "json.h"
#include "mem.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct json *parsed(const char *text)
{
    struct json *json;
    struct err_text why = {0};
    cr_assert_eq(json_parse(text, strlen(text), &json, &why), ERR_OK, "%s: %s", text, why.text);
    return json;
}

/* Compares what JSON prints as, and frees both. */
static void expect_text(struct json *json, const char *text)
{
    char *printed = json_print(json);
    cr_expect_str_eq(printed, text);
    free(printed);
    json_free(json);
}

Test(json, objects_keep_the_order_of_insertion)
{
    struct json *json = json_object();
    json_set_string(json, "z", "last letter, first member");
    json_set_int(json, "a", 1);
    json_set_bool(json, "m", true);
    json_set_null(json, "n");
    json_set_string(json, "s", NULL);
    json_maybe_string(json, "left out", NULL);
    json_set(json, "list", json_array());
    expect_text(json, "{\"z\":\"last letter, first member\",\"a\":1,\"m\":true,\"n\":null,"
                      "\"s\":null,\"list\":[]}");
}

Test(json, setting_again_replaces_in_place)
{
    struct json *json = json_object();
    json_set_int(json, "a", 1);
    json_set_int(json, "b", 2);
    json_set_string(json, "a", "new");
    cr_assert_eq(json_count(json), 2);
    expect_text(json, "{\"a\":\"new\",\"b\":2}");
}

Test(json, names_are_case_sensitive)
{
    struct json *json = json_object();
    json_set_int(json, "key", 1);
    json_set_int(json, "Key", 2);
    cr_assert_eq(json_get_int(json, "Key", 0), 2);
    cr_assert_null(json_get(json, "KEY"));
    json_free(json);
}

Test(json, integers_print_exactly_over_the_whole_range)
{
    static const int64_t numbers[] = {0,
                                      -1,
                                      INT64_C(999999999999),
                                      INT64_C(1000000000000),
                                      INT64_C(-1000000000000),
                                      INT64_C(1767225600000),
                                      INT64_C(9007199254740993),
                                      INT64_MAX,
                                      INT64_MIN};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct json *json = json_int(numbers[i]);
        int64_t again;
        cr_expect(json_as_int(json, &again));
        cr_expect_eq(again, numbers[i]);
        char *text = mem_printf("%" PRId64, numbers[i]);
        expect_text(json_copy(json), text);
        expect_text(json, text);
        free(text);
    }
}

Test(json, integers_of_15_digits_survive_the_way_back)
{
    static const char *const texts[] = {
        "999999999999999", "-999999999999999", "1767225600000", "1e3", "120.0", "-0"};
    static const int64_t numbers[] = {
        INT64_C(999999999999999), INT64_C(-999999999999999), INT64_C(1767225600000), 1000, 120, 0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct json *json = parsed(texts[i]);
        int64_t number = -7;
        cr_expect(json_as_int(json, &number), "%s", texts[i]);
        cr_expect_eq(number, numbers[i], "%s", texts[i]);
        json_free(json);
    }
}

/* A wrong number is worse than none. */
Test(json, what_a_double_cannot_hold_is_no_integer)
{
    static const char *const texts[] = {"1e300", "0.5", "\"5\"", "true", "null"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct json *json = parsed(texts[i]);
        int64_t number;
        cr_expect_not(json_as_int(json, &number), "%s was taken", texts[i]);
        json_free(json);
    }
    int64_t number;
    cr_assert_not(json_as_int(NULL, &number));
}

Test(json, a_missing_or_other_member_is_the_default)
{
    struct json *json = parsed("{\"text\":\"t\",\"number\":5,\"yes\":true,\"none\":null}");
    cr_assert_str_eq(json_get_string(json, "text"), "t");
    cr_assert_null(json_get_string(json, "number"));
    cr_assert_null(json_get_string(json, "absent"));
    cr_assert_eq(json_get_int(json, "number", -1), 5);
    cr_assert_eq(json_get_int(json, "text", -1), -1);
    cr_assert_eq(json_get_bool(json, "yes", false), true);
    cr_assert_eq(json_get_bool(json, "number", true), true);
    cr_assert(json_is_null(json_get(json, "none")));
    cr_assert_not(json_is_null(json_get(json, "absent")));
    json_free(json);
}

Test(json, looking_into_what_is_no_object_finds_nothing)
{
    struct json *text = json_string("scalar");
    struct json *list = parsed("[1,2,3]");
    cr_assert_null(json_get(NULL, "a"));
    cr_assert_null(json_get(text, "a"));
    cr_assert_null(json_get(list, "a"));
    cr_assert_eq(json_count(NULL), 0);
    cr_assert_null(json_first(NULL));
    cr_assert_null(json_first(text));
    cr_assert_null(json_as_string(NULL));
    cr_assert_not(json_as_bool(NULL));
    json_free(text);
    json_free(list);
    json_free(NULL);
    cr_assert_null(json_copy(NULL));
}

Test(json, children_come_in_order_and_with_their_names)
{
    struct json *json = parsed("{\"a\":1,\"b\":[10,20]}");
    const struct json *child = json_first(json);
    cr_assert_str_eq(json_name(child), "a");
    child = json_next(child);
    cr_assert_str_eq(json_name(child), "b");
    cr_assert(json_is_array(child));
    cr_assert_null(json_next(child));
    int64_t sum = 0, number;
    for (child = json_first(child); child != NULL; child = json_next(child)) {
        cr_assert(json_as_int(child, &number));
        cr_assert_null(json_name(child));
        sum += number;
    }
    cr_assert_eq(sum, 30);
    json_free(json);
}

Test(json, a_copy_is_deep_and_its_own)
{
    struct json *json = parsed("{\"a\":{\"b\":[1,{\"c\":\"x\"}]}}");
    struct json *copy = json_copy(json);
    json_free(json);
    expect_text(copy, "{\"a\":{\"b\":[1,{\"c\":\"x\"}]}}");
}

Test(json, text_is_escaped_and_comes_back)
{
    static const char text[] = "quote \" back \\ line \n tab \t bell \x07 € 😀 </script>";
    struct json *json = json_string(text);
    char *printed = json_print(json);
    struct json *again = parsed(printed);
    cr_assert_str_eq(json_as_string(again), text);
    cr_assert_null(strchr(printed, '\n'), "one message is one line");
    free(printed);
    json_free(again);
    json_free(json);
}

Test(json, pretty_text_means_the_same)
{
    struct json *json = parsed("{\"a\":[1,2],\"b\":{}}");
    char *pretty = json_print_pretty(json);
    cr_assert_not_null(strchr(pretty, '\n'));
    expect_text(parsed(pretty), "{\"a\":[1,2],\"b\":{}}");
    free(pretty);
    json_free(json);
}

Test(json, white_space_around_the_value_is_fine)
{
    expect_text(parsed(" \r\n\t{ \"a\" : 1 } \r\n\t"), "{\"a\":1}");
}

Test(json, anything_but_one_value_is_refused)
{
    static const char *const wrong[] = {"",       " ",     "{",         "[1,]",  "{\"a\":1,}",
                                        "{a:1}",  "'a'",   "nul",       "1 2",   "{} x",
                                        "\"open", "[1 2]", "{\"a\" 1}", "tru e", "\"\\u12\""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct json *json = (struct json *)&json;
        struct err_text why = {0};
        cr_expect_eq(json_parse(wrong[i], strlen(wrong[i]), &json, &why), ERR_INVALID, "%s",
                     wrong[i]);
        cr_expect_null(json);
        cr_expect_not_null(strstr(why.text, "not valid JSON"));
        cr_expect_eq(json_parse(wrong[i], strlen(wrong[i]), &json, NULL), ERR_INVALID);
    }
}

Test(json, the_byte_of_an_error_is_named)
{
    struct json *json;
    struct err_text why;
    cr_assert_eq(json_parse("[1,2,x]", 7, &json, &why), ERR_INVALID);
    cr_assert_str_eq(why.text, "not valid JSON (at byte 5)");
}

Test(json, the_length_counts_not_the_nul)
{
    struct json *json;
    cr_assert_eq(json_parse("12junk", 2, &json, NULL), ERR_OK);
    expect_text(json, "12");
    cr_assert_eq(json_parse("1\0", 2, &json, NULL), ERR_INVALID, "a NUL is not white space");
    char *unterminated = mem_alloc(2);
    unterminated[0] = '[';
    unterminated[1] = ']';
    cr_assert_eq(json_parse(unterminated, 2, &json, NULL), ERR_OK);
    json_free(json);
    free(unterminated);
}

Test(json, nests_100_deep_and_no_deeper)
{
    for (size_t depth = 100; depth <= 101; depth++) {
        char text[256];
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        struct json *json;
        enum err expected = depth == 100 ? ERR_OK : ERR_INVALID;
        cr_assert_eq(json_parse(text, 2 * depth, &json, NULL), expected, "depth %zu", depth);
        json_free(json);
    }
    size_t deep = 1000000;
    char *hostile = mem_alloc(deep);
    memset(hostile, '[', deep);
    struct json *json;
    cr_assert_eq(json_parse(hostile, deep, &json, NULL), ERR_INVALID);
    free(hostile);
}

Test(json, setting_into_what_is_no_object_is_a_bug, .signal = SIGABRT)
{
    cr_redirect_stderr();
    json_set_int(json_array(), "a", 1);
}

Test(json, pushing_into_what_is_no_array_is_a_bug, .signal = SIGABRT)
{
    cr_redirect_stderr();
    json_push(json_object(), json_null());
}

Test(json, what_would_be_changed_is_refused)
{
    static const char *const wrong[] = {"1234567890123456789",
                                        "[1,-9007199254740993]",
                                        "9007199254740992",
                                        "9223372036854775807",
                                        "{\"a\":05}",
                                        "-00",
                                        "1e999",
                                        "\"a\\u0000b\"",
                                        "{\"a\\u0000\":1}",
                                        "[\"\\\\\\u0000\"]"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct json *json;
        struct err_text why = {0};
        cr_expect_eq(json_parse(wrong[i], strlen(wrong[i]), &json, &why), ERR_INVALID, "%s",
                     wrong[i]);
        cr_expect_neq(strstr(why.text, "at byte"), NULL, "%s", why.text);
        cr_expect_null(json);
    }
}

Test(json, what_only_looks_like_it_is_taken)
{
    static const char *const good[] = {"123456789012345",
                                       "-0",
                                       "0.5",
                                       "1e-9",
                                       "[10,0]",
                                       "\"1234567890123456789\"",
                                       "\"\\\\u0000\"",
                                       "\"say \\\"05\\\"\""};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct json *json;
        cr_expect_eq(json_parse(good[i], strlen(good[i]), &json, NULL), ERR_OK, "%s", good[i]);
        json_free(json);
    }
}

Test(json, equal_whatever_the_order)
{
    struct json *one = NULL;
    struct json *other = NULL;
    cr_assert_eq(json_parse("{\"a\":1,\"b\":[true]}", 18, &one, NULL), ERR_OK);
    cr_assert_eq(json_parse("{\"b\":[true],\"a\":1}", 18, &other, NULL), ERR_OK);
    cr_expect(json_equal(one, other));
    json_set_int(other, "a", 2);
    cr_expect_not(json_equal(one, other));
    cr_expect_not(json_equal(one, NULL));
    json_free(one);
    json_free(other);
}
