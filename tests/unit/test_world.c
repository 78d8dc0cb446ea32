/* Whole worlds: a real provider, clients that are shell scripts around curl, faults from Lua. */
#include "played.h"

#include <signal.h>

/* --- without faults --------------------------------------------------------------------------- */

Test(world, a_run_is_written_down_from_start_to_claim, .timeout = 60)
{
    struct result result = play("title = 'works', orders = 2", PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_str_eq(result.title, "works");
    cr_expect_null(result.box, "a passed run keeps no box");
    cr_assert_eq(result.orders.count, 2);
    /* An answer is written down once it has left: its reader may be faster. */
    static const enum event_kind kinds[] = {EVENT_START, EVENT_INVOKE, EVENT_EFFECT, EVENT_EXIT,
                                            EVENT_CLAIM};
    cr_expect_eq(count(&result, EVENT_OK), 2);
    uint64_t last = nth(&result, EVENT_UP, 1)->seq;
    for (int order = 1; order <= 2; order++) {
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            const struct event *event = nth(&result, kinds[i], order);
            cr_expect_gt(event->seq, last, "%s comes in its order", event_name(kinds[i]));
            cr_expect_str_eq(event->order, result.orders.items[order - 1].id);
            last = event->seq;
        }
    }
    cr_expect_eq(count(&result, EVENT_HEAL), 0, "nobody needed it");
    finish(&result);
}

Test(world, the_same_seed_plays_the_same_run, .timeout = 60)
{
    struct result a = play("orders = 2", PAY);
    struct result b = play("orders = 2", PAY);
    cr_assert_eq(a.history.count, b.history.count);
    cr_expect_str_eq(event_string(nth(&a, EVENT_EFFECT, 2), "id"),
                     event_string(nth(&b, EVENT_EFFECT, 2), "id"));
    finish(&a);
    finish(&b);
}

Test(world, a_client_has_a_directory_that_outlives_it, .timeout = 60)
{
    options.keep = true;
    struct result result = play("orders = 1", "cd \"$STATE_DIR\" || exit 1; echo >> runs; "
                                              "[ $(wc -l < runs) -ge 3 ] || exit 75; " PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_START), 3);
    cr_assert_not_null(result.box, "it was asked to keep it");
    char *path = mem_printf("%s/history.jsonl", result.box);
    cr_expect_eq(access(path, R_OK), 0);
    free(path);
    finish(&result);
}

/* --- what clients say ------------------------------------------------------------------------- */

Test(claims, a_line_counts_for_more_than_the_exit_status, .timeout = 60)
{
    struct result result = play(
        "orders = 1", PAY
        "echo '{\"order\":\"order_1\",\"outcome\":\"unknown\"}'; "
        "echo '{\"order\":\"order_1\",\"outcome\":\"succeeded\",\"payment\":\"pi_none\"}'; exit 1");
    expect_verdict(&result, VERDICT_FAIL, "success_is_charged");
    cr_expect_str_eq(event_string(nth(&result, EVENT_CLAIM, 1), "payment"), "pi_none");
    finish(&result);
}

Test(claims, one_that_cannot_be_read_is_no_pass, .timeout = 60)
{
    struct result result =
        play("orders = 1", PAY "echo '{\"order\":\"order_1\",\"outcome\":\"paid\"}'");
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "cannot be read");
    finish(&result);
    result = play("orders = 1", PAY "echo \"{'order':'order_1','outcome':'failed'}\"");
    expect_verdict(&result, VERDICT_INCONCLUSIVE,
                   "it is no JSON: {'order':'order_1','outcome':'failed'}");
    finish(&result);
    result = play("orders = 1", PAY "echo '{\"order\":\"order_7\",\"outcome\":\"failed\"}'");
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "another order: {\"order\":\"order_7\"");
    finish(&result);
    /* half a line of one that crashed is none */
    result = play("orders = 1", PAY "[ -e \"$STATE_DIR/once\" ] || { touch \"$STATE_DIR/once\"; "
                                    "printf '{\"order\":\"order_1\",\"outcome\":'; kill -9 $$; }");
    expect_verdict(&result, VERDICT_PASS, "");
    finish(&result);
}

