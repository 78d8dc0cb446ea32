#include "quoted.h"
#include "schedule.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

static struct fault_rule read_rule(const char *text)
{
    struct fault_rule rule;
    struct err_text why = {0};
    struct json *json = quoted(text);
    cr_assert_eq(fault_rule_from_json(json, &rule, &why), ERR_OK, "%s: %s", text, why.text);
    json_free(json);
    return rule;
}

Test(fault_rule, reads_every_field)
{
    struct fault_rule rule = read_rule("{'on':'POST /v1/*','attempt':[1,3,64],'nth':5,"
                                       "'order':'order_1','at':'after_commit',"
                                       "'act':{'kind':'delay','ms':5,'line':17}}");
    cr_expect_str_eq(rule.on.items[0].method, "POST");
    cr_expect_str_eq(rule.on.items[0].path, "/v1/*");
    cr_expect_eq(rule.attempts, UINT64_C(0x8000000000000005));
    cr_expect_eq(rule.nth, 5);
    cr_expect_str_eq(rule.order, "order_1");
    cr_expect_eq(rule.at, FAILPOINT_AFTER_COMMIT);
    cr_expect_eq(rule.acts.items[0].kind, ACTION_DELAY);
    cr_expect_eq(rule.line, 17);
    expect_quoted(fault_rule_to_json(&rule),
                  "{'on':'POST /v1/*','order':'order_1','attempt':[1,3,64],'nth':5,"
                  "'at':'after_commit','act':{'kind':'delay','ms':5}}");
    fault_rule_release(&rule);
    cr_expect_null(rule.on.items);
}

Test(fault_rule, means_every_request_unless_told)
{
    struct fault_rule rule = read_rule("{'at':'received','act':{'kind':'drop'}}");
    cr_expect_str_eq(rule.on.items[0].method, "*");
    cr_expect_str_eq(rule.on.items[0].path, "*");
    cr_expect_eq(rule.attempts, 0);
    cr_expect_eq(rule.nth, 0);
    cr_expect_null(rule.order);
    expect_quoted(fault_rule_to_json(&rule), "{'on':'* *','at':'received','act':{'kind':'drop'}}");
    fault_rule_release(&rule);
}

Test(fault_rule, one_attempt_is_a_list_of_one)
{
    struct fault_rule rule = read_rule("{'attempt':2,'at':'received','act':{'kind':'drop'}}");
    cr_expect_eq(rule.attempts, 2);
    fault_rule_release(&rule);
}

/* Wherever `at` stands. */
Test(fault_rule, at_webhook_it_means_a_type_of_event)
{
    struct fault_rule rule = read_rule("{'on':'payment_intent.*','attempt':1,'order':'order_1',"
                                       "'at':'webhook','act':[{'kind':'forge'},{'kind':'lose'}]}");
    cr_expect_str_eq(rule.on.items[0].event, "payment_intent.*");
    expect_quoted(fault_rule_to_json(&rule),
                  "{'on':'payment_intent.*','order':'order_1','attempt':[1],'at':'webhook',"
                  "'act':[{'kind':'forge'},{'kind':'lose'}]}");
    fault_rule_release(&rule);

    rule = read_rule("{'at':'webhook','act':{'kind':'lose'}}");
    cr_expect_str_eq(rule.on.items[0].event, "*");
    expect_quoted(fault_rule_to_json(&rule), "{'on':'*','at':'webhook','act':{'kind':'lose'}}");
    fault_rule_release(&rule);
}

