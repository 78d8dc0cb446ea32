/* For every invariant about how a client goes about it: a history that breaks it, and the ones that
 * look like it and are right. */
#include "asked.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

static enum cause blamed(void)
{
    return findings.items[0].cause;
}

static void start(struct past *past)
{
    past_add(past, EVENT_START, 0, "order_1");
}

static void crash(struct past *past)
{
    past_add(past, EVENT_CRASH, 0, "order_1");
}

/* The provider takes keys under this name; "": none. */
static void up(struct past *past, const char *key)
{
    json_set_string(past_add(past, EVENT_UP, 0, NULL), "key", key);
}

/* An attempt and its answer, status 0: none came. */
static void attempt(struct past *past, uint64_t number, const char *key, int64_t status)
{
    past_invoke(past, number, "order_1", key, "f");
    if (status == 0)
        json_set_string(past_add(past, EVENT_INFO, number, "order_1"), "how", "closed");
    else
        past_answer(past,
                    status >= 500   ? EVENT_INFO
                    : status >= 400 ? EVENT_FAIL
                                    : EVENT_OK,
                    number, status, NULL);
}

static void read_of(struct past *past, uint64_t number, const char *order)
{
    struct json *data = past_add(past, EVENT_INVOKE, number, order);
    json_set_string(data, "method", "GET");
    json_set_string(data, "path", "/v1/payment_intents");
    past_add(past, EVENT_OK, number, order);
}

Test(no_live_key, is_violated_by_one)
{
    struct past past = past_new();
    attempt(&past, 1, "a", 200);
    cr_expect_eq(ask(INVARIANT_no_live_key, &past), HOLDS);
    json_set_bool(past_add(&past, EVENT_INVOKE, 2, NULL), "live_key", true);
    cr_assert_eq(ask(INVARIANT_no_live_key, &past), VIOLATED);
    cr_expect(says("revoke"));
    cr_expect_eq(blamed(), CAUSE_live_key);
    forget(&past);
}

Test(key_sent, is_violated_without_one_where_there_are_keys)
{
    struct past past = past_new();
    attempt(&past, 1, NULL, 200);
    cr_expect_eq(ask(INVARIANT_key_sent, &past), HOLDS, "nobody knows whether there are keys");
    up(&past, "");
    cr_expect_eq(ask(INVARIANT_key_sent, &past), HOLDS);
    forget(&past);

    past = past_new();
    up(&past, "Idempotency-Key");
    attempt(&past, 1, "a", 200);
    read_of(&past, 2, "order_1");
    cr_expect_eq(ask(INVARIANT_key_sent, &past), HOLDS);
    attempt(&past, 3, NULL, 200);
    cr_assert_eq(ask(INVARIANT_key_sent, &past), VIOLATED);
    cr_expect(says("takes in Idempotency-Key"));
    cr_expect_eq(blamed(), CAUSE_no_key);
    forget(&past);
}

Test(key_sent, an_operation_id_is_as_good)
{
    struct past past = past_new();
    up(&past, "Idempotency-Key");
    struct json *data = past_add(&past, EVENT_INVOKE, 1, "order_1");
    struct json *params = json_object();
    json_set_bool(data, "pays", true);
    json_set_string(params, "operation_id", "op_1");
    json_set(data, "params", params);
    cr_expect_eq(ask(INVARIANT_key_sent, &past), HOLDS);
    forget(&past);
}

Test(key_survives, is_violated_by_a_new_key_after_silence)
{
    static const int64_t unknown[] = {0, 500, 503, 409};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        struct past past = past_new();
        attempt(&past, 1, "a", unknown[i]);
        attempt(&past, 2, "a", unknown[i]);
        cr_expect_eq(ask(INVARIANT_key_survives, &past), HOLDS);
        attempt(&past, 3, "b", 200);
        cr_expect_eq(ask(INVARIANT_key_survives, &past), VIOLATED, "%d", (int)unknown[i]);
        cr_expect_eq(blamed(), CAUSE_new_key);
        forget(&past);
    }
}

Test(key_survives, says_that_the_key_died_with_the_client)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "a", "f");
    crash(&past);
    past_invoke(&past, 2, "order_1", "b", "f");
    cr_assert_eq(ask(INVARIANT_key_survives, &past), VIOLATED);
    cr_expect(says("died with the client"));
    cr_expect_eq(blamed(), CAUSE_key_lost);
    forget(&past);
}