Test(claims, a_crash_of_its_own_means_unknown, .timeout = 60)
{
    struct result result =
        play("orders = 1", "[ -e \"$STATE_DIR/once\" ] || "
                           "{ touch \"$STATE_DIR/once\"; kill -SEGV $$; }; " PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "signal", 0), SIGSEGV);
    cr_expect_str_eq(event_string(nth(&result, EVENT_CLAIM, 1), "outcome"), "unknown");
    finish(&result);
}

/* --- the job queue ---------------------------------------------------------------------------- */

Test(restarts, end_with_one_more_run_after_the_faults, .timeout = 60)
{
    options.restarts = 2;
    struct result result =
        play("faults = { { on = 'POST *', at = 'received', act = drop() } }", PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_START), 4, "one run, two restarts, one without faults");
    cr_expect_eq(count(&result, EVENT_HEAL), 1);
    cr_expect_lt(nth(&result, EVENT_HEAL, 1)->seq, nth(&result, EVENT_START, 4)->seq);
    cr_expect_eq(nth(&result, EVENT_EFFECT, 1)->request, 4);
    finish(&result);
}

Test(restarts, do_not_help_a_client_that_never_knows, .timeout = 60)
{
    struct result result = play("orders = 1", PAY "exit 75");
    expect_verdict(&result, VERDICT_FAIL, "settles");
    cr_expect_eq(count(&result, EVENT_START), (size_t)options.restarts + 2);
    finish(&result);
}

Test(restarts, healing_waits_for_a_provider_that_is_down, .timeout = 60)
{
    options.restarts = 0;
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'received', "
                                "act = crash_psp('300ms') } }",
                                PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_gt(nth(&result, EVENT_HEAL, 1)->seq, nth(&result, EVENT_UP, 2)->seq);
    finish(&result);
}

Test(run, starts_waits_and_moves_the_clock, .timeout = 60)
{
    struct result result = play("run = function(world) world:start():wait(); world:advance('25h'); "
                                "world:start('order_1'):wait() end",
                                PAY);
    expect_verdict(&result, VERDICT_FAIL, "a key lives for 24 h only");
    cr_expect_eq(count(&result, EVENT_START), 2, "an order that is named runs again");
    const struct event *clock = nth(&result, EVENT_CLOCK, 1);
    cr_expect_eq(event_int(clock, "advanced", 0), INT64_C(90000000));
    cr_expect_geq(nth(&result, EVENT_START, 2)->at_ms,
                  nth(&result, EVENT_CLAIM, 1)->at_ms + INT64_C(90000000));
    finish(&result);
}

Test(run, waits_for_what_is_still_on_its_way, .timeout = 60)
{
    struct result result = play(
        "faults = { { on = 'POST *', attempt = 1, at = 'received', act = delay('600ms') } }",
        "curl -sS -m 0.2 -u \"$PSP_API_KEY:\" -d amount=$ORDER_AMOUNT -d currency=$ORDER_CURRENCY "
        "-d payment_method=pm_card_visa -d confirm=true \"$PSP_URL/v1/payment_intents\" || exit 1");
    expect_verdict(&result, VERDICT_FAIL, "failure_is_not_charged");
    cr_expect_gt(nth(&result, EVENT_EFFECT, 1)->seq, nth(&result, EVENT_CLAIM, 1)->seq);
    finish(&result);
}

/* --- a bad client for every invariant that is not broken above -------------------------------- */

Test(bad_client, charges_another_amount, .timeout = 60)
{
    struct result result = play("orders = 1", "ORDER_AMOUNT=$((ORDER_AMOUNT + 1)); " PAY);
    expect_verdict(&result, VERDICT_FAIL, "charge_matches_order");
    finish(&result);
}

Test(bad_client, calls_an_order_paid_that_was_declined, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', at = 'received', act = decline() } }",
                                "( " PAY " ) ; exit 0");
    expect_verdict(&result, VERDICT_FAIL, "success_is_charged");
    finish(&result);
}

