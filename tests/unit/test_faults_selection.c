/* Which requests a fault means: what is asked before it counts, what after, and why it did not
 * strike. */
#include "quoted.h"
#include "schedule_source.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static int64_t moment;
static uint64_t number; /* of the latest request */
static struct schedule_source *source;

static int64_t now_ms(void *self)
{
    (void)self;
    return moment;
}

/* A source with one rule, at received, with FIELDS. */
static void begin_with(const char *fields, uint64_t seed)
{
    char text[500];
    struct schedule schedule;
    struct err_text why = {0};
    snprintf(text, sizeof text, "[{%s,'at':'received','act':{'kind':'drop'}}]", fields);
    struct json *json = quoted(text);
    cr_assert_eq(schedule_from_json(json, &schedule, &why), ERR_OK, "%s", why.text);
    json_free(json);
    moment = 1000;
    number = 0;
    source =
        schedule_source_new(schedule, draws_from_now(seed, (struct clock_source){now_ms, NULL}));
}

static void begin(const char *fields)
{
    begin_with(fields, 1);
}

static void end(void)
{
    schedule_source_free(source);
}

static struct attempt post(const char *order)
{
    static char method[] = "POST", path[] = "/v1/charges", account[] = "sk_test_1";
    static char name[20];
    snprintf(name, sizeof name, "%s", order == NULL ? "" : order);
    return (struct attempt){.number = ++number,
                            .method = method,
                            .path = path,
                            .account = account,
                            .order = order == NULL ? NULL : name,
                            .connection = 1,
                            .on_connection = 2};
}

static bool strikes(struct attempt attempt)
{
    bool struck = schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED)->kind != ACTION_PASS;
    fault_source_end(schedule_source_faults(source), &attempt);
    return struck;
}

static bool strikes_key(const char *key)
{
    char copy[20];
    struct attempt attempt = post(NULL);
    snprintf(copy, sizeof copy, "%s", key);
    attempt.key = copy;
    return strikes(attempt);
}

static bool strikes_on(uint64_t connection)
{
    struct attempt attempt = post(NULL);
    attempt.connection = connection;
    return strikes(attempt);
}

static void expect_why(const char *wanted)
{
    struct buf why = {0};
    schedule_source_explain(source, 0, &why);
    cr_expect_str_eq(buf_string(&why), wanted);
    buf_release(&why);
}

/* --- time ------------------------------------------------------------------------------------ */

Test(selection, from_and_to_follow_the_clock)
{
    static const struct {
        int64_t at;
        bool strikes;
    } times[] = {{0, false}, {999, false}, {1000, true}, {9999, true}, {10000, false}};
    begin("'from':'1s','to':'10s'");
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        moment = 1000 + times[i].at;
        cr_expect_eq(strikes(post(NULL)), times[i].strikes, "after %d ms", (int)times[i].at);
    }
    end();
}

Test(selection, what_comes_at_another_time_is_not_counted)
{
    begin("'from':'1s','attempt':1");
    cr_expect_not(strikes(post("a")));
    moment += 1000;
    cr_expect(strikes(post("a")));
    cr_expect_not(strikes(post("a")));
    end();
}

/* It was received in time; that it gets to its failpoint later changes nothing. */
Test(selection, decides_about_time_when_the_request_is_received)
{
    struct schedule schedule;
    struct json *json = quoted("[{'to':'1s','at':'after_commit','act':{'kind':'drop'}}]");
    cr_assert_eq(schedule_from_json(json, &schedule, NULL), ERR_OK);
    json_free(json);
    source = schedule_source_new(schedule, draws_from_now(1, (struct clock_source){now_ms, NULL}));
    struct attempt attempt = post(NULL);
    schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED);
    moment += 5000;
    cr_expect_eq(schedule_source_decide(source, &attempt, FAILPOINT_AFTER_COMMIT)->kind,
                 ACTION_DROP);
    end();
}

Test(selection, without_a_clock_no_time_passes)
{
    begin("'to':'1ms'");
    cr_expect(strikes(post(NULL)));
    end();
    begin("'from':'1ms'");
    cr_expect_not(strikes(post(NULL)));
    end();
}

/* --- counts ---------------------------------------------------------------------------------- */