Test(key_survives, holds_after_a_definite_no_and_after_a_look)
{
    static const int64_t definite[] = {402, 400, 429};
    for (size_t i = 0; i < sizeof definite / sizeof definite[0]; i++) {
        struct past past = past_new();
        attempt(&past, 1, "a", definite[i]);
        attempt(&past, 2, "b", 200);
        cr_expect_eq(ask(INVARIANT_key_survives, &past), HOLDS, "%d", (int)definite[i]);
        forget(&past);
    }
    struct past past = past_new();
    attempt(&past, 1, "a", 0);
    read_of(&past, 2, NULL);
    attempt(&past, 3, "b", 200);
    cr_expect_eq(ask(INVARIANT_key_survives, &past), HOLDS);
    forget(&past);
}

/* The proxy passed on the no to the second delivery; nobody heard what became of the first. */
Test(key_survives, holds_after_a_no_to_the_second_of_two_deliveries)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "a", "f");
    json_set_string(past_add(&past, EVENT_INFO, 1, "order_1"), "how", "unheard");
    attempt(&past, 2, "b", 200);
    cr_expect_eq(ask(INVARIANT_key_survives, &past), VIOLATED);
    forget(&past);

    past = past_new();
    past_invoke(&past, 1, "order_1", "a", "f");
    past_invoke(&past, 2, "order_1", "a", "f");
    json_set_int(past.history.events[1].data, "copy_of", 1);
    json_set_string(past_add(&past, EVENT_INFO, 1, "order_1"), "how", "unheard");
    past_answer(&past, EVENT_FAIL, 2, 402, NULL);
    attempt(&past, 3, "b", 200);
    cr_expect_eq(ask(INVARIANT_key_survives, &past), HOLDS);
    forget(&past);
}

/* A key that repeats a 500 has done nothing the second time. */
Test(key_survives, a_replay_is_no_attempt)
{
    for (int asked = 0; asked < 2; asked++) {
        struct past past = past_new();
        attempt(&past, 1, "a", 500);
        if (asked == 1)
            read_of(&past, 2, NULL);
        attempt(&past, 3, "a", 500);
        json_set_bool(past.history.events[past.history.count - 1].data, "replayed", true);
        attempt(&past, 4, "b", 200);
        cr_expect_eq(ask(INVARIANT_key_survives, &past), asked == 1 ? HOLDS : VIOLATED);
        forget(&past);
    }
}

/* One of two has asked, and takes the new key that both will have; the other one is still at the
 * old key. Then its turn comes. */
Test(key_survives, holds_for_two_who_take_the_same_new_key)
{
    struct past past = past_new();
    start(&past);
    start(&past);
    attempt(&past, 1, "a", 500);
    read_of(&past, 2, NULL);
    attempt(&past, 3, "a", 500);
    attempt(&past, 4, "b", 0);
    attempt(&past, 5, "a", 500);
    attempt(&past, 6, "b", 200);
    cr_expect_eq(ask(INVARIANT_key_survives, &past), HOLDS);
    past_charge(&past, 3, "ch_1");
    cr_expect_eq(ask(INVARIANT_key_survives, &past), VIOLATED);
    forget(&past);
}

Test(key_survives, a_look_at_another_order_is_none)
{
    struct past past = past_new();
    attempt(&past, 1, "a", 0);
    read_of(&past, 2, "order_2");
    attempt(&past, 3, "b", 200);
    cr_expect_eq(ask(INVARIANT_key_survives, &past), VIOLATED);
    forget(&past);
}

Test(retries_only_retryable, is_violated_after_a_final_answer)
{
    struct past past = past_new();
    attempt(&past, 1, "a", 402);
    attempt(&past, 2, "b", 402);
    cr_expect_eq(ask(INVARIANT_retries_only_retryable, &past), HOLDS, "another key, another try");
    attempt(&past, 3, "b", 402);
    cr_assert_eq(ask(INVARIANT_retries_only_retryable, &past), VIOLATED);
    cr_expect(says("402"));
    cr_expect_eq(blamed(), CAUSE_final_again);
    forget(&past);
}

Test(retries_only_retryable, holds_after_what_may_be_tried_again)
{
    static const int64_t retryable[] = {0, 409, 425, 408, 429, 500, 200};
    for (size_t i = 0; i < sizeof retryable / sizeof retryable[0]; i++) {
        struct past past = past_new();
        attempt(&past, 1, "a", retryable[i]);
        attempt(&past, 2, "a", 200);
        cr_expect_eq(ask(INVARIANT_retries_only_retryable, &past), HOLDS, "%d", (int)retryable[i]);
        forget(&past);
    }
    struct past past = past_new();
    attempt(&past, 1, "a", 402);
    crash(&past);
    attempt(&past, 2, "a", 402);
    cr_expect_eq(ask(INVARIANT_retries_only_retryable, &past), HOLDS, "it never had its answer");
    forget(&past);
}