/* Left: the table. Right: what the sentence must contain. */
static const char *const WRONG[][2] = {
    {"'drop'", "a fault is a table"},
    {"[]", "a fault is a table"},
    {"{}", "at is missing"},
    {"{'at':'received'}", "act is missing"},
    {"{'act':{'kind':'drop'}}", "at is missing"},
    {"{'at':'recieved','act':{'kind':'drop'}}",
     "'recieved' is no failpoint (did you mean received?): one of received, before_commit"},
    {"{'at':7,'act':{'kind':'drop'}}", "failpoint"},
    {"{'at':'received','act':'drop'}", "drop()"},
    {"{'at':'received','act':{'kind':'dorp'}}", "'dorp'"},
    {"{'on':'/v1/charges','at':'received','act':{'kind':'drop'}}", "\"/v1/charges\""},
    {"{'on':'POST','at':'received','act':{'kind':'drop'}}", "method and a path"},
    {"{'on':' /v1','at':'received','act':{'kind':'drop'}}", "method and a path"},
    {"{'on':'POST v1','at':'received','act':{'kind':'drop'}}", "method and a path"},
    {"{'on':'POST /v1 x','at':'received','act':{'kind':'drop'}}", "method and a path"},
    {"{'on':'POST  /v1','at':'received','act':{'kind':'drop'}}", "method and a path"},
    {"{'on':7,'at':'received','act':{'kind':'drop'}}", "on is text"},
    {"{'attempt':0,'at':'received','act':{'kind':'drop'}}", "1 to 64"},
    {"{'attempt':65,'at':'received','act':{'kind':'drop'}}", "1 to 64"},
    {"{'attempt':[1,'2'],'at':'received','act':{'kind':'drop'}}", "1 to 64"},
    {"{'attempt':[],'at':'received','act':{'kind':'drop'}}", "1 to 64"},
    {"{'attempt':1.5,'at':'received','act':{'kind':'drop'}}", "1 to 64"},
    {"{'nth':0,'at':'received','act':{'kind':'drop'}}", "nth"},
    {"{'order':5,'at':'received','act':{'kind':'drop'}}", "order is text"},
    {"{'atempt':1,'at':'received','act':{'kind':'drop'}}",
     "'atempt' (did you mean attempt?): at, act, on, pays, "},
    {"{'at':'responded','act':{'kind':'drop'}}", "drop makes no sense at responded"},
    {"{'at':'after_commit','act':{'kind':'decline'}}", "decline makes no sense at after_commit"},
    {"{'at':'received','act':{'kind':'respond','status':500,'store':true}}", "store"},
    {"{'on':'POST *','at':'webhook','act':{'kind':'lose'}}", "write the type of an event"},
    {"{'on':'','at':'webhook','act':{'kind':'lose'}}", "write the type of an event"},
    {"{'on':'charge.*','at':'received','act':{'kind':'drop'}}", "method and a path"},
    {"{'pays':true,'at':'webhook','act':{'kind':'lose'}}", "pays makes no sense at webhook"},
    {"{'warm':false,'at':'webhook','act':{'kind':'lose'}}", "warm makes no sense at webhook"},
    {"{'at':'webhook','act':{'kind':'drop'}}", "drop makes no sense at webhook: it does at rec"},
    {"{'at':'responding','act':{'kind':'lose'}}",
     "lose makes no sense at responding: it does at w"},
    {"{'at':'webhook','act':[{'kind':'lose'},{'kind':'forge'}]}", "forge cannot follow on lose"},
};

Test(fault_rule, what_is_none_is_refused_and_the_word_named)
{
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct fault_rule rule;
        struct err_text why = {0};
        struct json *json = quoted(WRONG[i][0]);
        memset(&rule, 0xff, sizeof rule);
        cr_expect_eq(fault_rule_from_json(json, &rule, &why), ERR_INVALID, "%s", WRONG[i][0]);
        cr_expect(strstr(why.text, WRONG[i][1]) != NULL, "%s: %s", WRONG[i][0], why.text);
        cr_expect_null(rule.on.items);
        cr_expect_eq(fault_rule_from_json(json, &rule, NULL), ERR_INVALID);
        json_free(json);
    }
}