Test(selection, nth_of_a_key)
{
    begin("'nth':2,'per':'key'");
    cr_expect_not(strikes_key("a"));
    cr_expect_not(strikes_key("b"));
    cr_expect(strikes_key("a"));
    cr_expect_not(strikes(post("o")), "it brings no key");
    cr_expect_not(strikes(post("o")));
    cr_expect_not(strikes_key("a"));
    cr_expect(strikes_key("b"));
    end();
}

Test(selection, a_key_of_another_account_is_another_key)
{
    static char other[] = "sk_test_2", key[] = "a";
    begin("'nth':2,'per':'key'");
    cr_expect_not(strikes_key("a"));
    struct attempt attempt = post(NULL);
    attempt.account = other;
    attempt.key = key;
    cr_expect_not(strikes(attempt));
    cr_expect(strikes_key("a"));
    end();
}

Test(selection, nth_of_a_connection_and_of_an_order)
{
    begin("'nth':2,'per':'connection'");
    cr_expect_not(strikes_on(1));
    cr_expect_not(strikes_on(2));
    cr_expect(strikes_on(1));
    cr_expect(strikes_on(2));
    cr_expect_not(strikes_on(1));
    end();
    begin("'nth':70,'per':'order'");
    for (int i = 1; i < 70; i++) {
        cr_expect_not(strikes(post("a")));
        cr_expect_not(strikes(post(NULL)));
    }
    cr_expect(strikes(post("a")));
    cr_expect(strikes(post(NULL)), "what belongs to no order counts together");
    cr_expect_not(strikes(post("a")));
    end();
}

Test(selection, bursts_come_again_and_again)
{
    begin("'burst':{'strikes':2,'of':5}");
    for (int i = 0; i < 20; i++)
        cr_expect_eq(strikes(post(NULL)), i % 5 < 2, "request %d", i + 1);
    end();
    begin("'burst':{'strikes':1,'of':2},'per':'connection'");
    cr_expect(strikes_on(1));
    cr_expect(strikes_on(2));
    cr_expect_not(strikes_on(2));
    cr_expect(strikes_on(2));
    cr_expect_not(strikes_on(1));
    end();
    begin("'burst':{'strikes':1,'of':2},'per':'key'");
    cr_expect_not(strikes(post(NULL)), "no key has no first time");
    cr_expect(strikes_key("a"));
    cr_expect_not(strikes_key("a"));
    end();
}

Test(selection, many_orders_are_kept_apart)
{
    char order[20];
    begin("'attempt':2");
    for (int round = 1; round <= 3; round++)
        for (int i = 0; i < 5000; i++) {
            snprintf(order, sizeof order, "order %d", i);
            cr_assert_eq(strikes(post(order)), round == 2, "%s, round %d", order, round);
        }
    end();
}

Test(selection, at_webhook_it_means_webhooks_alone)
{
    struct schedule schedule;
    struct json *json = quoted("[{'on':['charge.*','refund.created'],'chance':1,'nth':2,'per':"
                               "'order','at':'webhook','act':{'kind':'lose'}}]");
    static char type[] = "charge.succeeded", other[] = "payment_intent.created", id[] = "evt_1";
    cr_assert_eq(schedule_from_json(json, &schedule, NULL), ERR_OK);
    json_free(json);
    source = schedule_source_new(schedule, (struct draws){.seed = 1});
    for (int i = 0; i < 3; i++) {
        struct attempt webhook = post("a");
        webhook.event = id;
        webhook.event_type = i == 0 ? other : type;
        cr_expect_eq(schedule_source_decide(source, &webhook, FAILPOINT_WEBHOOK)->kind,
                     i == 2 ? ACTION_LOSE : ACTION_PASS);
        fault_source_end(schedule_source_faults(source), &webhook);
        cr_expect_not(strikes(post("a")));
    }
    end();
}

/* --- chance ---------------------------------------------------------------------------------- */

Test(selection, a_chance_comes_as_often_as_it_says)
{
    char order[20];
    int struck = 0;
    begin("'chance':0.3");
    for (int i = 0; i < 10000; i++) {
        snprintf(order, sizeof order, "order %d", i);
        struck += strikes(post(order));
    }
    cr_expect(struck > 2850 && struck < 3150, "%d of 10000", struck);
    end();
    struck = 0;
    begin("'chance':0.3");
    for (int i = 0; i < 10000; i++)
        struck += strikes(post("a"));
    cr_expect(struck > 2850 && struck < 3150, "%d of 10000 of one order", struck);
    end();
    begin("'chance':1");
    cr_expect(strikes(post("a")));
    end();
}