Test(retries_only_retryable, a_no_to_a_retry_says_nothing_about_the_first)
{
    struct past past = past_new();
    attempt(&past, 1, "a", 0);
    attempt(&past, 2, "a", 401);
    attempt(&past, 3, "a", 200);
    cr_expect_eq(ask(INVARIANT_retries_only_retryable, &past), HOLDS);
    attempt(&past, 4, "b", 401);
    attempt(&past, 5, "b", 401);
    cr_expect_eq(ask(INVARIANT_retries_only_retryable, &past), VIOLATED);
    forget(&past);
}

Test(retries_bounded, counts_the_tries_of_one_run)
{
    struct past past = past_new();
    uint64_t number = 0;
    for (int run = 0; run < 3; run++) {
        if (run > 0)
            past_add(&past, EVENT_EXIT, 0, "order_1");
        start(&past);
        for (int i = 0; i < 10; i++)
            attempt(&past, ++number, "a", 503);
    }
    cr_expect_eq(ask(INVARIANT_retries_bounded, &past), HOLDS);
    attempt(&past, ++number, "a", 503);
    cr_expect_eq(ask(INVARIANT_retries_bounded, &past), VIOLATED);
    attempt(&past, ++number, "a", 503);
    cr_assert_eq(ask(INVARIANT_retries_bounded, &past), VIOLATED);
    cr_expect_eq(blamed(), CAUSE_no_end);
    cr_expect_eq(findings.items[0].weight, 12);
    cr_expect(says("12 times"));
    forget(&past);
}

Test(waits_between_retries, is_violated_by_a_loop_without_a_pause)
{
    struct past past = past_new();
    start(&past);
    for (uint64_t i = 1; i <= 3; i++)
        attempt(&past, i, "a", 503);
    cr_expect_eq(ask(INVARIANT_waits_between_retries, &past), HOLDS);
    attempt(&past, 4, "a", 503);
    cr_expect_eq(ask(INVARIANT_waits_between_retries, &past), VIOLATED);
    cr_expect_eq(blamed(), CAUSE_no_pause);
    forget(&past);
}

Test(waits_between_retries, holds_where_there_are_pauses_or_other_runs)
{
    struct past past = past_new();
    start(&past);
    for (uint64_t i = 1; i <= 8; i++) {
        attempt(&past, i, "a", 503);
        if (i % 2 == 0)
            past.now_ms += 100;
    }
    cr_expect_eq(ask(INVARIANT_waits_between_retries, &past), HOLDS);
    forget(&past);
    past = past_new();
    for (uint64_t i = 1; i <= 8; i++) {
        start(&past); /* the queue's pauses are not the client's */
        attempt(&past, i, "a", 503);
    }
    cr_expect_eq(ask(INVARIANT_waits_between_retries, &past), HOLDS);
    forget(&past);
}

Test(waits_between_retries, takes_retry_after_at_its_word)
{
    for (int64_t pause_ms = 900; pause_ms <= 2000; pause_ms += 1100) {
        struct past past = past_new();
        past_invoke(&past, 1, "order_1", "a", "f");
        struct json *data = past_add(&past, EVENT_INFO, 1, "order_1");
        json_set_int(data, "status", 503);
        json_set_int(data, "retry_after", 2);
        past.now_ms += pause_ms;
        attempt(&past, 2, "a", 200);
        cr_expect_eq(ask(INVARIANT_waits_between_retries, &past),
                     pause_ms < 2000 ? VIOLATED : HOLDS);
        cr_expect(pause_ms >= 2000 || blamed() == CAUSE_retry_after_ignored);
        forget(&past);
    }
}

/* 25 clients are told 503 at the same moment; the I-th of them comes back after PAUSE_MS and I
 * times SPREAD_MS. */
static struct past herd(int64_t pause_ms, int64_t spread_ms)
{
    struct past past = past_new();
    char order[16];
    for (uint64_t i = 1; i <= 25; i++) {
        snprintf(order, sizeof order, "order_%" PRIu64, i);
        if (i > 1)
            orders_add(&past.orders, order, 4217, "usd");
        past_invoke(&past, i, order, order, "f");
        json_set_int(past_add(&past, EVENT_INFO, i, order), "status", 503);
    }
    for (uint64_t i = 1; i <= 25; i++) {
        past.now_ms += i == 1 ? pause_ms : spread_ms;
        snprintf(order, sizeof order, "order_%" PRIu64, i);
        past_invoke(&past, 25 + i, order, order, "f");
        past_answer(&past, EVENT_OK, 25 + i, 200, NULL);
    }
    return past;
}

