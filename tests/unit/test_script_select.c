/* The words and fields that say which requests a fault means, and how long it takes. */
#include "fated.h"

#include <criterion/criterion.h>

Test(script, every_spread_has_a_word)
{
    struct script *script = load(
        "return scenario { faults = {\n"
        "{ attempt = 1, at = 'received', act = delay(uniform('10ms', '20ms')) },\n"
        "{ attempt = 1, at = 'before_commit', act = delay(samples { '7ms', '7ms' }) },\n"
        "{ attempt = 1, at = 'responding', act = dribble(2, sine {low = 0, high = 5, period = 9}) "
        "},"
        "\n{ attempt = 2, at = 'received', act = late { ms = ramp { from = '5ms', to = '6ms',"
        "over = '1s' } } },\n"
        "{ attempt = 2, at = 'responding', act = delay(lognormal { median = '2s', p99 = '3s' }) "
        "},\n"
        "{ attempt = 2, at = 'before_commit', act = crash_psp(square('3ms', '4ms', '9s', '1s')) "
        "},\n"
        "{ attempt = 3, at = 'received', act = delay(normal('1s', '1ms')) },\n"
        "{ attempt = 3, at = 'responding', act = delay(pareto { scale = '1s', shape = 90 }) } } }");
    expect_fate(script, post(1, "a"), "delay 16ms delay 7ms pass dribble 2 bytes 0ms pass");
    expect_fate(script, post(2, "a"), "late 5ms crash_psp 3ms pass delay 1799ms pass");
    expect_fate(script, post(3, "a"), "delay 1s pass pass delay 1011ms pass");
    script_free(script);
}

/* What is drawn is said in the history, so a run has to be repeatable to be believed. */
Test(script, what_is_drawn_does_not_depend_on_who_comes_first)
{
    static const char *const text =
        "return scenario { faults = { { at = 'received', act = delay(uniform('0', '1h')) } } }";
    struct script *one = load(text), *other = load(text);
    expect_fate(one, post(1, "a"), "delay 2252315ms pass pass pass pass");
    expect_fate(one, post(2, "b"), "delay 1716535ms pass pass pass pass");
    expect_fate(one, post(3, "a"), "delay 1226353ms pass pass pass pass");
    expect_fate(other, post(1, "b"), "delay 1716535ms pass pass pass pass");
    expect_fate(other, post(2, "a"), "delay 2252315ms pass pass pass pass");
    expect_fate(other, post(3, "a"), "delay 1226353ms pass pass pass pass");
    script_free(one);
    script_free(other);
}

Test(script, a_function_may_draw_as_well)
{
    struct script *script =
        load("return scenario { faults = function(req)\n"
             "if req.at == 'received' then\n"
             "return { delay(uniform('0', '1h')), delay(uniform('0', '1h')) } end end }");
    expect_fate(script, post(1, "a"), "delay 2252315ms delay 1962612ms pass pass pass");
    script_free(script);
}

Test(script, spreads_that_are_wrong_are_named_with_their_line)
{
    expect_fault_refused("at = 'received', act = delay(uniform('2s', '1s'))",
                         ":3: fault 1: uniform: high (1s) has to be above low (2s)");
    expect_fault_refused("at = 'received', act = delay(lognormal { median = '2s', p99 = '1s' })",
                         ":3: fault 1: lognormal: p99 (1s) has to be above median (2s)");
    expect_fault_refused("at = 'received', act = delay(samples {})", ":3: fault 1: samples needs");
    expect_fault_refused("at = 'received', act = delay(samples { '5' })",
                         ":3: fault 1: one of samples: '5' needs a unit");
    expect_fault_refused("at = 'received', act = delay(uniform('1s', '2s', '3s'))",
                         ":3: uniform takes 2 values, and this is number 3");
    expect_fault_refused("at = 'received', act = delay(uniform { lo = '1s' })",
                         ":3: fault 1: uniform has no option 'lo' (did you mean low?)");
    expect_fault_refused("at = 'received', act = delay(unform('1s', '2s'))",
                         ":3: 'unform' is not defined (did you mean uniform?)");
    expect_fault_refused("at = 'received', act = truncate(uniform('1s', '2s'))",
                         ":3: fault 1: bytes is a whole number");
}

Test(script, a_storm_is_a_fault_like_others)
{
    struct script *script = load("return scenario { faults = {\n"
                                 "storm { rate = 1, times = 2, with = respond(503) },\n"
                                 "storm { rate = 1, at = 'responding', on = { 'GET *', 'POST *' },"
                                 "with = { delay('1ms'), drop() } } } }");
    expect_fate(script, post(1, "a"), "respond 503 pass pass delay 1ms drop");
    expect_fate(script, post(2, "b"), "respond 503 pass pass delay 1ms drop");
    expect_fate(script, post(3, "a"), "pass pass pass delay 1ms drop");
    script_free(script);
}

