#include "action.h"
#include "duration.h"
#include "quoted.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <signal.h>
#include <string.h>

static struct action read_action(const char *text)
{
    struct action action;
    struct err_text why = {0};
    struct json *json = quoted(text);
    cr_assert_eq(action_from_json(json, &action, &why), ERR_OK, "%s: %s", text, why.text);
    json_free(json);
    return action;
}

Test(action, a_zeroed_one_passes)
{
    struct action action = {0};
    cr_assert_eq(action.kind, ACTION_PASS);
    cr_assert_str_eq(action_name(action.kind), "pass");
    action_release(&action);
}

Test(action, every_kind_has_a_name_and_says_what_it_does)
{
    for (int i = 0; i < ACTION_COUNT; i++) {
        cr_assert_gt(strlen(action_name((enum action_kind)i)), 0);
        cr_assert_gt(strlen(action_does((enum action_kind)i)), 10);
        for (int j = 0; j < i; j++)
            cr_assert_str_neq(action_name((enum action_kind)i), action_name((enum action_kind)j));
    }
}

Test(action, what_is_read_can_be_written)
{
    static const char *const tables[] = {
        "{'kind':'pass'}",
        "{'kind':'drop'}",
        "{'kind':'reset'}",
        "{'kind':'hang'}",
        "{'kind':'delay','ms':250}",
        "{'kind':'delay','ms':0}",
        "{'kind':'decline','code':'insufficient_funds'}",
        "{'kind':'crash_psp','down':500}",
        "{'kind':'crash_client'}",
        "{'kind':'truncate','bytes':7}",
        "{'kind':'dribble','bytes':50,'every':5}",
        "{'kind':'respond','status':429,'retry_after':5}",
        "{'kind':'crash_client','signal':'TERM','after':20}",
        "{'kind':'crash_client','signal':'TERM','grace':30000,'whom':'process'}",
        "{'kind':'pause_client','ms':300}",
        "{'kind':'pause_client','ms':300,'whom':'worker_2'}",
        "{'kind':'stop_client'}",
        "{'kind':'stop_client','grace':3000,'signal':'INT','whom':'leader'}",
        "{'kind':'early','most':500}",
        "{'kind':'lose'}",
        "{'kind':'duplicate'}",
        "{'kind':'reorder'}",
        "{'kind':'reorder','most':60000}",
        "{'kind':'forge'}",
        "{'kind':'respond','status':503}",
        "{'kind':'refuse','ms':250}",
        "{'kind':'advance','ms':90000000}",
        "{'kind':'processing','ms':120000}",
        "{'kind':'bandwidth','rate':8000}",
        "{'kind':'cut_header','bytes':3}",
        "{'kind':'broken_chunk','bytes':3}",
        "{'kind':'broken_json'}",
        "{'kind':'stale','ms':30000}",
        "{'kind':'duplicate'}",
        "{'kind':'duplicate','after':5,'answer':'second'}",
        "{'kind':'proxy_error','status':504}",
        "{'kind':'respond','status':500,'body':'{}','headers':{'Retry-After':'2'},'store':true}",
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        struct action action = read_action(tables[i]);
        struct action copy = action_copy(&action);
        action_release(&action);
        expect_quoted(action_to_json(&copy), tables[i]);
        action_release(&copy);
    }
}

Test(action, defaults_and_other_spellings)
{
    struct action action = read_action("{'kind':'delay','ms':'2s','line':12}");
    cr_expect_eq(action.ms, 2000);
    action_release(&action);

    action = read_action("{'kind':'decline'}");
    cr_expect_str_eq(action.text, "generic_decline");
    action_release(&action);

    action = read_action("{'kind':'crash_client'}");
    cr_expect_eq(action.signal, SIGKILL);
    cr_expect_eq(action.ms, 0);
    action_release(&action);

    action = read_action("{'kind':'crash_client','signal':'SIGINT','after':'20ms'}");
    cr_expect_eq(action.signal, SIGINT);
    cr_expect_eq(action.ms, 20);
    action_release(&action);

    action = read_action("{'kind':'respond','status':429,'headers':{'Retry-After':2}}");
    cr_expect_str_eq(json_get_string(action.headers, "Retry-After"), "2");
    cr_expect_not(action.store);
    action_release(&action);
}

