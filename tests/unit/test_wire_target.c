/* Which requests `on` speaks of. */
#include "quoted.h"
#include "target.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct target_list read_on(const char *text)
{
    struct target_list list;
    struct err_text why = {0};
    struct json *json = quoted(text);
    cr_assert_eq(target_list_from_json(json, FAILPOINT_RECEIVED, &list, &why), ERR_OK, "%s: %s",
                 text, why.text);
    json_free(json);
    return list;
}

/* REQUEST is "POST /v1/charges"; ROUTE its route, or NULL. */
static bool meets(const char *on, const char *request, const char *route)
{
    char method[10], path[100], copy[100] = "";
    cr_assert_eq(sscanf(request, "%9s %99s", method, path), 2);
    snprintf(copy, sizeof copy, "%s", route == NULL ? "" : route);
    struct attempt attempt = {.method = method, .path = path, .route = route == NULL ? NULL : copy};
    struct target_list list = read_on(on);
    bool met = target_list_matches(&list, &attempt);
    target_list_release(&list);
    return met;
}

Test(target, names_a_method_and_a_path)
{
    cr_expect(meets("'POST /v1/charges'", "POST /v1/charges", NULL));
    cr_expect_not(meets("'POST /v1/charges'", "GET /v1/charges", NULL));
    cr_expect_not(meets("'POST /v1/charges'", "POST /v1/charge", NULL));
    cr_expect_not(meets("'POST /v1/charges'", "POST /v1/charges/ch_1", NULL));
    cr_expect_not(meets("'POST /v1/charges/'", "POST /v1/charges", NULL));
    cr_expect_not(meets("'POST /v1/c?arges'", "POST /v1/charges", NULL), "a star is all there is");
    cr_expect_not(meets("'POST /v1/[c]harges'", "POST /v1/charges", NULL));
}

Test(target, a_star_stands_for_any_text)
{
    cr_expect(meets("'* *'", "DELETE /", NULL));
    cr_expect(meets("'* /v1/charges*'", "POST /v1/charges", NULL));
    cr_expect(meets("'* /v1/charges*'", "GET /v1/charges/ch_1/capture", NULL));
    cr_expect(meets("'* */capture'", "POST /v1/charges/ch_1/capture", NULL));
    cr_expect(meets("'* /v1/*/*/capture'", "POST /v1/charges/ch_1/capture", NULL));
    cr_expect(meets("'* *a*b*'", "GET /aab", NULL));
    cr_expect_not(meets("'* *a*b'", "GET /aabc", NULL));
    cr_expect_not(meets("'* */capture'", "POST /v1/charges/ch_1/captures", NULL));
    cr_expect_not(meets("'* /v2*'", "POST /v1/v2", NULL));
}

Test(target, a_name_in_braces_stands_for_one_segment)
{
    static const char *const capture = "'POST /v1/charges/{id}/capture'";
    cr_expect(meets(capture, "POST /v1/charges/ch_1/capture", NULL));
    cr_expect(meets("'* /v1/{what}/{id}'", "POST /v1/charges/ch_1", NULL));
    cr_expect(meets("'* */{id}/capture'", "POST /v1/charges/ch_1/capture", NULL));
    cr_expect(meets("'* /v1/{what}/*'", "POST /v1/charges/ch_1/capture", NULL));
    cr_expect_not(meets(capture, "POST /v1/charges//capture", NULL));
    cr_expect_not(meets(capture, "POST /v1/charges/ch_1/x/capture", NULL));
    cr_expect_not(meets("'* /v1/charges/{id}'", "POST /v1/charges/", NULL));
    cr_expect_not(meets("'* /v1/charges/{id}'", "POST /v1/charges", NULL));
}

Test(target, braces_mean_what_the_route_leaves_open)
{
    static const char *const one = "'GET /v1/charges/{id}'";
    cr_expect(meets(one, "GET /v1/charges/ch_1", "GET /v1/charges/{charge}"));
    cr_expect_not(meets(one, "GET /v1/charges/search", "GET /v1/charges/search"));
    cr_expect(meets("'* /v1/customers/cus_1/sources/{id}'", "GET /v1/customers/cus_1/sources/card",
                    "GET /v1/customers/{id}/sources/{id}"));
    cr_expect(meets("'* /v1/charges/search'", "GET /v1/charges/search", "GET /v1/charges/search"));
    cr_expect(meets("'* /v1/*'", "GET /v1/charges/search", "GET /v1/charges/search"));
}

Test(target, may_be_several)
{
    static const char *const list = "['POST /v1/charges','POST /v1/refunds']";
    cr_expect(meets(list, "POST /v1/charges", NULL));
    cr_expect(meets(list, "POST /v1/refunds", NULL));
    cr_expect_not(meets(list, "POST /v1/customers", NULL));
    cr_expect_not(meets(list, "GET /v1/charges", NULL));
}

Test(target, what_is_read_can_be_written)
{
    static const char *const texts[] = {"'POST /v1/*'", "'* *'",
                                        "['POST /v1/charges/{id}','GET *']"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct target_list list = read_on(texts[i]);
        expect_quoted(target_list_to_json(&list), texts[i]);
        target_list_release(&list);
        cr_expect_eq(list.count, 0);
    }
}

/* Left: what is given. Right: what the sentence must contain. */
static const char *const WRONG[][2] = {
    {"7", "on is text, or a list of texts"},
    {"[]", "a list of 1 to 50 texts"},
    {"['POST *',7]", "on is text"},
    {"['POST *','/v1']", "on = \"/v1\": write a method and a path"},
    {"'PSOT /v1/charges'", "'PSOT' is no method (did you mean POST?)"},
    {"'post /v1/charges'", "'post' is no method (did you mean POST?)"},
    {"'PAY /v1/charges'", "'PAY' is no method"},
    {"'POST /v1/{id'", "a name in braces stands for one whole segment"},
    {"'POST /v1/id}'", "one whole segment"},
    {"'POST /v1/{}'", "one whole segment"},
    {"'POST /v1/x{id}'", "one whole segment"},
    {"'POST /v1/{id}x'", "one whole segment"},
    {"'POST /v1/{id}*'", "one whole segment"},
    {"'POST /v1/{{id}}'", "one whole segment"},
    {"'POST /v1/{a/b}'", "one whole segment"},
};

Test(target, what_is_none_is_refused)
{
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct target_list list;
        struct err_text why = {0};
        struct json *json = quoted(WRONG[i][0]);
        cr_expect_eq(target_list_from_json(json, FAILPOINT_RECEIVED, &list, &why), ERR_INVALID,
                     "%s", WRONG[i][0]);
        cr_expect(strstr(why.text, WRONG[i][1]) != NULL, "%s: %s", WRONG[i][0], why.text);
        cr_expect_null(list.items);
        json_free(json);
    }
    struct target_list list;
    struct json *many = json_array();
    for (int i = 0; i < TARGETS_MOST + 1; i++)
        json_push(many, json_string("* *"));
    cr_expect_eq(target_list_from_json(many, FAILPOINT_RECEIVED, &list, NULL), ERR_INVALID);
    json_free(many);
}