Test(bad_client, uses_one_key_for_two_orders, .timeout = 60)
{
    struct result result = play("orders = 2", "curl -sS -m 5 -u \"$PSP_API_KEY:\" "
                                              "-H 'Idempotency-Key: the-only-one' "
                                              "-d amount=$ORDER_AMOUNT -d currency=usd -f "
                                              "-d payment_method=pm_card_visa -d confirm=true "
                                              "\"$PSP_URL/v1/payment_intents\" || exit 1");
    expect_verdict(&result, VERDICT_FAIL, "key_means_one_request");
    finish(&result);
}

/* --- no pass ---------------------------------------------------------------------------------- */

Test(inconclusive, a_fault_that_never_struck, .timeout = 60)
{
    struct result result =
        play("faults = { { on = 'DELETE *', at = 'received', act = drop() } }", PAY);
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "never struck");
    finish(&result);
}

Test(inconclusive, a_client_that_never_called, .timeout = 60)
{
    struct result result = play("orders = 1", "echo no such module >&2; exit 0");
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "never called");
    cr_expect_not_null(strstr(result_reason(&result), "no such module"));
    cr_expect_not_null(result.box);
    finish(&result);
}

Test(inconclusive, a_client_that_never_called_for_several_orders_is_told_of_once, .timeout = 60)
{
    struct result result = play("orders = 3", "exit 1");
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "provider for order_1, nor for 2 more; it ended");
    cr_expect_eq(result.reason_count, 1);
    finish(&result);
}

/* The others take it for what it is: the client's good right, which shows nothing. */
Test(inconclusive, an_order_that_was_given_up, .timeout = 60)
{
    static const char *const scripts[] = {
        /* an intent that nobody confirms */
        "curl -sS -m 5 -u \"$PSP_API_KEY:\" -d amount=$ORDER_AMOUNT -d currency=usd "
        "\"$PSP_URL/v1/payment_intents\"; exit 1",
        /* a request that is always wrong */
        "curl -sS -m 5 -u \"$PSP_API_KEY:\" -d amount=$ORDER_AMOUNT -d currency=no "
        "\"$PSP_URL/v1/payment_intents\"; exit 1",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        struct result result = play("orders = 1", scripts[i]);
        expect_verdict(&result, VERDICT_INCONCLUSIVE,
                       "order_1 was given up: it was never charged, and the provider never "
                       "declined it; a run without a payment proves nothing");
        finish(&result);
    }
}

Test(inconclusive, an_order_that_was_given_up_for_any_error, .timeout = 60)
{
    static const char *const acts[] = {"drop()", "respond(503)", "crash_psp('50ms')"};
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        char *fields = mem_printf(
            "faults = { { on = 'POST *', attempt = 1, at = 'before_commit', act = %s } }", acts[i]);
        struct result result = play(fields, "( " PAY " ) || exit 1");
        expect_verdict(&result, VERDICT_INCONCLUSIVE, "order_1 was given up");
        finish(&result);
        free(fields);
    }
}

Test(claims, of_a_failure_are_right_where_the_card_was_declined, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', at = 'received', act = decline() } }",
                                "( " PAY " ) || exit 1");
    expect_verdict(&result, VERDICT_PASS, "");
    finish(&result);
}

Test(inconclusive, a_client_that_hangs, .timeout = 60)
{
    options.timeout_ms = 700;
    struct result result = play("faults = { { on = 'POST *', at = 'after_commit', act = hang() } }",
                                "setsid sleep 1000 & " PAY);
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "order_1's client (run 1) has not ended");
    cr_expect_not_null(strstr(result_reason(&result), "request 1, POST /v1/payment_intents"));
    cr_expect_not_null(strstr(result_reason(&result), "hang at after_commit"));
    finish(&result);
}

Test(inconclusive, but_what_a_cut_run_has_shown_counts, .timeout = 60)
{
    options.timeout_ms = 1500;
    struct result result = play("orders = 1", PAY "ORDER_ID=x; " PAY "sleep 1000");
    expect_verdict(&result, VERDICT_FAIL, "charged_once");
    finish(&result);
}

Test(broken, a_script_that_fails_while_it_is_asked, .timeout = 60)
{
    struct result result = play("faults = function(req) return nothing.at.all end", PAY);
    expect_verdict(&result, VERDICT_BROKEN, "test_world");
    finish(&result);
}