/* Left: the table. Right: the word that the sentence must contain. */
static const char *const WRONG[][2] = {
    {"'drop'", "drop()"},
    {"[]", "drop()"},
    {"null", "drop()"},
    {"{}", "an action is a call such as drop()"},
    {"{'kind':7}", "in JSON {\"kind\": \"drop\"}"},
    {"{'kind':'dorp'}", "'dorp'"},
    {"{'kind':'dorp'}", "crash_client"},
    {"{'kind':'Drop'}", "'Drop'"},
    {"{'kind':'drop','ms':5}", "drop has no option 'ms'"},
    {"{'kind':'delay'}", "delay needs ms: text such as"},
    {"{'kind':'delay','ms':-1}", "ms is text such as"},
    {"{'kind':'delay','ms':0.5}", "ms is text such as"},
    {"{'kind':'delay','ms':'2'}", "unit"},
    {"{'kind':'delay','ms':null}", "ms is text such as"},
    {"{'kind':'respond'}", "respond needs status"},
    {"{'kind':'respond','status':100}", "200 to 599"},
    {"{'kind':'respond','status':600}", "200 to 599"},
    {"{'kind':'respond','status':'503'}", "200 to 599"},
    {"{'kind':'respond','status':503,'body':{}}", "body is text"},
    {"{'kind':'respond','status':503,'headers':'x'}", "headers is a table"},
    {"{'kind':'respond','status':503,'headers':{'A':'b','C':true}}", "header 'C'"},
    {"{'kind':'respond','status':503,'store':1}", "store"},
    {"{'kind':'respond','status':503,'down':1}", "respond has no option 'down': it has status"},
    {"{'kind':'respond','status':503,'stroe':true}",
     "respond has no option 'stroe' (did you mean store?): it has status"},
    {"{'kind':'dorp'}", "'dorp' is no action (did you mean drop?): one of pass"},
    {"{'kind':'crash_client','signal':'STOP'}", "KILL"},
    {"{'kind':'pause_client'}", "needs ms"},
    {"{'kind':'crash_client','grace':true}", "grace is text such as"},
    {"{'kind':'crash_client','grace':{'spread':'uniform','low':1,'high':2}}", "grace is text such"},
    {"{'kind':'stop_client','grace':'soon'}", "soon"},
    {"{'kind':'stop_client','whom':'worker'}", "whom is family, leader, group or process"},
    {"{'kind':'stop_client','whom':'worker_0'}", "whom is family"},
    {"{'kind':'stop_client','whom':'process_2x'}", "whom is family"},
    {"{'kind':'stop_client','whom':7}", "whom is family"},
    {"{'kind':'crash_client','signal':9}", "KILL"},
    {"{'kind':'crash_psp','down':true}", "down is text such as"},
    {"{'kind':'respond','status':503,'retry_after':-1}", "1 to 86400"},
    {"{'kind':'respond','status':429,'body':'x','code':'y'}", "its own body"},
    {"{'kind':'truncate','bytes':-1}", "0 to 1000000"},
    {"{'kind':'dribble','bytes':0}", "1 to 1000000"},
    {"{'kind':'decline','code':1}", "code is text"},
    {"{'kind':'duplicate','answer':'third'}", "\"first\" or \"second\""},
    {"{'kind':'duplicate','answer':2}", "\"first\" or \"second\""},
    {"{'kind':'stale'}", "stale needs ms"},
    {"{'kind':'advance'}", "advance needs ms"},
    {"{'kind':'bandwidth'}", "bandwidth needs rate"},
    {"{'kind':'bandwidth','rate':'8'}", "unit"},
    {"{'kind':'bandwidth','rate':0}", "text such as"},
    {"{'kind':'cut_header','bytes':-1}", "0 to 1000000"},
    {"{'kind':'broken_chunk','bytes':0}", "1 to 1000000"},
    {"{'kind':'proxy_error','status':500}", "502, 503 or 504"},
    {"{'kind':'proxy_error','status':505}", "502, 503 or 504"},
};