Test(waits_between_retries, is_violated_by_a_herd)
{
    struct past past = herd(1000, 0);
    cr_assert_eq(ask(INVARIANT_waits_between_retries, &past), VIOLATED);
    cr_expect(says("a herd"));
    cr_expect_eq(blamed(), CAUSE_no_jitter);
    forget(&past);
    past = herd(1000, 20); /* half a second for all of them: jitter */
    cr_expect_eq(ask(INVARIANT_waits_between_retries, &past), HOLDS);
    forget(&past);
    past = herd(100, 0); /* their pause is as short as the provider's own work */
    cr_expect_eq(ask(INVARIANT_waits_between_retries, &past), HOLDS);
    forget(&past);
}

/* Which of two has sent a request is not known: the second of them is no retry of the first. */
Test(warnings, of_two_at_once_neither_is_the_others_retry)
{
    struct past past = past_new();
    uint64_t number = 0;
    start(&past);
    start(&past);
    attempt(&past, ++number, "a", 402);
    attempt(&past, ++number, "a", 402);
    cr_expect_eq(ask(INVARIANT_retries_only_retryable, &past), HOLDS);
    for (int i = 0; i < 18; i++)
        attempt(&past, ++number, "a", 503);
    cr_expect_eq(ask(INVARIANT_waits_between_retries, &past), HOLDS);
    cr_expect_eq(ask(INVARIANT_retries_bounded, &past), HOLDS);
    past_add(&past, EVENT_EXIT, 0, "order_1");
    attempt(&past, ++number, "a", 503);
    cr_expect_eq(ask(INVARIANT_retries_bounded, &past), VIOLATED);
    forget(&past);
}

static void hang(struct past *past)
{
    past_invoke(past, 1, "order_1", "a", "f");
    json_set_string(past_add(past, EVENT_FAULT, 1, "order_1"), "act", "hang");
}

Test(gives_up_in_time, is_violated_by_waiting_for_ever)
{
    struct past past = past_new();
    hang(&past);
    cr_assert_eq(ask(INVARIANT_gives_up_in_time, &past), VIOLATED);
    cr_expect(says("still waited for"));
    cr_expect_eq(blamed(), CAUSE_no_timeout);
    past.now_ms += 91000;
    past_add(&past, EVENT_INFO, 1, "order_1");
    cr_assert_eq(ask(INVARIANT_gives_up_in_time, &past), VIOLATED);
    cr_expect(says("given up only"));
    forget(&past);
    past = past_new();
    hang(&past);
    past.now_ms += 80000;
    past_add(&past, EVENT_INFO, 1, "order_1");
    cr_expect_eq(ask(INVARIANT_gives_up_in_time, &past), HOLDS);
    forget(&past);
}

Test(storm_is_bounded, counts_failures_without_a_break)
{
    struct past past = past_new();
    for (uint64_t i = 1; i <= 50; i++)
        attempt(&past, i, "a", i % 2 == 0 ? 429 : 503);
    cr_expect_eq(ask(INVARIANT_storm_is_bounded, &past), HOLDS);
    past.now_ms += 1000;
    for (uint64_t i = 51; i <= 100; i++)
        attempt(&past, i, "a", 0);
    cr_expect_eq(ask(INVARIANT_storm_is_bounded, &past), HOLDS);
    attempt(&past, 101, "a", 0);
    attempt(&past, 102, "a", 0);
    cr_expect_eq(ask(INVARIANT_storm_is_bounded, &past), VIOLATED);
    cr_expect_eq(blamed(), CAUSE_no_breaker);
    cr_expect_eq(findings.items[0].weight, 52);
    forget(&past);
}

Test(warnings, are_told_from_failures)
{
    cr_expect_eq(invariant_severity(INVARIANT_charged_once), FAILS);
    cr_expect_eq(invariant_severity(INVARIANT_key_sent), WARNS);
    struct past past = past_new();
    up(&past, "Idempotency-Key");
    attempt(&past, 1, NULL, 200);
    cr_assert_eq(ask(INVARIANT_key_sent, &past), VIOLATED);
    cr_expect_null(findings_first_violation(&findings));
    forget(&past);
}
