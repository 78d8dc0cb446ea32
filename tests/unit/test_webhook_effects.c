/* webhook_effect_once: histories that break it, each with its cause, and those that look like it.
 */
#include "asked.h"

#include <criterion/criterion.h>

static struct json *done(struct past *past, const char *event)
{
    struct json *data = past_add(past, EVENT_DONE, 0, "order_1");
    json_set_string(data, "effect", "shipped");
    json_maybe_string(data, "event", event);
    return data;
}

static void counted(struct past *past, int64_t times)
{
    json_set_int(done(past, NULL), "times", times);
}

static void webhook_fault(struct past *past, const char *act, const char *event)
{
    struct json *data = past_add(past, EVENT_FAULT, 0, "order_1");
    json_set_string(data, "at", "webhook");
    json_set_string(data, "act", act);
    json_set_string(data, "event", event);
}

static struct past paid(void)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "a", "f");
    past_charge(&past, 1, "ch_1");
    return past;
}

static void expect(struct past *past, enum cause cause, const char *word)
{
    cr_assert_eq(ask(INVARIANT_webhook_effect_once, past), VIOLATED);
    cr_expect_eq(findings.items[0].cause, cause, "%s", cause_name(findings.items[0].cause));
    cr_expect(says(word), "%s", findings.items[0].sentence);
    forget(past);
}

static void expect_holds(struct past *past)
{
    cr_expect_eq(ask(INVARIANT_webhook_effect_once, past), HOLDS);
    forget(past);
}

Test(webhook_effect_once, holds_once_and_where_nothing_is_said)
{
    struct past past = paid();
    cr_expect_eq(ask(INVARIANT_webhook_effect_once, &past), HOLDS);
    webhook_fault(&past, "duplicate", "evt_1");
    done(&past, "evt_1");
    json_set_string(done(&past, "evt_1"), "effect", "mailed");
    expect_holds(&past);
}

Test(webhook_effect_once, is_violated_by_one_delivered_twice_at_once)
{
    struct past past = paid();
    webhook_fault(&past, "duplicate", "evt_1");
    done(&past, "evt_1");
    done(&past, "evt_1");
    expect(&past, CAUSE_event_at_once, "had done already");

    past = paid(); /* it is another event that came twice */
    webhook_fault(&past, "duplicate", "evt_2");
    done(&past, "evt_1");
    done(&past, "evt_1");
    expect(&past, CAUSE_event_again, "had done already");

    past = paid();
    webhook_fault(&past, "duplicate", "evt_1");
    counted(&past, 2);
    expect(&past, CAUSE_event_at_once, "did it twice");
}

Test(webhook_effect_once, is_violated_by_two_who_tell_of_it)
{
    struct past past = paid();
    done(&past, "evt_1");
    done(&past, "evt_2");
    expect(&past, CAUSE_two_events, "had done already");

    past = paid();
    done(&past, NULL);
    done(&past, "evt_1");
    expect(&past, CAUSE_answer_and_event, "had done already");
}

Test(webhook_effect_once, is_violated_by_what_is_noted_too_late)
{
    struct past past = paid();
    done(&past, "evt_1");
    past_add(&past, EVENT_CRASH, 0, "order_1");
    done(&past, NULL);
    expect(&past, CAUSE_done_before_mark, "had done already");
}

Test(webhook_effect_once, is_violated_where_nothing_was_charged)
{
    struct past past = past_new();
    webhook_fault(&past, "forge", "evt_1");
    done(&past, "evt_1");
    expect(&past, CAUSE_forged_event, "nothing was charged");

    past = past_new();
    done(&past, NULL);
    expect(&past, CAUSE_before_payment, "nothing was charged");

    past = past_new();
    counted(&past, 1);
    expect(&past, CAUSE_before_payment, "nothing was charged");

    past = paid();
    past_refund(&past, "ch_1", 4217);
    done(&past, NULL);
    expect(&past, CAUSE_before_payment, "refunded by then");
}

Test(webhook_effect_once, holds_when_the_refund_came_later)
{
    struct past past = paid();
    done(&past, NULL);
    past_refund(&past, "ch_1", 4217);
    json_set_bool(done(&past, NULL), "undone", true);
    counted(&past, 1);
    expect_holds(&past);
}

/* As whoever judges a journal is told: nobody knows when it was. */
Test(webhook_effect_once, may_have_been_done_before_the_refund_when_the_time_is_not_known)
{
    struct past past = paid();
    past_refund(&past, "ch_1", 4217);
    json_set_bool(done(&past, NULL), "timeless", true);
    expect_holds(&past);

    past = past_new();
    json_set_bool(done(&past, NULL), "timeless", true);
    expect(&past, CAUSE_before_payment, "nothing was charged");
}

Test(webhook_effect_once, is_violated_when_it_is_taken_back)
{
    struct past past = paid();
    done(&past, "evt_2");
    json_set_bool(done(&past, "evt_1"), "undone", true);
    expect(&past, CAUSE_older_event, "took it back");

    past = paid(); /* what was never done cannot be taken back */
    json_set_bool(done(&past, "evt_1"), "undone", true);
    done(&past, "evt_2");
    expect_holds(&past);
}

Test(webhook_effect_once, is_violated_when_it_is_never_done)
{
    struct past past = paid();
    past_claim(&past, "succeeded", NULL);
    webhook_fault(&past, "reorder 5s", "evt_1");
    counted(&past, 0);
    expect(&past, CAUSE_older_event, "has not done it");

    past = paid();
    past_claim(&past, "succeeded", NULL);
    webhook_fault(&past, "lose", "evt_1");
    counted(&past, 0);
    expect(&past, CAUSE_event_dropped, "has not done it");

    past = paid(); /* the client does not know yet that it is paid */
    past_claim(&past, "unknown", NULL);
    counted(&past, 0);
    expect_holds(&past);

    past = past_new();
    past_claim(&past, "failed", NULL);
    counted(&past, 0);
    expect_holds(&past);
}