Test(script, a_storm_strikes_by_chance)
{
    struct script *script =
        load("return scenario { faults = { storm { rate = 0.5, with = drop() } } }");
    expect_fate(script, post(1, "a"), "drop pass pass pass pass");
    expect_fate(script, post(2, "a"), PASS5);
    expect_fate(script, post(3, "a"), PASS5);
    expect_fate(script, post(4, "b"), "drop pass pass pass pass");
    script_free(script);
}

Test(script, storms_that_are_wrong_are_named_with_their_line)
{
    static const char *const wrong[][2] = {
        {"storm()", ":3: storm takes a table"},
        {"storm { with = drop() }", ":3: storm: rate is a number above 0, up to 1"},
        {"storm { rate = 0, with = drop() }", ":3: storm: rate is a number above 0"},
        {"storm { rate = 2, with = drop() }", ":3: storm: rate is a number above 0"},
        {"storm { rate = 0 / 0, with = drop() }", ":3: storm: rate is a number above 0"},
        {"storm { rate = 0.5 }", ":3: storm: with is missing"},
        {"storm { rate = 0.5, act = drop() }", ":3: storm: with is missing"},
        {"storm { rate = 0.5, with = drop(), chance = 1 }", ":3: storm takes rate and with"},
        {"storm { rate = 0.5, with =\n\n drop(), from = '2s', to = '1s' }",
         ":3: fault 1: it ends (to = 1s) before it begins"},
        {"storm { rate = 0.5, with = drop(), form = '2s' }",
         ":3: fault 1: a fault has no field 'form' (did you mean from?)"},
        {"storm { rate = 0.5, with = truncate(5) }", ":3: fault 1: truncate makes no sense at"},
        {"strom { rate = 0.5, with = drop() }", ":3: 'strom' is not defined (did you mean storm?)"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, "return scenario {\nfaults = {\n%s } }", wrong[i][0]);
        expect_refusal(text, wrong[i][1]);
    }
}

Test(script, what_can_never_strike_is_named_with_its_line)
{
    expect_refusal("return scenario { faults = {\n{ at = 'received', act = delay('1s') },\n"
                   "{ nth = 1, at = 'received', act = drop() } } }",
                   ":3: fault 2: fault 1 strikes every request at received");
    expect_fault_refused("nth = 1, attempt = 2, at = 'received', act = drop()",
                         ":3: fault 1: number 1 of the run is never one");
    struct script *script =
        load("return scenario { faults = {\n"
             "{ at = 'received', act = delay('1s'), when = function() return false end },\n"
             "{ nth = 1, at = 'received', act = drop() } } }");
    expect_fate(script, post(1, "a"), "drop pass pass pass pass");
    script_free(script);
}

/* The clock of a script is its record's. */
static int64_t moment;

static int64_t now_ms(void *self)
{
    (void)self;
    return moment;
}

Test(script, from_and_to_follow_the_clock_of_the_world)
{
    struct record *record = record_new(0);
    struct script_options options = {.seed = 1, .record = record};
    struct script *script;
    struct event up = event_new(EVENT_UP, 0, 5000);
    struct scripted file = scripted_new("return scenario { faults = { { from = '10s', to = '20s',\n"
                                        "at = 'received', act = delay(ramp('0', '1s', '10s')) } "
                                        "} }");
    cr_assert_eq(script_load(file.file, &options, &script, NULL), ERR_OK);
    record_set_clock(record, (struct clock_source){now_ms, NULL});
    record_add(record, &up);
    moment = 14999;
    expect_fate(script, post(1, "a"), PASS5);
    moment = 20000;
    expect_fate(script, post(2, "a"), "delay 500ms pass pass pass pass");
    moment = 25000;
    expect_fate(script, post(3, "a"), PASS5);
    script_free(script);
    record_free(record);
    event_release(&up);
    scripted_remove(&file);
}

Test(script, says_why_a_fault_never_struck)
{
    struct script *script =
        load("return scenario { faults = { storm { rate = 0.001, with = drop() } } }");
    struct err_text text;
    expect_fate(script, post(1, "a"), PASS5);
    cr_assert_eq(script_unstruck(script, 0, &text), ERR_OK);
    cr_expect_not_null(strstr(text.text, ":1): its chance (0.001) did not come in 1 try with "
                                         "seed 1: take another --seed, or a higher chance"),
                       "%s", text.text);
    script_free(script);
}
