/* Worlds in which a client or the provider is killed, or leaves somebody behind. */
#include "census.h"
#include "played.h"

#include <signal.h>

/* --- crashes are no races --------------------------------------------------------------------- */

#define CRASH_CLIENT(at)                                                                           \
    "faults = { { on = 'POST *', attempt = 1, at = '" at "', act = crash_client() } }"

Test(crash_client, before_the_commit_nothing_happened, .timeout = 60)
{
    struct result result = play(CRASH_CLIENT("before_commit"), PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_EFFECT), 1);
    cr_expect_eq(nth(&result, EVENT_EFFECT, 1)->request, 2);
    cr_expect_lt(nth(&result, EVENT_CRASH, 1)->seq, nth(&result, EVENT_START, 2)->seq);
    finish(&result);
}

Test(crash_client, after_the_commit_not_a_byte_has_left, .timeout = 60)
{
    struct result result = play(CRASH_CLIENT("after_commit"), PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(nth(&result, EVENT_EFFECT, 1)->request, 1);
    cr_expect_lt(nth(&result, EVENT_EFFECT, 1)->seq, nth(&result, EVENT_CRASH, 1)->seq);
    cr_expect_eq(count(&result, EVENT_INFO), 1, "the provider gave request 1 up");
    cr_expect_lt(nth(&result, EVENT_INFO, 1)->seq, nth(&result, EVENT_START, 2)->seq);
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "signal", 0), SIGKILL);
    cr_expect_not(said(&result, 1, "went on"));
    cr_expect(event_bool(nth(&result, EVENT_OK, 1), "replayed"));
    finish(&result);
}

Test(crash_client, after_the_response_it_had_it_and_did_nothing, .timeout = 60)
{
    struct result result = play(CRASH_CLIENT("responded"), PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_lt(nth(&result, EVENT_OK, 1)->seq, nth(&result, EVENT_CRASH, 1)->seq);
    cr_expect_eq(nth(&result, EVENT_CRASH, 1)->request, 1);
    cr_expect_not(said(&result, 1, "went on"));
    cr_expect(said(&result, 2, "went on"));
    finish(&result);
}

Test(crash_client, the_fault_is_told_once_and_as_what_it_was, .timeout = 60)
{
    struct result result = play(CRASH_CLIENT("after_commit"), PAY);
    cr_expect_eq(count(&result, EVENT_FAULT), 1);
    cr_expect_str_eq(event_string(nth(&result, EVENT_FAULT, 1), "act"), "crash_client");
    finish(&result);
}

Test(crash_client, one_that_catches_the_signal_may_have_its_say, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'responded', "
                                "act = crash_client{signal = 'TERM'} } }",
                                "trap 'echo caught; exit 75' TERM; " PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect(said(&result, 1, "caught"));
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "status", -1), 75);
    finish(&result);
}

Test(crash_client, one_that_ignores_it_is_killed_for_good, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'before_commit', "
                                "act = crash_client{signal = 'TERM'} } }",
                                "trap '' TERM; " PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "signal", 0), SIGKILL);
    finish(&result);
}

/* Each of these is in a group or a session of its own when it pays. */
#define ELSEWHERE(how) "export PAY='" PAY "'; " how "; echo went on"

static void expect_all_struck(const char *script)
{
    struct result result = play(CRASH_CLIENT("responded"), script);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "signal", 0), SIGKILL);
    cr_expect_not(said(&result, 1, "went on"), "%s", script);
    cr_expect(said(&result, 2, "went on"), "%s", script);
    finish(&result);
}

Test(crash_client, strikes_in_every_group_and_session, .timeout = 60)
{
    expect_all_struck(ELSEWHERE("timeout 30 sh -c \"$PAY\""));
    expect_all_struck(ELSEWHERE("setsid -w sh -c \"$PAY\""));
    expect_all_struck(ELSEWHERE("set -m; sh -c \"$PAY\" & wait $!"));
}

Test(crash_client, its_signal_reaches_every_group, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'responded', "
                                "act = crash_client{signal = 'TERM'} } }",
                                "export PAY='trap \"echo caught; exit 75\" TERM; " PAY "'; "
                                "trap 'exit 75' TERM; setsid -w sh -c \"$PAY\"");
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect(said(&result, 1, "caught"));
    finish(&result);
}

Test(crash_client, can_be_a_race_for_those_who_want_it, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'received', "
                                "act = crash_client{after = '10ms'} } }",
                                PAY "sleep 5");
    cr_expect_eq(count(&result, EVENT_CRASH), 1);
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "signal", 0), SIGKILL);
    finish(&result);
}

/* --- a part of it, or a process by its name ----------------------------------------------------
 */