Test(action, what_is_none_is_refused_and_the_word_named)
{
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        struct action action;
        struct err_text why = {0};
        struct json *json = quoted(WRONG[i][0]);
        memset(&action, 0xff, sizeof action);
        cr_expect_eq(action_from_json(json, &action, &why), ERR_INVALID, "%s", WRONG[i][0]);
        cr_expect(strstr(why.text, WRONG[i][1]) != NULL, "%s: %s", WRONG[i][0], why.text);
        cr_expect_eq(action.kind, ACTION_PASS, "%s leaves an action behind", WRONG[i][0]);
        cr_expect_null(action.text);
        cr_expect_null(action.headers);
        cr_expect_eq(action_from_json(json, &action, NULL), ERR_INVALID);
        json_free(json);
    }
    struct action action;
    cr_expect_eq(action_from_json(NULL, &action, NULL), ERR_INVALID);
}

Test(action, where_each_makes_sense)
{
    for (int at = 0; at < FAILPOINT_WEBHOOK; at++) {
        cr_expect(action_allowed(ACTION_PASS, (enum failpoint)at));
        cr_expect(action_allowed(ACTION_CRASH_PSP, (enum failpoint)at));
        cr_expect(action_allowed(ACTION_CRASH_CLIENT, (enum failpoint)at));
        cr_expect(action_allowed(ACTION_PAUSE_CLIENT, (enum failpoint)at));
        cr_expect(action_allowed(ACTION_STOP_CLIENT, (enum failpoint)at));
        cr_expect_eq(action_allowed(ACTION_DECLINE, (enum failpoint)at), at == FAILPOINT_RECEIVED,
                     "the issuer is asked when a payment executes, and only then");
        cr_expect_eq(action_allowed(ACTION_DROP, (enum failpoint)at), at != FAILPOINT_RESPONDED,
                     "an answer that has been handed over cannot be taken back");
        cr_expect_eq(action_allowed(ACTION_EARLY, (enum failpoint)at), at == FAILPOINT_AFTER_COMMIT,
                     "what it waits for is committed there");
        cr_expect_not(action_allowed(ACTION_LOSE, (enum failpoint)at));
        cr_expect_not(action_allowed(ACTION_REORDER, (enum failpoint)at));
        cr_expect_not(action_allowed(ACTION_FORGE, (enum failpoint)at));
    }
}

Test(action, what_makes_sense_for_a_webhook)
{
    static const enum action_kind allowed[] = {ACTION_PASS,      ACTION_DELAY,   ACTION_LOSE,
                                               ACTION_DUPLICATE, ACTION_REORDER, ACTION_FORGE};
    int count = 0;
    for (int kind = 0; kind < ACTION_COUNT; kind++)
        count += action_allowed((enum action_kind)kind, FAILPOINT_WEBHOOK);
    cr_expect_eq(count, (int)(sizeof allowed / sizeof allowed[0]), "and nothing else");
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        cr_expect(action_allowed(allowed[i], FAILPOINT_WEBHOOK), "%s", action_name(allowed[i]));
}

Test(action, describes_itself_for_a_person)
{
    static const char *const described[][2] = {
        {"{'kind':'drop'}", "drop"},
        {"{'kind':'delay','ms':250}", "delay 250ms"},
        {"{'kind':'delay','ms':0}", "delay 0ms"},
        {"{'kind':'respond','status':503}", "respond 503"},
        {"{'kind':'respond','status':500,'store':true}", "respond 500 store"},
        {"{'kind':'decline','code':'lost_card'}", "decline lost_card"},
        {"{'kind':'reorder'}", "reorder"},
        {"{'kind':'early','most':'1m'}", "early 1m"},
        {"{'kind':'crash_psp'}", "crash_psp"},
        {"{'kind':'crash_psp','down':'1s'}", "crash_psp 1s"},
        {"{'kind':'crash_client'}", "crash_client"},
        {"{'kind':'crash_client','signal':'TERM','after':20}", "crash_client SIGTERM 20ms"},
        {"{'kind':'crash_client','signal':'TERM','grace':'3s'}", "crash_client SIGTERM grace=3s"},
        {"{'kind':'pause_client','ms':'2s'}", "pause_client 2s"},
        {"{'kind':'stop_client','grace':'3s','whom':'group'}", "stop_client 3s whom=group"},
    };
    for (size_t i = 0; i < sizeof described / sizeof described[0]; i++) {
        struct action action = read_action(described[i][0]);
        struct buf text = {0};
        action_describe(&action, &text);
        cr_expect_str_eq(buf_string(&text), described[i][1]);
        buf_release(&text);
        action_release(&action);
    }
}

