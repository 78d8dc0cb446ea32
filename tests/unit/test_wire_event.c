/* Events, attempts and failpoints: what the provider and the harness tell each other. */
#include "attempt.h"
#include "event.h"
#include "failpoint.h"
#include "mem.h"
#include "quoted.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <signal.h>
#include <string.h>

Test(failpoint, names_come_back)
{
    for (int i = 0; i < FAILPOINT_COUNT; i++) {
        enum failpoint again = FAILPOINT_COUNT;
        cr_assert(failpoint_parse(failpoint_name((enum failpoint)i), &again));
        cr_assert_eq(again, (enum failpoint)i);
        cr_assert_gt(strlen(failpoint_when((enum failpoint)i)), 10);
    }
    enum failpoint untouched = FAILPOINT_RESPONDING;
    cr_assert_not(failpoint_parse("", &untouched));
    cr_assert_not(failpoint_parse("Received", &untouched));
    cr_assert_not(failpoint_parse("after_commit ", &untouched));
    cr_assert_eq(untouched, FAILPOINT_RESPONDING);
}

/* The order of the enum is the order in the life of a request; sources and the story rely on it. */
Test(failpoint, come_in_the_order_of_a_requests_life)
{
    static const char *const life[] = {"received",   "before_commit", "after_commit",
                                       "responding", "responded",     "webhook"};
    cr_assert_eq(FAILPOINT_COUNT, 6);
    for (int i = 0; i < FAILPOINT_COUNT; i++)
        cr_assert_str_eq(failpoint_name((enum failpoint)i), life[i]);
}

Test(event, names_come_back)
{
    for (int i = 0; i < EVENT_COUNT; i++) {
        enum event_kind again = EVENT_COUNT;
        cr_assert(event_parse_kind(event_name((enum event_kind)i), &again));
        cr_assert_eq(again, (enum event_kind)i);
    }
    enum event_kind kind;
    cr_assert_not(event_parse_kind("oops", &kind));
}

Test(event, a_kind_out_of_range_is_a_bug, .signal = SIGABRT)
{
    cr_redirect_stderr();
    event_name(EVENT_COUNT);
}

Test(event, what_is_written_can_be_read)
{
    struct event event = event_new(EVENT_EFFECT, 7, INT64_C(1767225600123));
    event.seq = 12;
    event.order = mem_strdup("order_1");
    json_set_int(event.data, "amount", 1099);
    json_set_string(event.data, "object", "charge");
    json_set_bool(event.data, "replayed", true);
    struct json *json = event_to_json(&event);
    event_release(&event);
    cr_assert_null(event.data);

    struct event again;
    cr_assert_eq(event_from_json(json, &again), ERR_OK);
    cr_assert_eq(again.kind, EVENT_EFFECT);
    cr_assert_eq(again.seq, 12);
    cr_assert_eq(again.request, 7);
    cr_assert_eq(again.at_ms, INT64_C(1767225600123));
    cr_assert_str_eq(again.order, "order_1");
    cr_assert_eq(event_int(&again, "amount", -1), 1099);
    cr_assert_eq(event_int(&again, "absent", -1), -1);
    cr_assert_str_eq(event_string(&again, "object"), "charge");
    cr_assert_null(event_string(&again, "amount"));
    cr_assert(event_bool(&again, "replayed"));
    cr_assert_not(event_bool(&again, "absent"));
    expect_quoted(json, "{'seq':12,'kind':'effect','at':1767225600123,'request':7,"
                        "'order':'order_1','data':{'amount':1099,'object':'charge',"
                        "'replayed':true}}");
    event_release(&again);
}

/* Times of 13 digits do not fit the exact integers of every JSON library; through text they must.
 */
Test(event, the_time_survives_text)
{
    struct event event = event_new(EVENT_HEAL, 0, INT64_C(253402300798999));
    struct json *json = event_to_json(&event);
    char *text = json_print(json);
    struct json *parsed;
    struct event again;
    cr_assert_eq(json_parse(text, strlen(text), &parsed, NULL), ERR_OK);
    cr_assert_eq(event_from_json(parsed, &again), ERR_OK);
    cr_assert_eq(again.at_ms, INT64_C(253402300798999));
    cr_assert_eq(again.request, 0);
    cr_assert_null(again.order);
    free(text);
    json_free(json);
    json_free(parsed);
    event_release(&again);
    event_release(&event);
}

