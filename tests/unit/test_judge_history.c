/* A journal that somebody else's traffic has left: whose order each event is. */
#include "judge_history.h"
#include "past.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* A request number for past_invoke's event, without which it is no attempt. */
static void past_attempt(struct past *past, uint64_t number, const char *order)
{
    past_invoke(past, number, order, "k_1", "f");
    json_set_int(past->history.events[past->history.count - 1].data, "number", (int64_t)number);
}

Test(judge_history, an_order_that_only_the_journal_tells_is_kept)
{
    struct past past = past_new();
    struct judge_claims none = {0};
    size_t count;
    past_attempt(&past, 1, "a name that is longer than a few bytes");
    past_charge_of(&past, 1, "a name that is longer than a few bytes", "ch_1", 4217, "usd");
    past_answer(&past, EVENT_OK, 1, 200, NULL);
    json_set_string(past_add(&past, EVENT_FAULT, 0, "a name that is longer than a few bytes"), "at",
                    "webhook"); /* of no request, and nothing in it tells whose */
    struct result *results =
        judge_history(&past.history, &none, NULL, "a test", (struct judge_rules){0}, &count);
    cr_assert_eq(count, 1);
    cr_expect_str_eq(results->file, "sk_test_a");
    cr_assert_eq(results->history.count, 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect_str_eq(results->history.events[i].order,
                         "a name that is longer than a few bytes");
    cr_expect_eq(results->verdict, VERDICT_PASS);
    result_release(results);
    free(results);
    past_release(&past);
}

Test(judge_history, two_accounts_are_two_verdicts)
{
    struct past past = past_new();
    struct judge_claims none = {0};
    size_t count;
    past_attempt(&past, 1, "order_1");
    past_charge(&past, 1, "ch_1");
    past_answer(&past, EVENT_OK, 1, 200, NULL);
    past_attempt(&past, 2, "order_1");
    json_set_string(past.history.events[past.history.count - 1].data, "account", "sk_test_b");
    past_charge(&past, 2, "ch_2");
    past_answer(&past, EVENT_OK, 2, 200, NULL);
    json_set_string(past_add(&past, EVENT_FAULT, 1, "order_1"), "at", "after_commit");
    struct result *results =
        judge_history(&past.history, &none, NULL, "a test", (struct judge_rules){0}, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(results[0].verdict, VERDICT_PASS, "two charges, but of two orders");
    cr_expect_eq(results[1].verdict, VERDICT_INCONCLUSIVE, "nothing struck there");
    for (size_t i = 0; i < count; i++)
        result_release(&results[i]);
    free(results);
    past_release(&past);
}
