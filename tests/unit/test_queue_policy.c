/* How a job queue delivers again: what is written, and what it comes to. */
#include "queue_policy.h"
#include "quoted.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct queue_policy read_policy(const char *text)
{
    struct queue_policy policy;
    struct err_text why = {0};
    struct json *json = quoted(text);
    cr_assert_eq(queue_policy_from_json(json, &policy, &why), ERR_OK, "%s: %s", text, why.text);
    json_free(json);
    return policy;
}

/* The pauses after the first five deliveries, in seconds. */
static void expect_pauses(const char *backoff, const char *wanted)
{
    char text[200];
    char got[200] = "";
    snprintf(text, sizeof text, "{'backoff':%s}", backoff);
    struct queue_policy policy = read_policy(text);
    for (int i = 1; i <= 5; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%g ",
                 (double)queue_policy_pause_ms(&policy, i) / 1000);
    cr_expect_str_eq(got, wanted, "%s: %s", backoff, got);
}

Test(queue_policy, pauses)
{
    expect_pauses("'0'", "0 0 0 0 0 ");
    expect_pauses("'10s'", "10 10 10 10 10 ");
    expect_pauses("['1s','10s','25h']", "1 10 90000 90000 90000 ");
    expect_pauses("{'first':'1s'}", "1 2 4 8 16 ");
    expect_pauses("{'first':'1s','factor':1}", "1 1 1 1 1 ");
    expect_pauses("{'first':'2s','factor':1.5,'most':'5s'}", "2 3 4.5 5 5 ");
    expect_pauses("{'first':'9s','most':'5s'}", "5 5 5 5 5 ");
}

Test(queue_policy, says_nothing_of_what_is_left_out)
{
    struct queue_policy nothing = {0};
    cr_expect_eq(queue_policy_pause_ms(&nothing, 1), 0);
    struct queue_policy policy = read_policy("{'tries':3}");
    cr_expect_eq(policy.tries, 3);
    cr_expect_eq(policy.pause_count, 0);
    cr_expect_eq(policy.visibility_timeout_ms, 0);
    cr_expect_eq(queue_policy_pause_ms(&policy, 0), 0);
}

Test(queue_policy, pauses_that_grow_stay_within_a_life)
{
    struct queue_policy policy = read_policy("{'backoff':{'first':'1d','factor':100}}");
    cr_expect_eq(queue_policy_pause_ms(&policy, 1000), queue_policy_pause_ms(&policy, 999),
                 "and no overflow");
}

Test(queue_policy, the_first_one_counts_field_by_field)
{
    struct queue_policy scenario = read_policy("{'backoff':'25h'}");
    struct queue_policy client =
        read_policy("{'tries':3,'backoff':['1s','2s'],'visibility_timeout':'90s'}");
    struct queue_policy both = queue_policy_over(&scenario, &client);
    cr_expect_eq(both.tries, 3);
    cr_expect_eq(both.pause_count, 1);
    cr_expect_eq(queue_policy_pause_ms(&both, 2), INT64_C(25) * 3600 * 1000);
    cr_expect_eq(both.visibility_timeout_ms, 90000);
    both = queue_policy_over(&(struct queue_policy){0}, &client);
    cr_expect_eq(queue_policy_pause_ms(&both, 2), 2000);
}

/* Left: the table. Right: the words that the sentence must contain. */
static const char *const WRONG[][2] = {
    {"7", "queue is a table"},
    {"{}", "queue is a table"},
    {"[]", "queue is a table"},
    {"{'trie':3}", "queue has no field 'trie' (did you mean tries?)"},
    {"{'tries':0}", "tries is a whole number from 1 to 1000"},
    {"{'tries':1.5}", "tries is a whole number"},
    {"{'tries':'3'}", "tries is a whole number"},
    {"{'backoff':10}", "backoff is a duration"},
    {"{'backoff':'10'}", "backoff: "},
    {"{'backoff':[]}", "backoff is a list of 1 to 32"},
    {"{'backoff':['1s',2]}", "backoff is a duration"},
    {"{'backoff':{}}", "backoff is a duration, a list of them, or"},
    {"{'backoff':{'first':'1s','max':'2s'}}", "backoff has no field 'max'"},
    {"{'backoff':{'first':'1s','factor':0.5}}", "backoff.factor is a number from 1 to 100"},
    {"{'backoff':{'first':'1s','most':2}}", "backoff.most is a duration"},
    {"{'visibility_timeout':90}", "visibility_timeout is a duration"},
    {"{'visibility_timeout':'0s'}", "visibility_timeout is longer than 0"},
};

Test(queue_policy, what_is_wrong_is_named)
{
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct queue_policy policy;
        struct err_text why = {0};
        struct json *json = quoted(WRONG[i][0]);
        cr_expect_eq(queue_policy_from_json(json, &policy, &why), ERR_INVALID, "%s", WRONG[i][0]);
        cr_expect_not_null(strstr(why.text, WRONG[i][1]), "%s: %s", WRONG[i][0], why.text);
        cr_expect_eq(policy.tries, 0);
        json_free(json);
    }
}