#define CRASH_WHOM(at, whom)                                                                       \
    "faults = { { on = 'POST *', attempt = 1, at = '" at "', "                                     \
    "act = crash_client { whom = '" whom "' } } }"

/* The server of the old kind: a master that starts another worker when one has died. */
#define PREFORK "export PAY='" PAY "'; setsid -w sh -c \"$PAY\" || { echo another; " PAY " }"

Test(crash_client, may_strike_the_one_process_that_sent_the_request, .timeout = 60)
{
    struct result result =
        play(CRASH_WHOM("after_commit", "process"), "sh -c '" PAY "' || { echo another; " PAY " }");
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_START), 1, "the client goes on");
    cr_expect_eq(count(&result, EVENT_CRASH), 1);
    cr_expect_str_eq(event_string(nth(&result, EVENT_CRASH, 1), "part"), "one process");
    cr_expect(said(&result, 1, "another"));
    cr_expect_eq(count(&result, EVENT_EFFECT), 1);
    cr_expect_str_eq(event_string(nth(&result, EVENT_INFO, 1), "how"), "closed");
    finish(&result);
}

Test(crash_client, may_strike_a_group, .timeout = 60)
{
    struct result result = play(CRASH_WHOM("responded", "group"), PREFORK);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_START), 1, "the client goes on");
    cr_expect_str_eq(event_string(nth(&result, EVENT_CRASH, 1), "part"), "a group");
    cr_expect(said(&result, 1, "another"));
    cr_expect_lt(nth(&result, EVENT_OK, 1)->seq, nth(&result, EVENT_CRASH, 1)->seq);
    finish(&result);
}

Test(crash_client, whoever_is_below_the_leader_dies_with_it, .timeout = 60)
{
    struct result result = play(CRASH_WHOM("after_commit", "leader"),
                                "export PAY='" PAY "'; setsid -w sh -c \"$PAY\"");
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "signal", 0), SIGKILL);
    cr_expect_eq(count(&result, EVENT_START), 2);
    cr_expect_not(said(&result, 1, "went on"));
    finish(&result);
}

Test(crash_client, a_process_that_is_not_there_cannot_be_struck, .timeout = 60)
{
    struct result result = play(CRASH_WHOM("after_commit", "worker_2"), PAY);
    expect_verdict(&result, VERDICT_INCONCLUSIVE,
                   "crash_client struck at request 1, but no worker_2 of the client was running");
    finish(&result);
}

/* --- told to end -------------------------------------------------------------------------------
 */

#define STOP(at, act) "faults = { { on = 'POST *', attempt = 1, at = '" at "', act = " act " } }"

Test(stop_client, the_request_goes_on_and_so_may_the_client, .timeout = 60)
{
    struct result result = play(STOP("before_commit", "stop_client()"),
                                "trap 'echo told' TERM; (trap '' TERM; " PAY ") || exit 75");
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_START), 1);
    cr_expect_eq(count(&result, EVENT_CRASH), 1);
    cr_expect_eq(event_int(nth(&result, EVENT_CRASH, 1), "signal", 0), SIGTERM);
    cr_expect_lt(nth(&result, EVENT_CRASH, 1)->seq, nth(&result, EVENT_OK, 1)->seq);
    cr_expect(said(&result, 1, "told"));
    cr_expect(said(&result, 1, "went on"));
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "status", -1), 0);
    finish(&result);
}

Test(stop_client, one_that_does_not_end_in_time_is_killed, .timeout = 60)
{
    struct result result =
        play(STOP("after_commit", "{ stop_client('300ms'), hang() }"), "trap '' TERM; " PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_CRASH), 2);
    cr_expect_eq(event_int(nth(&result, EVENT_CRASH, 2), "signal", 0), SIGKILL);
    cr_expect_str_eq(event_string(nth(&result, EVENT_CRASH, 2), "why"), "still there 300ms later");
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "signal", 0), SIGKILL);
    cr_expect_not(said(&result, 1, "went on"));
    cr_expect(said(&result, 2, "went on"));
    finish(&result);
}

Test(stop_client, one_that_does_not_listen_to_it_dies_of_it, .timeout = 60)
{
    struct result result = play(STOP("after_commit", "stop_client { signal = 'INT' }"), PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "signal", 0), SIGINT);
    cr_expect_eq(count(&result, EVENT_START), 2);
    finish(&result);
}

/* As `docker stop` does: it tells PID 1 alone, which may not pass it on. */
Test(stop_client, may_tell_the_leader_alone, .timeout = 60)
{
    struct result result = play(STOP("after_commit", "{ stop_client('300ms', 'TERM', 'leader'), "
                                                     "delay('2s') }"),
                                "trap '' INT; trap 'echo told' TERM; sh -c '" PAY "'");
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "signal", 0), SIGKILL);
    cr_expect_not(said(&result, 1, "went on"), "nobody outlives the leader");
    cr_expect(said(&result, 2, "went on"));
    finish(&result);
}

