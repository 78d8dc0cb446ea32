/* The words for durations that are drawn, in a script. */
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
