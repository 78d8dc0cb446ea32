/* For every cause: a history that has it. */
#include "asked.h"

#include <criterion/criterion.h>

static struct json *attempt(struct past *past, uint64_t number, const char *key, const char *body)
{
    past_invoke(past, number, "order_1", key, body);
    return past->history.events[past->history.count - 1].data;
}

static void charged(struct past *past, uint64_t number)
{
    past_charge(past, number, number == 1 ? "ch_1" : "ch_2");
}

static void expect_cause(struct past *past, enum invariant invariant, enum cause cause)
{
    cr_assert_eq(ask(invariant, past), VIOLATED);
    cr_expect_eq(findings.items[0].cause, cause, "%s", cause_name(findings.items[0].cause));
    forget(past);
}

/* --- a second charge -------------------------------------------------------------------------- */

Test(causes, of_a_second_charge_without_a_key)
{
    struct past past = past_new();
    attempt(&past, 1, "a", "f");
    charged(&past, 1);
    attempt(&past, 2, NULL, "f");
    charged(&past, 2);
    expect_cause(&past, INVARIANT_charged_once, CAUSE_no_key);

    past = past_new();
    attempt(&past, 1, NULL, "f");
    charged(&past, 1);
    json_set_string(attempt(&past, 2, NULL, "f"), "ignored", "X-Idempotency-Key");
    charged(&past, 2);
    expect_cause(&past, INVARIANT_charged_once, CAUSE_key_not_looked_at);

    past = past_new();
    attempt(&past, 1, NULL, "f");
    charged(&past, 1);
    json_set_int(attempt(&past, 2, NULL, "f"), "copy_of", 1);
    charged(&past, 2);
    expect_cause(&past, INVARIANT_charged_once, CAUSE_delivered_twice);
}

Test(causes, of_a_second_charge_under_another_key)
{
    struct past past = past_new();
    attempt(&past, 1, "a", "f");
    charged(&past, 1);
    attempt(&past, 2, "b", "f");
    charged(&past, 2);
    expect_cause(&past, INVARIANT_charged_once, CAUSE_new_key);

    past = past_new();
    past_add(&past, EVENT_START, 0, "order_1");
    attempt(&past, 1, "a", "f");
    charged(&past, 1);
    past_add(&past, EVENT_CRASH, 0, "order_1");
    past_add(&past, EVENT_EXIT, 0, "order_1");
    past_add(&past, EVENT_START, 0, "order_1");
    attempt(&past, 2, "b", "f");
    charged(&past, 2);
    expect_cause(&past, INVARIANT_charged_once, CAUSE_key_lost);

    past = past_new();
    past_add(&past, EVENT_START, 0, "order_1");
    past_add(&past, EVENT_START, 0, "order_1");
    attempt(&past, 1, "a", "f");
    charged(&past, 1);
    attempt(&past, 2, "b", "f");
    charged(&past, 2);
    expect_cause(&past, INVARIANT_charged_once, CAUSE_concurrent_twin);
}

Test(causes, of_a_second_charge_under_one_key)
{
    struct past past = past_new();
    attempt(&past, 1, "a", "f");
    charged(&past, 1);
    past.now_ms += INT64_C(25) * 3600 * 1000;
    attempt(&past, 2, "a", "f");
    charged(&past, 2);
    expect_cause(&past, INVARIANT_charged_once, CAUSE_key_expired);

    past = past_new();
    attempt(&past, 1, "a", "f");
    charged(&past, 1);
    attempt(&past, 2, "a", "g");
    charged(&past, 2);
    expect_cause(&past, INVARIANT_charged_once, CAUSE_body_changed);

    past = past_new();
    attempt(&past, 1, "a", "f");
    charged(&past, 1);
    past_answer(&past, EVENT_INFO, 1, 500, NULL);
    attempt(&past, 2, "a", "f");
    charged(&past, 2);
    expect_cause(&past, INVARIANT_charged_once, CAUSE_answer_not_kept);
}

/* --- an untrue claim -------------------------------------------------------------------------- */

/* An order that is charged if CHARGED, whose last try was answered so (0: not at all), and what the
 * client says of it. */
static struct past told(bool is_charged, int64_t status, const char *outcome)
{
    struct past past = past_new();
    attempt(&past, 1, "a", "f");
    if (is_charged)
        charged(&past, 1);
    if (status != 0)
        past_answer(&past,
                    status >= 500   ? EVENT_INFO
                    : status >= 400 ? EVENT_FAIL
                                    : EVENT_OK,
                    1, status, NULL);
    past_claim(&past, outcome, NULL);
    return past;
}

Test(causes, of_a_claim_that_it_failed)
{
    static const struct {
        int64_t status;
        enum cause cause;
    } cases[] = {{0, CAUSE_silence_as_failure},         {500, CAUSE_error_as_failure},
                 {409, CAUSE_refused_retry_as_failure}, {429, CAUSE_refused_retry_as_failure},
                 {402, CAUSE_later_no_as_failure},      {200, CAUSE_yes_as_failure}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct past past = told(true, cases[i].status, "failed");
        expect_cause(&past, INVARIANT_failure_is_not_charged, cases[i].cause);
    }
    struct past past = past_new();
    past_charge(&past, 0, "ch_1");
    past_claim(&past, "failed", NULL);
    expect_cause(&past, INVARIANT_failure_is_not_charged, CAUSE_gave_up);
}

Test(causes, of_a_claim_that_it_was_paid)
{
    static const struct {
        int64_t status;
        enum cause cause;
    } cases[] = {{0, CAUSE_silence_as_success},
                 {503, CAUSE_error_as_success},
                 {402, CAUSE_no_as_success},
                 {200, CAUSE_before_settlement}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct past past = told(false, cases[i].status, "succeeded");
        expect_cause(&past, INVARIANT_success_is_charged, cases[i].cause);
    }
}

Test(causes, have_names_that_can_be_read_back)
{
    enum cause cause;
    for (int i = 0; i < CAUSE_COUNT; i++) {
        cr_expect(cause_parse(cause_name((enum cause)i), &cause));
        cr_expect_eq((int)cause, i);
        cr_expect_gt(strlen(cause_words((enum cause)i)), 5);
    }
    cr_expect_not(cause_parse("nothing", &cause));
}