/* --- the provider ------------------------------------------------------------------------------
 */

Test(crash_psp, the_effect_outlives_it_and_the_port_stays, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'after_commit', "
                                "act = crash_psp('50ms') } }",
                                PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_UP), 2);
    cr_expect_eq(count(&result, EVENT_DOWN), 1);
    cr_expect_eq(event_int(nth(&result, EVENT_UP, 1), "port", 1),
                 event_int(nth(&result, EVENT_UP, 2), "port", 2));
    cr_expect_eq(count(&result, EVENT_EFFECT), 1);
    cr_expect_lt(nth(&result, EVENT_EFFECT, 1)->seq, nth(&result, EVENT_DOWN, 1)->seq);
    finish(&result);
}

Test(crash_psp, before_the_commit_nothing_is_there, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'before_commit', "
                                "act = crash_psp() } }",
                                PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_EFFECT), 1);
    cr_expect_gt(nth(&result, EVENT_EFFECT, 1)->seq, nth(&result, EVENT_UP, 2)->seq);
    finish(&result);
}

Test(crash_psp, after_the_response_the_client_knows_of_nothing, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'responded', "
                                "act = crash_psp() } }",
                                PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect(said(&result, 1, "went on"));
    cr_expect_lt(nth(&result, EVENT_OK, 1)->seq, nth(&result, EVENT_DOWN, 1)->seq);
    finish(&result);
}

/* The answer that the first strike waits for takes its time; meanwhile the second one comes. */
Test(crash_psp, that_strikes_twice_kills_once_and_is_told_twice, .timeout = 60)
{
    struct result result =
        play("faults = { { on = 'POST *', attempt = 1, at = 'responding', "
             "act = dribble(100, '100ms') }, "
             "{ on = 'POST *', attempt = 1, at = 'responded', act = crash_psp('40ms') }, "
             "{ on = 'GET *', attempt = 1, at = 'received', act = crash_psp('80ms') } }",
             "cd \"$STATE_DIR\"; [ -e head ] || { "
             "curl -sS -N -D head -o body -m 20 -u \"$PSP_API_KEY:\" "
             "-H \"Idempotency-Key: $ORDER_ID\" -d amount=$ORDER_AMOUNT "
             "-d currency=$ORDER_CURRENCY -d payment_method=pm_card_visa -d confirm=true "
             "-d \"metadata[order_id]=$ORDER_ID\" \"$PSP_URL/v1/payment_intents\" & "
             "while [ ! -s head ]; do sleep 0.01; done; "
             "curl -sS -m 20 -u \"$PSP_API_KEY:\" -f \"$PSP_URL/v1/charges\" && echo passed; "
             "wait; grep -q succeeded body && echo paid; exit 75; }; " PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_FAULT), 3);
    cr_expect_eq(count(&result, EVENT_DOWN), 1);
    cr_expect_eq(event_int(nth(&result, EVENT_DOWN, 1), "down", 0), 80);
    cr_expect_lt(nth(&result, EVENT_OK, 1)->seq, nth(&result, EVENT_DOWN, 1)->seq);
    cr_expect(said(&result, 1, "paid"), "the answer that was waited for is whole");
    cr_expect_not(said(&result, 1, "passed"), "and nothing was done for the other one");
    finish(&result);
}

/* --- whoever is left behind ------------------------------------------------------------------- */

Test(leftovers, are_heard_for_a_moment, .timeout = 60)
{
    struct result result =
        play("orders = 1", PAY "cd \"$STATE_DIR\"; "
                               "setsid sh -c \"sleep 0.4; curl -sS -m 5 -u $PSP_API_KEY: "
                               "-d amount=$ORDER_AMOUNT -d currency=$ORDER_CURRENCY "
                               "-d payment_method=pm_card_visa -d confirm=true "
                               "-d metadata[order_id]=$ORDER_ID -g "
                               "$PSP_URL/v1/payment_intents\" > answer & exit 0");
    expect_verdict(&result, VERDICT_FAIL, "charged_once");
    finish(&result);
}

Test(leftovers, that_stay_make_it_inconclusive, .timeout = 60)
{
    struct result result = play("orders = 1", "setsid sleep 30 & " PAY);
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "left processes behind");
    cr_expect_not_null(strstr(result_reason(&result), "is not known"));
    finish(&result);
}

Test(world, leaves_no_process_behind, .timeout = 60)
{
    struct census census;
    struct result result = play("orders = 1", "setsid sleep 1000 & sleep 1000 & " PAY);
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "left processes behind");
    census_take(getpid(), &census);
    cr_expect_eq(census.count, 0, "nor a dead one");
    census_release(&census);
    finish(&result);
}
