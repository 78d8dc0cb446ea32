/* The fields that narrow a fault: what they say, what they must not say, and what contradicts
 * itself. */
#include "fault_rule.h"
#include "quoted.h"
#include "schedule.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A rule with FIELDS, at received unless they say otherwise. */
static struct json *with(const char *fields)
{
    char text[500];
    snprintf(text, sizeof text, "{%s%s%s'act':{'kind':'%s'}}", fields, *fields == '\0' ? "" : ",",
             strstr(fields, "'at'") == NULL ? "'at':'received'," : "",
             strstr(fields, "webhook") == NULL ? "drop" : "lose");
    return quoted(text);
}

static struct fault_rule read_rule(const char *fields)
{
    struct fault_rule rule;
    struct err_text why = {0};
    struct json *json = with(fields);
    cr_assert_eq(fault_rule_from_json(json, &rule, &why), ERR_OK, "%s: %s", fields, why.text);
    json_free(json);
    return rule;
}

Test(fault_rule, reads_what_narrows_it)
{
    struct fault_rule rule =
        read_rule("'from':'1.5s','to':60000,'burst':{'strikes':3,'of':10},'per':'connection',"
                  "'chance':0.25,'cold':true,'on':['POST *','GET *']");
    cr_expect_eq(rule.from_ms, 1500);
    cr_expect_eq(rule.to_ms, 60000);
    cr_expect_eq(rule.burst.strikes, 3);
    cr_expect_eq(rule.burst.of, 10);
    cr_expect_eq(rule.per, PER_CONNECTION);
    cr_expect_float_eq(rule.chance, 0.25, 0);
    cr_expect_eq(rule.warmth, WARMTH_COLD);
    cr_expect_eq(rule.on.count, 2);
    fault_rule_release(&rule);
    rule = read_rule("");
    cr_expect_float_eq(rule.chance, 1, 0);
    cr_expect_eq(rule.per, PER_RUN);
    cr_expect_eq(rule.to_ms, 0);
    fault_rule_release(&rule);
}

Test(fault_rule, what_narrows_it_can_be_written)
{
    static const char *const fields[] = {
        "'on':['POST /v1/charges','GET *'],'from':1500,'to':60000",
        "'on':'* *','warm':false,'burst':{'strikes':1,'of':2},'per':'key','chance':0.1,'times':4",
        "'on':'POST *','attempt':[2],'nth':2,'per':'order'",
        "'on':'* *','optional':true",
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char text[500];
        struct fault_rule rule = read_rule(fields[i]);
        snprintf(text, sizeof text, "{%s,'at':'received','act':{'kind':'drop'}}", fields[i]);
        expect_quoted(fault_rule_to_json(&rule), text);
        fault_rule_release(&rule);
    }
}

Test(fault_rule, says_what_narrows_it)
{
    static const char *const said[][2] = {
        {"'from':'1s','to':'10s','chance':0.3",
         "drop at received on * *, from 1s to 10s, chance 0.3"},
        {"'to':'10s'", "drop at received on * *, to 10s"},
        {"'at':'webhook','to':'1s'", "lose at webhook on any event, to 1s"},
        {"'at':'webhook','on':['charge.*','refund.created']",
         "lose at webhook on charge.* or refund.created"},
        {"'nth':2,'per':'key'", "drop at received on * *, number 2 with its key"},
        {"'burst':{'strikes':3,'of':10}", "drop at received on * *, 3 of every 10 of the run"},
        {"'on':['POST *','GET /x'],'cold':true",
         "drop at received on POST * or GET /x, on a cold connection"},
    };
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        struct fault_rule rule = read_rule(said[i][0]);
        struct buf text = {0};
        fault_rule_describe(&rule, &text);
        cr_expect_str_eq(buf_string(&text), said[i][1]);
        buf_release(&text);
        fault_rule_release(&rule);
    }
}

