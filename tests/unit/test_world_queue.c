/* Worlds whose job queue has a policy. */
#include "played.h"

/* Says which delivery it is, and never comes to know. */
#define NEVER                                                                                      \
    "curl -sS -m 5 -u \"$PSP_API_KEY:\" -o /dev/null \"$PSP_URL/v1/charges\"; "                    \
    "echo attempt \"$JOB_ATTEMPT of ${JOB_TRIES-none}\"; exit 75"

static void expect_starts(const struct result *result, const char *wanted)
{
    char got[400] = "";
    int64_t first = nth(result, EVENT_START, 1)->at_ms;
    const struct event *start = NULL;
    while ((start = history_next(&result->history, start, EVENT_START, NULL)) != NULL) {
        size_t length = strlen(got);
        snprintf(got + length, sizeof got - length, "%s+%lldm ", start->order,
                 (long long)(start->at_ms - first) / 60000);
    }
    cr_expect_str_eq(got, wanted, "%s", got);
}

Test(queue, pauses_take_no_time, .timeout = 60)
{
    struct result result = play("queue = { tries = 4, backoff = { '10m', '25h' } }", NEVER);
    expect_starts(&result, "order_1+0m order_1+10m order_1+1510m order_1+3010m order_1+3010m ");
    cr_expect_eq(count(&result, EVENT_CLOCK), 3);
    cr_expect_eq(count(&result, EVENT_JOB), 1);
    cr_expect_str_eq(event_string(nth(&result, EVENT_JOB, 1), "what"), "out_of_tries");
    cr_expect_eq(event_int(nth(&result, EVENT_JOB, 1), "deliveries", 0), 4);
    cr_expect(said(&result, 4, "attempt 4 of 4"));
    cr_expect(said(&result, 5, "attempt 1 of 4"), "somebody has looked after it");
    finish(&result);
}

Test(queue, each_job_has_its_own_pauses, .timeout = 60)
{
    struct result result = play("orders = 2, queue = { tries = 2, backoff = '1h' },\n"
                                "run = function(world) world:start(world.orders[1]):wait()\n"
                                "world:advance('20m'):start(world.orders[2]):wait():work() end",
                                NEVER);
    expect_starts(&result, "order_1+0m order_2+20m order_1+60m order_2+80m order_1+80m "
                           "order_2+80m ");
    finish(&result);
}

Test(queue, without_tries_restarts_are_what_counts, .timeout = 60)
{
    struct result result = play("queue = { backoff = '1h' }", NEVER);
    cr_expect_eq(count(&result, EVENT_START), (size_t)options.restarts + 2);
    cr_expect_eq(count(&result, EVENT_JOB), 0);
    cr_expect(said(&result, 2, "attempt 2 of none"));
    finish(&result);
}

Test(queue, work_heals_nothing, .timeout = 60)
{
    struct result result = play("queue = { tries = 2 },\n"
                                "faults = { storm { rate = 1, with = respond(503) } },\n"
                                "run = function(world) world:work():advance('24h')\n"
                                "world:start():wait() end",
                                PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(count(&result, EVENT_START), 4, "the last one without faults");
    finish(&result);
}

#define EXPIRES(at)                                                                                \
    "{ pays = true, attempt = 1, at = '" at "', act = { advance('2m'), delay('500ms') } }"

/* The first worker waits for its answer while the second one comes and goes. */
static void expect_second_worker(const struct result *result)
{
    const struct event *job = nth(result, EVENT_JOB, 1);
    const struct event *second = nth(result, EVENT_START, 2);
    cr_expect_str_eq(event_string(job, "what"), "lock_expired");
    cr_expect_lt(nth(result, EVENT_CLOCK, 1)->seq, job->seq);
    cr_expect_lt(job->seq, second->seq);
    cr_expect_str_eq(event_string(second, "process"), "process_2");
    cr_expect_lt(second->seq, nth(result, EVENT_EXIT, 1)->seq, "the first one lives");
    cr_expect_eq(count(result, EVENT_CLAIM), 1, "it is one run");
}

Test(queue, a_worker_that_has_a_job_for_too_long_loses_it, .timeout = 60)
{
    struct result result = play(
        "queue = { visibility_timeout = '90s' }, faults = { " EXPIRES("after_commit") " }", PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    expect_second_worker(&result);
    cr_expect_eq(count(&result, EVENT_START), 2);
    cr_expect_eq(count(&result, EVENT_EFFECT), 1);
    finish(&result);
}

Test(queue, in_real_time_as_well, .timeout = 60)
{
    struct result result = play("queue = { visibility_timeout = '200ms' },\n"
                                "faults = { { pays = true, attempt = 1, at = 'after_commit',\n"
                                "act = delay('1s') } }",
                                PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    cr_expect_eq(event_int(nth(&result, EVENT_JOB, 1), "deliveries", 0), 1);
    cr_expect_eq(count(&result, EVENT_CLOCK), 0);
    finish(&result);
}

Test(queue, a_job_that_is_out_of_tries_is_not_given_away, .timeout = 60)
{
    struct result result = play("queue = { tries = 1, visibility_timeout = '90s' },\n"
                                "faults = { " EXPIRES("after_commit") " }",
                                PAY);
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "no worker had its job for longer");
    cr_expect_eq(count(&result, EVENT_START), 1);
    finish(&result);
}

Test(queue, the_script_may_move_the_clock_over_a_lock, .timeout = 60)
{
    struct result result = play("queue = { visibility_timeout = '90s' },\n"
                                "run = function(world) world:start():advance('2m'):wait() end",
                                "sleep 0.5; " PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    expect_second_worker(&result);
    finish(&result);
}
