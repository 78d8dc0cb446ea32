/* Parameters: every spelling of a form that is one, and every one that is not; UTF-8. */
#include "params.h"
#include "utf8.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct params parse(const char *form)
{
    struct params params = {0};
    struct err_text why = {0};
    cr_assert_eq(params_parse(form, strlen(form), &params, &why), ERR_OK, "%s: %s", form, why.text);
    return params;
}

/* That FORM is one parameter. */
static void expect_pair(const char *form, const char *name, const char *value)
{
    struct params params = parse(form);
    cr_assert_eq(params.count, 1, "%s", form);
    cr_expect_str_eq(params.list[0].name, name);
    cr_expect_str_eq(params.list[0].value, value);
    params_release(&params);
}

static void expect_refused(const char *form, size_t length, enum err wanted)
{
    struct params params = {0};
    struct err_text why = {0};
    cr_expect_eq(params_parse(form, length, &params, &why), wanted, "%s", form);
    cr_expect_str_neq(why.text, "");
    params_release(&params);
}

Test(params, pairs)
{
    expect_pair("a=b", "a", "b");
    expect_pair("a=", "a", "");
    expect_pair("a", "a", "");
    expect_pair("a=b=c", "a", "b=c");
    expect_pair("a+b=c+d", "a b", "c d");
    expect_pair("%61=%62", "a", "b");
    expect_pair("a=%2B%26%3D%25", "a", "+&=%");
    expect_pair("a=%e2%82%AC", "a", "\xe2\x82\xac");
    expect_pair("&&a=b&", "a", "b");
    expect_pair("a=;", "a", ";");
}

Test(params, brackets)
{
    expect_pair("a[b]=c", "a[b]", "c");
    expect_pair("a%5Bb%5d=c", "a[b]", "c");
    expect_pair("a[]=c", "a[]", "c");
    expect_pair("a[0][b]=c", "a[0][b]", "c");
    expect_pair("a[b][c][d][e][f]=g", "a[b][c][d][e][f]", "g");
    expect_pair("a=[", "a", "[");
}

Test(params, nothing_is_no_parameter)
{
    struct params params = parse("");
    cr_expect_eq(params.count, 0);
    cr_expect_null(params_get(&params, "a"));
    params_release(&params);
    params = parse("&&&");
    cr_expect_eq(params.count, 0);
    params_release(&params);
}

Test(params, broken_forms_are_refused)
{
    static const char *const broken[] = {
        "a=%",      "a=%1",    "a=%zz",  "a=%0",  "%=a",      "a=%00",   "=a",
        "[a]=b",    "]=b",     "a[=b",   "a]=b",  "a[b=c",    "a[b]c=d", "a[b]]=c",
        "a[[b]]=c", "a[b][=c", "a=\xff", "a=%ff", "a=%c3%28", "\xc3=a",  "a=b&=c",
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        expect_refused(broken[i], strlen(broken[i]), ERR_INVALID);
    expect_refused("a=\0b", 4, ERR_INVALID);
    expect_refused("a[1][2][3][4][5][6]=x", 21, ERR_LIMIT);
}

/* Of a thousand members each carries the names of all that it stands in. */
Test(params, names_have_an_end)
{
    char form[PARAMS_LONGEST_NAME + 3];
    struct params params = {0};
    memset(form, 'a', sizeof form);
    form[PARAMS_LONGEST_NAME] = '=';
    cr_expect_eq(params_parse(form, PARAMS_LONGEST_NAME + 2, &params, NULL), ERR_OK);
    params_release(&params);
    form[PARAMS_LONGEST_NAME] = 'a';
    form[PARAMS_LONGEST_NAME + 1] = '=';
    expect_refused(form, sizeof form, ERR_LIMIT);
}

Test(params, a_thousand_are_the_most)
{
    char form[2 * (PARAMS_MOST + 1)];
    struct params params = {0};
    for (size_t i = 0; i < sizeof form; i++)
        form[i] = i % 2 == 0 ? 'a' : '&';
    cr_expect_eq(params_parse(form, sizeof form - 2, &params, NULL), ERR_OK);
    cr_expect_eq(params.count, PARAMS_MOST);
    params_release(&params);
    expect_refused(form, sizeof form, ERR_LIMIT);
}

/* Query and body go into one list. */
Test(params, are_appended_and_the_last_of_a_name_counts)
{
    struct params params = parse("a=1&b=2");
    cr_assert_eq(params_parse("a=3", 3, &params, NULL), ERR_OK);
    cr_expect_eq(params.count, 3);
    cr_expect_str_eq(params_get(&params, "a"), "3");
    cr_expect_str_eq(params_get(&params, "b"), "2");
    cr_expect_null(params_get(&params, "A"));
    params_release(&params);
}

Test(params, the_length_is_taken_at_its_word)
{
    struct params params = {0};
    cr_assert_eq(params_parse("a=b&c=d%", 5, &params, NULL), ERR_OK);
    cr_expect_eq(params.count, 2);
    cr_expect_str_eq(params.list[1].name, "c");
    params_release(&params);
    expect_refused("a=%41", 4, ERR_INVALID);
}

static bool under(char *name, const char *root)
{
    return params_under(&(struct param){.name = name}, root);
}

Test(params, know_what_they_are_under)
{
    char plain[] = "a", one[] = "a[b]", longer[] = "ab[c]";
    cr_expect(under(plain, "a") && under(one, "a") && under(longer, "ab"));
    cr_expect_not(under(longer, "a") || under(plain, "ab") || under(one, "b"));
}

static void expect_inner(const char *form, const char *wanted)
{
    struct params params = parse(form);
    char *inner = params_inner_name(&params.list[0], "a");
    if (wanted == NULL)
        cr_expect_null(inner, "%s", form);
    else
        cr_expect_str_eq(inner, wanted);
    free(inner);
    params_release(&params);
}

Test(params, have_an_inner_name_when_they_are_flat)
{
    expect_inner("a[b]=c", "b");
    expect_inner("a[]=c", "");
    expect_inner("a[b c]=c", "b c");
    expect_inner("a=c", NULL);
    expect_inner("a[b][c]=d", NULL);
    expect_inner("b[c]=d", NULL);
    expect_inner("ab[c]=d", NULL);
}

Test(utf8, the_edges_of_every_length)
{
    static const char *const good[] = {
        "",
        "a",
        "\x7f",
        "\xc2\x80",
        "\xdf\xbf",
        "\xe0\xa0\x80",
        "\xed\x9f\xbf",
        "\xee\x80\x80",
        "\xef\xbf\xbf",
        "\xf0\x90\x80\x80",
        "\xf4\x8f\xbf\xbf",
    };
    static const char *const bad[] = {
        "\x80",
        "\xbf",
        "\xc0\x80",
        "\xc1\xbf",
        "\xc2",
        "\xc2\x41",
        "\xe0\x9f\xbf",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xe2\x82",
        "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf0\x90\x80",
        "\xff",
        "a\xfe",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        cr_expect(utf8_valid(good[i]), "good %zu", i);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_not(utf8_valid(bad[i]), "bad %zu", i);
}