Test(fault_rule, describes_itself_for_a_person)
{
    static const char *const described[][2] = {
        {"{'on':'POST /v1/payment_intents','attempt':1,'at':'after_commit',"
         "'act':{'kind':'drop'}}",
         "drop at after_commit on POST /v1/payment_intents, attempt 1"},
        {"{'attempt':[1,2,3],'at':'received','act':{'kind':'respond','status':503}}",
         "respond 503 at received on * *, attempt 1 and 2 and 3"},
        {"{'nth':4,'order':'order_9','at':'responding','act':{'kind':'reset'}}",
         "reset at responding on * *, number 4 of the run, order order_9"},
        {"{'on':'charge.*','times':2,'at':'webhook','act':{'kind':'lose'}}",
         "lose at webhook on charge.*, 2 times"},
        {"{'at':'webhook','act':{'kind':'duplicate'}}", "duplicate at webhook on any event"},
    };
    for (size_t i = 0; i < sizeof described / sizeof described[0]; i++) {
        struct fault_rule rule = read_rule(described[i][0]);
        struct buf text = {0};
        fault_rule_describe(&rule, &text);
        cr_expect_str_eq(buf_string(&text), described[i][1]);
        buf_release(&text);
        fault_rule_release(&rule);
    }
}

#define TWO_RULES                                                                                  \
    "[{'on':'* *','at':'received','act':{'kind':'pass'}},"                                         \
    "{'on':'GET /x','attempt':[2],'at':'responding','act':{'kind':'hang'}}]"

Test(schedule, what_is_read_can_be_written)
{
    struct schedule schedule;
    struct json *json = quoted(TWO_RULES);
    cr_assert_eq(schedule_from_json(json, &schedule, NULL), ERR_OK);
    json_free(json);
    cr_assert_eq(schedule.count, 2);
    expect_quoted(schedule_to_json(&schedule), TWO_RULES);
    schedule_release(&schedule);
    cr_assert_eq(schedule.count, 0);
}

/* An empty Lua table may arrive as either; no faults at all is no mistake. */
Test(schedule, may_be_empty)
{
    static const char *const empty[] = {"[]", "{}", "null"};
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++) {
        struct schedule schedule;
        struct json *json = quoted(empty[i]);
        cr_expect_eq(schedule_from_json(json, &schedule, NULL), ERR_OK, "%s", empty[i]);
        cr_expect_eq(schedule.count, 0);
        schedule_release(&schedule);
        json_free(json);
    }
    struct schedule schedule;
    cr_expect_eq(schedule_from_json(NULL, &schedule, NULL), ERR_OK);
}

/* Faults that are silently no faults would turn a broken scenario into a passing one. */
Test(schedule, what_is_no_list_is_refused)
{
    static const char *const wrong[] = {"{'at':'received'}", "'drop'", "7", "true", "false"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct schedule schedule;
        struct err_text why = {0};
        struct json *json = quoted(wrong[i]);
        cr_expect_eq(schedule_from_json(json, &schedule, &why), ERR_INVALID, "%s", wrong[i]);
        cr_expect(strstr(why.text, "faults is a list") != NULL, "%s", why.text);
        cr_expect_eq(schedule.count, 0);
        json_free(json);
    }
}

Test(schedule, the_broken_rule_is_named_by_number_and_line)
{
    struct schedule schedule;
    struct err_text why = {0};
    struct json *json = quoted("[{'at':'received','act':{'kind':'drop','line':3}},"
                               "{'at':'responded','act':{'kind':'drop','line':4}}]");
    cr_assert_eq(schedule_from_json(json, &schedule, &why), ERR_INVALID);
    cr_assert_str_eq(why.text, "fault 2: drop makes no sense at responded: it does at "
                               "received, before_commit, after_commit, responding");
    cr_assert_eq(why.line, 4);
    cr_assert_eq(schedule.count, 0);
    cr_assert_eq(schedule_from_json(json, &schedule, NULL), ERR_INVALID);
    json_free(json);
}

Test(schedule, has_a_limit)
{
    for (int count = SCHEDULE_MOST_RULES; count <= SCHEDULE_MOST_RULES + 1; count++) {
        struct json *json = json_array();
        for (int i = 0; i < count; i++)
            json_push(json, quoted("{'at':'received','act':{'kind':'drop'}}"));
        struct schedule schedule;
        enum err expected = count == SCHEDULE_MOST_RULES ? ERR_OK : ERR_LIMIT;
        cr_expect_eq(schedule_from_json(json, &schedule, NULL), expected, "%d rules", count);
        schedule_release(&schedule);
        json_free(json);
    }
}
