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

static void question(struct past *past, uint64_t number, const char *path)
{
    struct json *data = past_add(past, EVENT_INVOKE, number, "order_1");
    json_set_string(data, "method", "GET");
    json_set_string(data, "path", path);
    past_answer(past, EVENT_OK, number, 200, NULL);
}

/* The first try is executed when the second one is over: whoever asked in between found nothing. */
Test(causes, of_a_second_charge_after_a_look)
{
    struct past past = past_new();
    attempt(&past, 1, "a", "f");
    question(&past, 2, "/v1/payment_intents");
    attempt(&past, 3, "b", "f");
    charged(&past, 3);
    charged(&past, 1);
    expect_cause(&past, INVARIANT_charged_once, CAUSE_asked_in_vain);

    past = past_new();
    attempt(&past, 1, "a", "f");
    question(&past, 2, "/v1/payment_intents");
    attempt(&past, 3, "b", "f");
    charged(&past, 1);
    expect_cause(&past, INVARIANT_key_survives, CAUSE_asked_in_vain);

    past = past_new(); /* that says nothing of payments */
    attempt(&past, 1, "a", "f");
    charged(&past, 1);
    question(&past, 2, "/v1/customers/cus_1");
    attempt(&past, 3, "b", "f");
    past_charge(&past, 3, "ch_2");
    expect_cause(&past, INVARIANT_charged_once, CAUSE_new_key);
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

/* Three requests, none of which was answered: not one of them is the reason. */
Test(causes, of_giving_up)
{
    struct past past = past_new();
    past_add(&past, EVENT_START, 0, "order_1");
    for (uint64_t i = 1; i <= 3; i++) {
        attempt(&past, i, "a", "f");
        if (i == 1)
            charged(&past, 1);
        past_answer(&past, EVENT_INFO, i, 503, NULL);
    }
    past_claim(&past, "failed", NULL);
    expect_cause(&past, INVARIANT_failure_is_not_charged, CAUSE_gave_up);
}

Test(causes, of_a_payment_that_is_not_the_one)
{
    struct past past = told(true, 200, "succeeded");
    past_refund(&past, "ch_1", 4217);
    expect_cause(&past, INVARIANT_success_is_charged, CAUSE_refunded);

    past = past_new();
    attempt(&past, 1, "a", "f");
    charged(&past, 1);
    past_claim(&past, "succeeded", "pi_9");
    expect_cause(&past, INVARIANT_success_is_charged, CAUSE_other_payment);
}

/* --- what is not known, and what is not right ------------------------------------------------- */

/* After the faults the order's request is answered so (0: there is none), and it stays unknown. */
static struct past unsettled(int64_t status, bool replayed)
{
    struct past past = past_new();
    attempt(&past, 1, "a", "f");
    past_heal(&past);
    if (status != 0) {
        attempt(&past, 2, "a", "f");
        past_answer(&past, status >= 500 ? EVENT_INFO : EVENT_OK, 2, status, NULL);
        json_set_bool(past.history.events[past.history.count - 1].data, "replayed", replayed);
    }
    past_claim(&past, "unknown", NULL);
    return past;
}

Test(causes, of_not_knowing)
{
    struct past past = unsettled(0, false);
    expect_cause(&past, INVARIANT_settles, CAUSE_never_asked);
    past = unsettled(500, true);
    expect_cause(&past, INVARIANT_settles, CAUSE_spent_key);
    past = unsettled(500, false);
    expect_cause(&past, INVARIANT_settles, CAUSE_never_answered);
    past = unsettled(200, true);
    expect_cause(&past, INVARIANT_settles, CAUSE_answer_not_believed);
}

Test(causes, of_a_key_with_two_meanings)
{
    struct past past = past_new();
    orders_add(&past.orders, "order_2", 1200, "usd");
    attempt(&past, 1, "a", "f");
    past_invoke(&past, 2, "order_2", "a", "g");
    expect_cause(&past, INVARIANT_key_means_one_request, CAUSE_key_shared);

    past = past_new();
    attempt(&past, 1, "a", "f");
    attempt(&past, 2, "a", "g");
    expect_cause(&past, INVARIANT_key_means_one_request, CAUSE_body_changed);
}

Test(causes, of_a_charge_that_is_not_the_orders)
{
    static const struct {
        int64_t amount;
        const char *currency;
        enum cause cause;
    } cases[] = {{42, "usd", CAUSE_wrong_units},
                 {421700, "usd", CAUSE_wrong_units},
                 {4200, "usd", CAUSE_wrong_amount},
                 {4217, "eur", CAUSE_wrong_currency}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct past past = past_new();
        past_charge_of(&past, 0, "order_1", "ch_1", cases[i].amount, cases[i].currency);
        expect_cause(&past, INVARIANT_charge_matches_order, cases[i].cause);
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
