/* Worlds in which a client is stopped for a while. */
#include "census.h"
#include "played.h"
#include "strays.h"

#include <signal.h>

#define PAUSE(at, act) "faults = { { on = 'POST *', attempt = 1, at = '" at "', act = " act " } }"

static uint64_t place(const struct result *result, enum event_kind kind)
{
    return nth(result, kind, 1)->seq;
}

/* Where the client of the first run says that it went on. */
static uint64_t went_on(const struct result *result)
{
    const struct event *line = NULL;
    while ((line = history_next(&result->history, line, EVENT_OUTPUT, NULL)) != NULL)
        if (strcmp(event_string(line, "text"), "went on") == 0)
            return line->seq;
    cr_assert_fail("it did not go on");
    return 0;
}

/* Struck AT, the request is answered while the client stands still, and is heard when it goes on.
 */
static void expect_still(const char *fields, const char *script)
{
    struct result result = play(fields, script);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_START), 1);
    cr_expect_eq(count(&result, EVENT_FAULT), 1);
    cr_expect_eq(event_int(nth(&result, EVENT_PAUSE, 1), "ms", 0), 300);
    cr_expect_lt(place(&result, EVENT_FAULT), place(&result, EVENT_PAUSE));
    cr_expect_lt(place(&result, EVENT_PAUSE), place(&result, EVENT_OK), "%s", fields);
    cr_expect_lt(place(&result, EVENT_OK), place(&result, EVENT_RESUME), "%s", fields);
    cr_expect_lt(place(&result, EVENT_RESUME), went_on(&result), "%s", script);
    finish(&result);
}

Test(pause_client, the_request_goes_on_without_it, .timeout = 60)
{
    expect_still(PAUSE("received", "pause_client('300ms')"), PAY);
    expect_still(PAUSE("before_commit", "pause_client('300ms')"), PAY);
    expect_still(PAUSE("after_commit", "pause_client('300ms')"), PAY);
    expect_still(PAUSE("responding", "pause_client('300ms')"), PAY);
    expect_still(PAUSE("responded", "pause_client('300ms')"), PAY);
}

#define ELSEWHERE(how) "export PAY='" PAY "'; " how

Test(pause_client, stops_every_group_and_session, .timeout = 60)
{
    static const char fields[] = PAUSE("after_commit", "pause_client('300ms')");
    expect_still(fields, ELSEWHERE("timeout 30 sh -c \"$PAY\""));
    expect_still(fields, ELSEWHERE("setsid -w sh -c \"$PAY\""));
    expect_still(fields, ELSEWHERE("set -m; sh -c \"$PAY\" & wait $!"));
}

Test(pause_client, may_stop_one_process_alone, .timeout = 60)
{
    struct result result =
        play(PAUSE("after_commit", "pause_client { ms = '400ms', whom = 'process' }"),
             "export PAY='" PAY "'; setsid -w sh -c \"$PAY\" & sleep 0.2; echo awake; wait $!");
    expect_verdict(&result, VERDICT_PASS, "");
    const struct event *line = nth(&result, EVENT_OUTPUT, 1);
    cr_expect_str_eq(event_string(line, "text"), "awake");
    cr_expect_lt(line->seq, place(&result, EVENT_RESUME), "the others went on");
    cr_expect_lt(place(&result, EVENT_RESUME), went_on(&result));
    finish(&result);
}

Test(pause_client, may_be_followed_by_the_loss_of_the_answer, .timeout = 60)
{
    struct result result = play(PAUSE("after_commit", "{ pause_client('200ms'), drop() }"), PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_str_eq(event_string(nth(&result, EVENT_INFO, 1), "how"), "closed");
    cr_expect_lt(place(&result, EVENT_PAUSE), place(&result, EVENT_INFO));
    cr_expect_lt(place(&result, EVENT_INFO), place(&result, EVENT_RESUME));
    cr_expect_eq(count(&result, EVENT_EFFECT), 1);
    finish(&result);
}

Test(pause_client, goes_on_when_the_last_one_is_over, .timeout = 60)
{
    struct result result = play("faults = { { on = 'POST *', attempt = 1, at = 'received',\n"
                                "             act = pause_client('400ms') },\n"
                                "           { on = 'POST *', attempt = 1, at = 'after_commit',\n"
                                "             act = pause_client('50ms') } }",
                                PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_PAUSE), 2);
    cr_expect_eq(count(&result, EVENT_RESUME), 1);
    cr_expect_eq(event_int(nth(&result, EVENT_PAUSE, 2), "ms", 0), 50);
    cr_expect_lt(nth(&result, EVENT_PAUSE, 2)->seq, place(&result, EVENT_RESUME));
    finish(&result);
}

#define AND_CRASH(ms, signal)                                                                      \
    "faults = { { on = 'POST *', attempt = 1, at = 'received', act = pause_client('" ms "') },\n"  \
    "           { on = 'POST *', attempt = 1, at = 'responded', act = crash_client('" signal       \
    "') } }"

Test(pause_client, who_is_killed_does_not_go_on, .timeout = 60)
{
    struct result result = play(AND_CRASH("30s", "KILL"), PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_RESUME), 0);
    cr_expect_eq(event_int(nth(&result, EVENT_EXIT, 1), "signal", 0), SIGKILL);
    cr_expect_eq(nth(&result, EVENT_START, 2)->seq, nth(&result, EVENT_CLAIM, 1)->seq + 1,
                 "nobody waits for the rest of the pause");
    cr_expect_eq(event_int(nth(&result, EVENT_OUTPUT, 1), "run", 0), 2);
    finish(&result);
}

Test(pause_client, who_is_told_to_end_may_do_so, .timeout = 60)
{
    struct result result = play(AND_CRASH("30s", "TERM"), "trap 'echo caught; exit 75' TERM; " PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect(said(&result, 1, "caught"));
    cr_expect_eq(count(&result, EVENT_RESUME), 0);
    finish(&result);
}

Test(pause_client, a_pause_outlives_no_run, .timeout = 60)
{
    struct result result = play(AND_CRASH("200ms", "KILL"), "sleep 0.3; " PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_RESUME), 0, "the next run was never stopped");
    finish(&result);
}

Test(pause_client, a_world_that_ends_leaves_nobody_stopped, .timeout = 60)
{
    options.timeout_ms = 1500;
    strays_adopt();
    struct result result = play(PAUSE("after_commit", "pause_client('10m')"), PAY);
    expect_verdict(&result, VERDICT_INCONCLUSIVE,
                   "order_1's client (run 1) has not ended; pause_client has stopped it");
    cr_expect_eq(count(&result, EVENT_RESUME), 0);
    struct census census;
    census_take(getpid(), &census);
    cr_expect_eq(census.count, 0, "somebody is left");
    census_release(&census);
    finish(&result);
}

Test(pause_client, needs_somebody_to_stop, .timeout = 60)
{
    struct result result =
        play("faults = { { on = 'POST *', attempt = 1, at = 'received', act = delay('300ms') },\n"
             "           { on = 'POST *', attempt = 1, at = 'after_commit',\n"
             "             act = pause_client('1s') } }",
             "curl -sS -m 0.1 -u \"$PSP_API_KEY:\" -d amount=$ORDER_AMOUNT -d currency=usd "
             "-d payment_method=pm_card_visa -d confirm=true \"$PSP_URL/v1/payment_intents\"; "
             "exit 0");
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "no client was running that had sent it");
    finish(&result);
}