/* What ten requests of order a meet, ten of order b coming before, between or after them. */
static unsigned fate_of_a(uint64_t seed, int how)
{
    unsigned fate = 0;
    begin_with("'chance':0.5", seed);
    for (int i = 0; i < 10; i++) {
        if (how == 1 || (how == 0 && i == 0))
            for (int n = 0; n < (how == 0 ? 10 : 1); n++)
                strikes(post("b"));
        fate = fate << 1 | strikes(post("a"));
    }
    end();
    return fate;
}

Test(selection, a_chance_does_not_depend_on_who_comes_first)
{
    cr_expect_eq(fate_of_a(1, 0), fate_of_a(1, 1));
    cr_expect_eq(fate_of_a(1, 0), fate_of_a(1, 2));
    cr_expect_neq(fate_of_a(1, 0), fate_of_a(2, 0));
}

Test(selection, rules_have_chances_of_their_own)
{
    struct schedule schedule;
    struct json *json = quoted("[{'chance':0.5,'at':'received','act':{'kind':'drop'}},"
                               "{'chance':0.5,'at':'received','act':{'kind':'reset'}}]");
    int kinds[ACTION_COUNT] = {0};
    cr_assert_eq(schedule_from_json(json, &schedule, NULL), ERR_OK);
    json_free(json);
    source = schedule_source_new(schedule, (struct draws){.seed = 1});
    for (int i = 0; i < 1000; i++) {
        struct attempt attempt = post(NULL);
        kinds[schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED)->kind]++;
        fault_source_end(schedule_source_faults(source), &attempt);
    }
    cr_expect(kinds[ACTION_DROP] > 450 && kinds[ACTION_DROP] < 550, "%d", kinds[ACTION_DROP]);
    cr_expect(kinds[ACTION_RESET] > 200 && kinds[ACTION_RESET] < 300, "%d", kinds[ACTION_RESET]);
    end();
}

Test(selection, chance_is_asked_after_the_counts_and_times_after_the_chance)
{
    int struck = 0;
    begin("'chance':0.5,'times':1");
    for (int i = 0; i < 50; i++)
        struck += strikes(post("a"));
    cr_expect_eq(struck, 1);
    end();
    char order[20];
    begin("'attempt':1,'chance':0.5");
    struck = 0;
    for (int i = 0; i < 1000; i++) {
        snprintf(order, sizeof order, "order %d", i);
        struck += strikes(post(order));
        cr_assert_not(strikes(post(order)), "whose first was spared is not caught later");
    }
    cr_expect(struck > 450 && struck < 550, "%d", struck);
    end();
}

/* --- why not --------------------------------------------------------------------------------- */

static bool never(void *context, size_t rule, const struct attempt *attempt)
{
    (void)context;
    (void)rule;
    (void)attempt;
    return false;
}

Test(selection, says_why_it_did_not_strike)
{
    begin("'on':'GET *'");
    strikes(post("a"));
    expect_why("no such request came: compare `on` with what the client sends, which is in the "
               "history");
    end();
    begin("'from':'10s'");
    moment += 400;
    strikes(post("a"));
    expect_why("1 such came, none in its time, the latest after 400ms: change `from` or `to`, or "
               "advance the clock");
    end();
    begin("'on':'POST *'");
    schedule_source_set_when(source, never, NULL);
    strikes(post("a"));
    strikes(post("a"));
    expect_why("2 such came, and its condition held for none: change `when`");
    end();
    begin("'nth':3");
    strikes(post("a"));
    strikes(post("a"));
    expect_why("2 such came, and none was the one that it counts to: a lower number, or more "
               "--orders, or a fault before it that makes the client try again");
    end();
    begin_with("'chance':0.001", 7);
    strikes(post("a"));
    strikes(post("a"));
    expect_why("its chance (0.001) did not come in 2 tries with seed 7: take another --seed, or a "
               "higher chance");
    end();
}

Test(selection, says_when_a_request_never_got_there)
{
    struct schedule schedule;
    struct json *json = quoted("[{'at':'after_commit','act':{'kind':'drop'}}]");
    cr_assert_eq(schedule_from_json(json, &schedule, NULL), ERR_OK);
    json_free(json);
    source = schedule_source_new(schedule, (struct draws){.seed = 1});
    strikes(post("a"));
    expect_why("1 such came and was meant, but none got to after_commit, or another fault "
               "struck there: a failpoint before that, or another order in the list");
    end();
}