/* Left: the fields. Right: what the sentence must contain. */
static const char *const WRONG[][2] = {
    {"'chance':0", "chance is a number above 0, up to 1"},
    {"'chance':-0.1", "chance is a number above 0"},
    {"'chance':1.01", "chance is a number above 0, up to 1"},
    {"'chance':'0.5'", "chance is a number above 0"},
    {"'chanse':0.5", "'chanse' (did you mean chance?)"},
    {"'from':'10'", "from: '10' needs a unit"},
    {"'from':-1", "from is text such as \"10s\""},
    {"'to':true", "to is text such as \"10s\""},
    {"'to':'0'", "to = 0 is over before it begins"},
    {"'from':'10s','to':'1s'", "it ends (to = 1s) before it begins (from = 10s)"},
    {"'from':'1s','to':'1s'", "it ends (to = 1s) before it begins"},
    {"'per':'ordr','nth':1", "per = ordr (did you mean order?): one of run, order, key, conn"},
    {"'per':7,'nth':1", "per = ?: one of"},
    {"'per':'key'", "per says what nth and burst count by"},
    {"'per':'run','attempt':1", "per says what nth and burst count by"},
    {"'burst':3", "burst is a table"},
    {"'optional':false", "optional is true, or left out"},
    {"'optional':1", "optional is true, or left out"},
    {"'burst':{'strikes':3}", "burst needs both"},
    {"'burst':{'strike':3,'of':10}", "burst has no 'strike' (did you mean strikes?)"},
    {"'burst':{'strikes':0,'of':10}", "strikes is a number from 1"},
    {"'burst':{'strikes':10,'of':10}", "10 of every 10 are all of them"},
    {"'burst':{'strikes':11,'of':10}", "of has to be above strikes"},
    {"'burst':{'strikes':1,'of':10},'nth':1", "nth and burst count the same requests"},
    {"'warm':true,'cold':true", "warm and cold: give one of them"},
    {"'warm':false,'cold':true", "warm and cold: give one of them"},
    {"'cold':false", "cold is true, or left out"},
    {"'cold':true,'nth':2,'per':'connection'", "only the first request on a connection is cold"},
    {"'nth':1,'attempt':2", "number 1 of the run is never one of those that attempt names"},
    {"'nth':2,'attempt':[3,5]", "number 2 of the run is never one of those"},
    {"'nth':2,'attempt':[1,3],'per':'order'", "number 2 of its order is never one of those"},
    {"'nth':65,'attempt':64,'per':'order'", "number 65 of its order is never"},
    {"'nth':3,'times':2", "it means 1 request, so it cannot strike 2 times"},
    {"'order':'o','attempt':[1,2],'times':3", "it means 2 requests, so it cannot strike 3 times"},
    {"'on':'GET *','pays':true", "no GET pays"},
    {"'at':'webhook','cold':true", "warm makes no sense at webhook"},
    {"'at':'webhook','nth':1,'per':'key'", "per = \"key\" makes no sense at webhook"},
    {"'at':'webhook','on':'POST *'", "on = \"POST *\": at webhook write the type of an event"},
    {"'on':'GET *','at':'before_commit'", "a GET never comes to before_commit: it commits"},
    {"'on':['GET /x','GET /y'],'at':'after_commit'", "a GET never comes to after_commit"},
};

Test(fault_rule, contradictions_are_refused_with_the_remedy)
{
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct fault_rule rule;
        struct err_text why = {0};
        struct json *json = with(WRONG[i][0]);
        cr_expect_eq(fault_rule_from_json(json, &rule, &why), ERR_INVALID, "%s", WRONG[i][0]);
        cr_expect(strstr(why.text, WRONG[i][1]) != NULL, "%s: %s", WRONG[i][0], why.text);
        cr_expect_null(rule.on.items);
        json_free(json);
    }
    struct fault_rule rule;
    struct err_text why = {0};
    struct json *json =
        quoted("{'on':'GET *','at':'received','act':{'kind':'decline','code':'lost_card'}}");
    cr_expect_eq(fault_rule_from_json(json, &rule, &why), ERR_INVALID);
    cr_expect_not_null(strstr(why.text, "no issuer is asked at a GET"), "%s", why.text);
    json_free(json);
}

Test(fault_rule, what_only_looks_like_a_contradiction_is_none)
{
    static const char *const right[] = {
        "'chance':1",
        "'nth':3,'times':1",
        "'nth':3,'times':9,'per':'key'",
        "'nth':2,'attempt':[2,3],'per':'order'",
        "'nth':2,'attempt':1",
        "'nth':1,'attempt':2,'per':'connection'",
        "'nth':1,'cold':true,'per':'connection'",
        "'nth':2,'cold':true",
        "'order':'o','attempt':[1,2],'times':2",
        "'on':['GET *','POST *'],'at':'after_commit'",
        "'on':['GET *','POST *'],'pays':true",
        "'on':'* *','at':'before_commit'",
        "'from':'1s','to':'1001ms'",
        "'at':'webhook','on':['charge.*','refund.created'],'chance':0.5,'nth':2,'per':'order'",
    };
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        struct fault_rule rule = read_rule(right[i]);
        fault_rule_release(&rule);
    }
}

static enum err check_list(const char *list, struct err_text *why)
{
    struct schedule schedule;
    struct json *json = quoted(list);
    cr_assert_eq(schedule_from_json(json, &schedule, why), ERR_OK, "%s: %s", list, why->text);
    enum err err = schedule_check(&schedule, why);
    schedule_release(&schedule);
    json_free(json);
    return err;
}

#define ALL   "{'at':'received','act':{'kind':'delay','ms':1}}"
#define FIRST "{'nth':1,'at':'received','act':{'kind':'drop'}}"

Test(schedule, a_rule_behind_one_that_always_strikes_is_refused)
{
    struct err_text why = {0};
    cr_expect_eq(check_list("[" FIRST "," ALL "]", &why), ERR_OK);
    cr_expect_eq(check_list("[" FIRST "," ALL "," FIRST "]", &why), ERR_INVALID);
    cr_expect_str_eq(why.text, "fault 3: fault 2 strikes every request at received, so this one "
                               "never can: put it in front");
    cr_expect_eq(check_list("[{'at':'responding','act':{'kind':'drop'}}," FIRST "]", &why), ERR_OK);
    cr_expect_eq(check_list("[{'at':'received','act':{'kind':'decline'}}," FIRST "]", &why), ERR_OK,
                 "a decline strikes only where an issuer is asked");
    cr_expect_eq(check_list("[{'times':1,'at':'received','act':{'kind':'drop'}}," FIRST "]", &why),
                 ERR_OK);
}