Test(event, a_copy_is_its_own)
{
    struct event event = event_new(EVENT_CLAIM, 0, 5);
    event.order = mem_strdup("o");
    json_set_string(event.data, "outcome", "succeeded");
    struct event copy = event_copy(&event);
    event_release(&event);
    cr_assert_str_eq(copy.order, "o");
    cr_assert_str_eq(event_string(&copy, "outcome"), "succeeded");
    event_release(&copy);
}

Test(event, what_is_none_is_refused)
{
    static const char *const wrong[] = {"{}",
                                        "[]",
                                        "null",
                                        "{'kind':'invoke'}",
                                        "{'kind':'oops','data':{}}",
                                        "{'kind':7,'data':{}}",
                                        "{'kind':'ok','data':[]}",
                                        "{'data':{}}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct event event;
        struct json *json = quoted(wrong[i]);
        memset(&event, 0xff, sizeof event);
        cr_expect_eq(event_from_json(json, &event), ERR_INVALID, "%s", wrong[i]);
        cr_expect_null(event.data);
        cr_expect_null(event.order);
        json_free(json);
    }
}

#define WHOLE_ATTEMPT                                                                              \
    "{'number':3,'request_id':'req_1','account':'sk_test_a','method':'POST',"                      \
    "'path':'/v1/charges','route':'POST /v1/charges','key':'k','fingerprint':'f',"                 \
    "'order':'order_2','amount':0,'currency':'usd','connection':2,'on_connection':1,"              \
    "'params':{'metadata[order_id]':'order_2'}}"

Test(attempt, what_is_read_can_be_written)
{
    struct attempt attempt;
    struct json *json = quoted(WHOLE_ATTEMPT);
    cr_assert_eq(attempt_from_json(json, &attempt), ERR_OK);
    json_free(json);
    cr_assert_eq(attempt.number, 3);
    cr_assert_eq(attempt.amount, 0, "an amount of zero is one");
    cr_assert_str_eq(attempt.order, "order_2");
    expect_quoted(attempt_to_json(&attempt), WHOLE_ATTEMPT);
    attempt_release(&attempt);
    cr_assert_null(attempt.params);
}

Test(attempt, what_a_request_lacks_stays_absent)
{
    struct attempt attempt;
    struct json *json = quoted("{'number':1,'request_id':'req_1','account':'a','method':'GET',"
                               "'path':'/nowhere','connection':1,'on_connection':4,'params':{}}");
    cr_assert_eq(attempt_from_json(json, &attempt), ERR_OK);
    cr_assert_null(attempt.key);
    cr_assert_null(attempt.route);
    cr_assert_null(attempt.order);
    cr_assert_eq(attempt.amount, -1);
    expect_quoted(attempt_to_json(&attempt),
                  "{'number':1,'request_id':'req_1','account':'a','method':'GET',"
                  "'path':'/nowhere','connection':1,'on_connection':4,'params':{}}");
    json_free(json);
    attempt_release(&attempt);
}

Test(attempt, what_is_none_is_refused)
{
    static const char *const wrong[] = {"{}",
                                        "null",
                                        "'POST'",
                                        "{'method':'GET','path':'/'}",
                                        "{'number':0,'method':'GET','path':'/'}",
                                        "{'number':-1,'method':'GET','path':'/'}",
                                        "{'number':'1','method':'GET','path':'/'}",
                                        "{'number':1,'path':'/'}",
                                        "{'number':1,'method':'GET'}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct attempt attempt;
        struct json *json = quoted(wrong[i]);
        memset(&attempt, 0xff, sizeof attempt);
        cr_expect_eq(attempt_from_json(json, &attempt), ERR_INVALID, "%s", wrong[i]);
        cr_expect_null(attempt.method);
        json_free(json);
    }
}
