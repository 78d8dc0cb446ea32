/* Worlds in which a fault reaches beyond its request: the door is shut, the clock jumps. */
#include "played.h"

#define TRY_FOR_A_WHILE                                                                            \
    "for i in 1 2 3 4 5 6 7 8 9; do (" PAY ") && exit 0; sleep 0.2; done; exit 75"

Test(refuse, is_over_after_a_while_and_the_port_is_the_same, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'after_commit', "
                                "act = refuse('300ms') } }",
                                TRY_FOR_A_WHILE);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_EFFECT), 1);
    cr_expect_eq(count(&result, EVENT_UP), 1);
    cr_expect(event_bool(nth(&result, EVENT_OK, 1), "replayed"));
    finish(&result);
}

/* All that it is allowed runs into the closed port; the last one does not, however long that is. */
Test(refuse, ends_when_faults_do, .timeout = 60)
{
    options.restarts = 2;
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'after_commit', "
                                "act = refuse('1h') } }",
                                PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_START), 4, "one run, two restarts, one without faults");
    cr_expect_eq(count(&result, EVENT_INVOKE), 2, "two of them met nobody");
    cr_expect_gt(nth(&result, EVENT_INVOKE, 2)->seq, nth(&result, EVENT_HEAL, 1)->seq);
    finish(&result);
}

/* A day passes between the charge and the end of the connection: the key is forgotten. */
Test(advance, at_a_failpoint_makes_a_retry_a_day_late, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'after_commit', "
                                "act = { advance('25h'), drop() } } }",
                                PAY);
    expect_verdict(&result, VERDICT_FAIL, "");
    cr_expect_eq(count(&result, EVENT_EFFECT), 2);
    cr_expect_eq(event_int(nth(&result, EVENT_CLOCK, 1), "advanced", 0), 90000000);
    cr_expect_geq(nth(&result, EVENT_EFFECT, 2)->at_ms - nth(&result, EVENT_EFFECT, 1)->at_ms,
                  90000000);
    finish(&result);
}

#define KEYLESS                                                                                    \
    "curl -sS -m 5 -u \"$PSP_API_KEY:\" -d amount=$ORDER_AMOUNT -d currency=$ORDER_CURRENCY "      \
    "-d payment_method=pm_card_visa -d confirm=true -f -o /dev/null "                              \
    "\"$PSP_URL/v1/payment_intents\" || exit 75"

Test(duplicate, is_charged_once_with_a_key, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'received', "
                                "act = duplicate{after = '100ms'} } }",
                                PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_EFFECT), 1);
    cr_expect_eq(count(&result, EVENT_INVOKE), 2, "the run waits for the second");
    cr_expect_str_eq(nth(&result, EVENT_INVOKE, 2)->order, nth(&result, EVENT_INVOKE, 1)->order);
    cr_expect_eq(event_int(nth(&result, EVENT_INVOKE, 2), "copy_of", 0), 1);
    finish(&result);
}

Test(duplicate, is_charged_twice_without_one, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'received', "
                                "act = duplicate('100ms') } }",
                                KEYLESS);
    expect_verdict(&result, VERDICT_FAIL, "charged twice");
    cr_expect_eq(count(&result, EVENT_EFFECT), 2);
    finish(&result);
}

/* What was promised dies with the provider: nobody waits for it any more. */
Test(duplicate, one_that_the_provider_s_end_prevents_is_not_waited_for, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'received', "
                                "act = duplicate('1h') }, { on = 'POST *', attempt = 1, "
                                "at = 'after_commit', act = crash_psp() } }",
                                PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_EFFECT), 1);
    finish(&result);
}

/* Looks whether the lost answer was a charge, and pays again if it finds none. */
Test(stale, a_look_before_the_retry_is_no_key, .timeout = 60)
{
    struct result result =
        play("faults = { { on = 'POST *', attempt = 1, at = 'after_commit', "
             "act = { stale('1h'), drop() } } }",
             "(" KEYLESS ") && exit 0; curl -sS -u \"$PSP_API_KEY:\" \"$PSP_URL/v1/charges\" | "
             "grep -q succeeded && exit 0; " KEYLESS);
    expect_verdict(&result, VERDICT_FAIL, "charged twice");
    cr_expect_eq(count(&result, EVENT_EFFECT), 2);
    finish(&result);
}

/* Asks what became of the order that it has sent, and does nothing else. */
#define PAY_THEN_ASK                                                                               \
    "[ -f \"$STATE_DIR/sent\" ] || { : >\"$STATE_DIR/sent\"; " PAY "exit 0; }; "                   \
    "curl -sS -u \"$PSP_API_KEY:\" \"$PSP_URL/v1/charges\" | grep -q succeeded || exit 75"

Test(stale, ends_when_faults_do, .timeout = 60)
{
    options.restarts = 1;
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'after_commit', "
                                "act = { stale('1h'), drop() } } }",
                                PAY_THEN_ASK);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_START), 3, "the second run sees nothing, the last one does");
    cr_expect_eq(count(&result, EVENT_EFFECT), 1);
    finish(&result);
}

/* What was not tried is no pass: a chance that does not come is said, with the remedy. */
Test(chance, that_does_not_come_is_inconclusive, .timeout = 60)
{
    struct result result =
        play("faults = { storm { rate = 0.001, on = 'POST *', with = respond(503) } }", PAY);
    expect_verdict(&result, VERDICT_INCONCLUSIVE,
                   "its chance (0.001) did not come in 1 try with seed 1: take another --seed");
    finish(&result);
}

Test(chance, that_comes_is_repeatable, .timeout = 60)
{
    for (int i = 0; i < 2; i++) {
        struct result result =
            play("faults = { { on = 'POST *', attempt = 1, chance = 0.9, at = 'after_commit', "
                 "act = { delay(uniform('0', '50ms')), drop() } } }",
                 PAY);
        expect_verdict(&result, VERDICT_PASS, "");
        cr_expect_str_eq(event_string(nth(&result, EVENT_FAULT, 1), "act"), "delay 32ms");
        finish(&result);
    }
}

/* The world's clock: half a minute passes between the first try and the second. */
Test(from, follows_the_clock_of_the_world, .timeout = 60)
{
    struct result result =
        play("faults = {\n"
             "{ on = 'POST *', to = '25s', attempt = 1, at = 'after_commit', act = drop() },\n"
             "{ on = 'POST *', from = '30s', attempt = 1, at = 'received', act = respond(503) } },"
             "run = function(world) world:start():wait():advance('30s'):start():wait() end",
             PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_str_eq(event_string(nth(&result, EVENT_FAULT, 1), "act"), "drop");
    cr_expect_str_eq(event_string(nth(&result, EVENT_FAULT, 2), "act"), "respond 503");
    finish(&result);
}