Test(action, a_kind_out_of_range_is_a_bug, .signal = SIGABRT)
{
    cr_redirect_stderr();
    action_name(ACTION_COUNT);
}

Test(action, headers_that_cannot_be_sent_are_refused)
{
    static const char *const wrong[] = {"{\"Retry-After\":\"2\\r\\nSet-Cookie: a\"}",
                                        "{\"A B\":\"c\"}",
                                        "{\"\":\"c\"}",
                                        "{\"A:\":\"c\"}",
                                        "{\"A\":\"\"}",
                                        "{\"A\":\"b\\tc\"}",
                                        "{\"A\":true}",
                                        "{\"content-length\":\"5\"}",
                                        "{\"Transfer-Encoding\":\"gzip\"}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct buf text = {0};
        struct json *json;
        struct action action;
        struct err_text why = {0};
        buf_addf(&text, "{\"kind\":\"respond\",\"status\":503,\"headers\":%s}", wrong[i]);
        cr_assert_eq(json_parse(text.data, text.len, &json, NULL), ERR_OK);
        cr_assert_eq(action_from_json(json, &action, &why), ERR_INVALID, "%s", wrong[i]);
        cr_assert_neq(why.text[0], '\0');
        json_free(json);
        buf_release(&text);
    }
}

/* With PAIRS headers whose values have LENGTH bytes. */
static enum err read_many_headers(int pairs, int length)
{
    struct buf text = {0};
    struct json *json;
    struct action action;
    struct err_text why = {0};
    buf_add_string(&text, "{\"kind\":\"respond\",\"status\":503,\"headers\":{");
    for (int i = 0; i < pairs; i++)
        buf_addf(&text, "%s\"X-%d\":\"%0*d\"", i == 0 ? "" : ",", i, length, i);
    buf_add_string(&text, "}}");
    cr_assert_eq(json_parse(text.data, text.len, &json, NULL), ERR_OK);
    enum err err = action_from_json(json, &action, &why);
    cr_expect_eq(err == ERR_OK, why.text[0] == '\0');
    action_release(&action);
    json_free(json);
    buf_release(&text);
    return err;
}

/* More of them would not fit into an answer, which would then not come at all. */
Test(action, headers_have_an_end)
{
    cr_expect_eq(read_many_headers(100, 1), ERR_OK);
    cr_expect_eq(read_many_headers(101, 1), ERR_INVALID);
    cr_expect_eq(read_many_headers(1, 16000), ERR_OK);
    cr_expect_eq(read_many_headers(1, 16384), ERR_INVALID);
    cr_expect_eq(read_many_headers(10, 2000), ERR_INVALID);
}

static enum err read_delay(const char *ms, struct action *action)
{
    char text[128];
    struct json *json;
    snprintf(text, sizeof text, "{\"kind\":\"delay\",%s}", ms);
    cr_assert_eq(json_parse(text, strlen(text), &json, NULL), ERR_OK);
    enum err err = action_from_json(json, action, NULL);
    json_free(json);
    return err;
}

/* A script's largest number is no time that could be added to another. */
Test(action, a_number_of_milliseconds_has_an_end)
{
    struct action action;
    cr_expect_eq(read_delay("\"ms\":3162240000000", &action), ERR_OK);
    cr_expect_eq(action.ms, DURATION_MOST_MS);
    cr_expect_eq(read_delay("\"ms\":3162240000001", &action), ERR_INVALID);
}

Test(action, of_two_durations_the_later_counts)
{
    struct action action;
    cr_assert_eq(
        read_delay("\"ms\":{\"spread\":\"uniform\",\"low\":1,\"high\":2},\"ms\":5", &action),
        ERR_OK);
    cr_expect_null(action.spread);
    cr_expect_eq(action.ms, 5);
    action_release(&action);
}
