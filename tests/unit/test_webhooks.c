/* Events and their deliveries without a network: signatures, states, waits, and what is due. */
#include "crypto.h"
#include "delivery.h"
#include "delivery_faults.h"
#include "endpoint.h"
#include "forgery.h"
#include "mem.h"
#include "notice.h"
#include "quoted.h"
#include "signature.h"
#include "standing.h"
#include "stmt.h"
#include "webhook_url.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define NOW_MS INT64_C(1767225600000)
#define NOW_S  (NOW_MS / 1000)

/* --- signatures ------------------------------------------------------------------------------- */

/* RFC 4231, test case 2. */
Test(signature, hmac_is_the_rfc_s)
{
    cr_expect_str_eq(crypto_hmac_sha256("Jefe", "what do ya want for nothing?", 28).hex,
                     "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

Test(signature, one_v1_for_each_secret)
{
    const char *secrets[] = {"whsec_new", "whsec_old"};
    char *one = signature_make(123, "{}", secrets, 1);
    char *two = signature_make(123, "{}", secrets, 2);
    char *expected =
        mem_printf("t=123,v1=%s,v1=%s", crypto_hmac_sha256("whsec_new", "123.{}", 6).hex,
                   crypto_hmac_sha256("whsec_old", "123.{}", 6).hex);
    cr_expect_str_eq(two, expected);
    cr_expect_eq(strncmp(one, expected, strlen(one)), 0);
    cr_expect_eq(strlen(one), strlen("t=123,v1=") + 64);
    free(one);
    free(two);
    free(expected);
}

/* --- where to --------------------------------------------------------------------------------- */

Test(url, this_machine_only_unless_allowed)
{
    struct err_text why;
    cr_expect_eq(webhook_url_check("http://127.0.0.1:1/", false, &why), ERR_OK);
    cr_expect_eq(webhook_url_check("http://example.com/", false, &why), ERR_INVALID);
    cr_expect_not_null(strstr(why.text, "--webhook-any-host"));
    cr_expect_eq(webhook_url_check("https://example.com/", true, &why), ERR_OK);
    cr_expect_eq(webhook_url_check("ftp://example.com/", true, &why), ERR_INVALID);
    cr_expect_eq(webhook_url_check("http://a:b@example.com/", true, &why), ERR_INVALID);
    cr_expect(webhook_url_is_loopback("http://localhost/"));
    cr_expect_not(webhook_url_is_loopback("http://localhost.example.com/"));
}

Test(url, secrets_look_like_secrets)
{
    cr_expect(webhook_secret_is_good("whsec_x"));
    cr_expect_not(webhook_secret_is_good("whsec_"));
    cr_expect_not(webhook_secret_is_good("sk_test_x"));
    cr_expect_not(webhook_secret_is_good("whsec_a b"));
}

/* --- states and waits ------------------------------------------------------------------------- */

Test(delivery, moves_are_those_of_the_picture)
{
    for (int from = 0; from < DELIVERY_STATE_COUNT; from++)
        for (int to = 0; to < DELIVERY_STATE_COUNT; to++)
            cr_expect_eq(delivery_may_move(from, to),
                         from == DELIVERY_PENDING || to == DELIVERY_PENDING, "%s -> %s",
                         delivery_state_name(from), delivery_state_name(to));
}

Test(delivery, waits_double_up_to_half_a_day)
{
    cr_expect_eq(delivery_wait_ms(1), 10000);
    cr_expect_eq(delivery_wait_ms(2), 20000);
    cr_expect_eq(delivery_wait_ms(13), 40960000);
    cr_expect_eq(delivery_wait_ms(14), 43200000);
    cr_expect_eq(delivery_wait_ms(INT64_MAX), 43200000);
}

/* --- what is due ------------------------------------------------------------------------------ */

static struct store *store;

static void open_store(void)
{
    struct err_text why;
    cr_assert_eq(store_open(&store, &(struct store_options){0}, &why), ERR_OK);
}

static void close_store(void)
{
    store_close(store);
}

TestSuite(due, .init = open_store, .fini = close_store);

static void add_endpoint(const char *account, const char *id, const char *events)
{
    struct endpoint endpoint = {.id = mem_strdup(id),
                                .url = mem_strdup("http://127.0.0.1:1/"),
                                .events = mem_strdup(events),
                                .metadata = mem_strdup("{}"),
                                .secret = mem_strdup("whsec_x")};
    cr_assert_eq(endpoint_insert(store, account, &endpoint), ERR_OK);
    endpoint_release(&endpoint);
}

/* The id of the new event, to be freed. */
static char *record(const char *account, const char *type, int64_t at_ms)
{
    struct notice notice = {.created_ms = at_ms,
                            .type = mem_strdup(type),
                            .object = mem_strdup("{\"id\":\"ch_1\"}"),
                            .request = mem_strdup("req_1")};
    cr_assert_eq(notice_record(store, account, 1, &notice), ERR_OK);
    char *id = mem_strdup(notice.id);
    notice_release(&notice);
    return id;
}

static int count_due(const char *endpoint, int64_t now_ms)
{
    struct delivery list[10];
    int count = 0;
    cr_assert_eq(delivery_due(store, endpoint, now_ms, 10, list, &count), ERR_OK);
    for (int i = 0; i < count; i++)
        delivery_release(&list[i]);
    return count;
}

/* The only delivery to ENDPOINT goes as STATUS says. */
static void attempt(const char *endpoint, int status, int64_t at_ms)
{
    struct delivery delivery;
    int count = 0;
    cr_assert_eq(delivery_due(store, endpoint, at_ms, 1, &delivery, &count), ERR_OK);
    cr_assert_eq(count, 1);
    cr_assert_eq(delivery_finish(store, &delivery,
                                 &(struct delivery_outcome){.status = status, .at_ms = at_ms}),
                 ERR_OK);
    delivery_release(&delivery);
}

static int64_t next_due(int64_t now_ms)
{
    int64_t next_ms = 0;
    cr_assert_eq(delivery_next(store, now_ms, &next_ms), ERR_OK);
    return next_ms;
}

Test(due, to_whom_it_concerns)
{
    add_endpoint("sk_test_a", "we_all", "[\"*\"]");
    add_endpoint("sk_test_a", "we_refunds", "[\"refund.created\"]");
    add_endpoint("sk_test_b", "we_other", "[\"*\"]");
    add_endpoint(ENDPOINT_ALL, "we_standing", "[\"*\"]");
    free(record("sk_test_a", "charge.succeeded", NOW_MS));
    cr_expect_eq(count_due("we_all", NOW_MS), 1);
    cr_expect_eq(count_due("we_refunds", NOW_MS), 0);
    cr_expect_eq(count_due("we_other", NOW_MS), 0);
    cr_expect_eq(count_due("we_standing", NOW_MS), 1);
    cr_expect_eq(count_due("we_all", NOW_MS - 1), 0);
}

Test(due, a_failure_waits_and_a_2xx_ends_it)
{
    int64_t pending = 0;
    add_endpoint("sk_test_a", "we_1", "[\"*\"]");
    char *event = record("sk_test_a", "charge.succeeded", NOW_MS);
    cr_expect_eq(next_due(NOW_MS - 1), NOW_MS);
    attempt("we_1", 500, NOW_MS);
    cr_expect_eq(count_due("we_1", NOW_MS + 9999), 0);
    cr_expect_eq(next_due(NOW_MS), NOW_MS + 10000);
    attempt("we_1", 302, NOW_MS + 10000);
    cr_expect_eq(next_due(NOW_MS + 10000), NOW_MS + 30000);
    attempt("we_1", 299, NOW_MS + 30000);
    cr_expect_eq(next_due(NOW_MS), INT64_MAX);
    cr_expect_eq(delivery_pending(store, event, &pending), ERR_OK);
    cr_expect_eq(pending, 0);
    free(event);
}

Test(due, given_up_after_three_days_and_not_before)
{
    int64_t now_ms = NOW_MS;
    int attempts = 0;
    add_endpoint("sk_test_a", "we_1", "[\"*\"]");
    free(record("sk_test_a", "charge.succeeded", NOW_MS));
    for (; now_ms != INT64_MAX; now_ms = next_due(now_ms)) {
        attempt("we_1", 0, now_ms);
        cr_assert_leq(now_ms, NOW_MS + DELIVERY_GIVE_UP_MS);
        cr_assert_lt(++attempts, 30);
    }
    cr_expect_eq(attempts, 18);
}

Test(due, sent_again_by_hand)
{
    add_endpoint("sk_test_a", "we_1", "[\"*\"]");
    char *event = record("sk_test_a", "charge.succeeded", NOW_MS);
    attempt("we_1", 200, NOW_MS);
    add_endpoint("sk_test_a", "we_2", "[\"*\"]");
    cr_expect_eq(delivery_again(store, "sk_test_a", event, "charge.succeeded", NOW_MS + 5), ERR_OK);
    cr_expect_eq(count_due("we_1", NOW_MS + 5), 1);
    cr_expect_eq(count_due("we_2", NOW_MS + 5), 1);
    free(event);
}

Test(due, what_is_deleted_is_not_sent)
{
    add_endpoint("sk_test_a", "we_1", "[\"*\"]");
    free(record("sk_test_a", "charge.succeeded", NOW_MS));
    cr_expect_eq(endpoint_delete(store, "we_1"), ERR_OK);
    cr_expect_eq(count_due("we_1", NOW_MS), 0);
}

/* --- what faults do --------------------------------------------------------------------------- */

/* The only delivery to ENDPOINT that is due. */
static struct delivery the_due(const char *endpoint, int64_t now_ms)
{
    struct delivery list[2] = {0};
    int count = 0;
    cr_assert_eq(delivery_due(store, endpoint, now_ms, 2, list, &count), ERR_OK);
    cr_assert_eq(count, 1);
    return list[0];
}

static void decide(const char *endpoint, struct delivery_fate fate)
{
    struct delivery delivery = the_due(endpoint, NOW_MS);
    cr_assert_not(delivery.decided);
    cr_assert_eq(delivery_decide(store, &delivery, &fate, NOW_MS), ERR_OK);
    delivery_release(&delivery);
}

Test(due, what_was_decided_holds_for_one_attempt)
{
    add_endpoint("sk_test_a", "we_1", "[\"*\"]");
    free(record("sk_test_a", "charge.succeeded", NOW_MS));
    decide("we_1", (struct delivery_fate){.delay_ms = 1000, .duplicated = true, .forged = true});
    cr_expect_eq(count_due("we_1", NOW_MS + 999), 0);
    struct delivery delivery = the_due("we_1", NOW_MS + 1000);
    cr_expect(delivery.decided && delivery.fate.duplicated && delivery.fate.forged);
    delivery_release(&delivery);
    attempt("we_1", 500, NOW_MS + 1000);
    delivery = the_due("we_1", NOW_MS + 11000);
    cr_expect_not(delivery.decided || delivery.fate.duplicated || delivery.fate.forged);
    delivery_release(&delivery);
}

Test(due, one_that_is_held_goes_behind_a_later_one)
{
    add_endpoint("sk_test_a", "we_1", "[\"*\"]");
    free(record("sk_test_a", "charge.succeeded", NOW_MS));
    decide("we_1", (struct delivery_fate){.held_ms = 5000});
    char we_1[] = "we_1", we_2[] = "we_2";
    struct delivery before = {.row = 1, .endpoint = we_1};
    struct delivery later = {.row = 2, .endpoint = we_1};
    struct delivery elsewhere = {.row = 2, .endpoint = we_2};
    cr_assert_eq(delivery_let_go(store, &before), ERR_OK);
    cr_assert_eq(delivery_let_go(store, &elsewhere), ERR_OK);
    cr_expect_eq(count_due("we_1", NOW_MS + 4999), 0);
    cr_expect_eq(count_due("we_1", NOW_MS + 5000), 1);
    cr_assert_eq(delivery_let_go(store, &later), ERR_OK);
    cr_expect_eq(count_due("we_1", NOW_MS), 1);
    cr_assert_eq(delivery_let_go(store, &later), ERR_OK);
    cr_expect_eq(count_due("we_1", NOW_MS - 1), 0, "once is enough");
}

Test(due, what_waits_can_be_let_go_and_what_is_lost_stays_so)
{
    add_endpoint("sk_test_a", "we_1", "[\"*\"]");
    add_endpoint("sk_test_a", "we_2", "[\"*\"]");
    add_endpoint("sk_test_a", "we_3", "[\"*\"]");
    add_endpoint("sk_test_a", "we_4", "[\"*\"]");
    free(record("sk_test_a", "charge.succeeded", NOW_MS));
    decide("we_1", (struct delivery_fate){.delay_ms = 3600000, .held_ms = 5000, .forged = true});
    decide("we_2", (struct delivery_fate){.lost = true});
    attempt("we_3", 500, NOW_MS);
    attempt("we_4", 200, NOW_MS);
    cr_assert_eq(delivery_let_all_go(store, NOW_MS + 1), ERR_OK);
    cr_expect_eq(count_due("we_1", NOW_MS), 0);
    struct delivery delivery = the_due("we_1", NOW_MS + 1);
    cr_expect(delivery.decided && delivery.fate.forged, "what was decided still holds");
    delivery_release(&delivery);
    cr_expect_eq(count_due("we_2", NOW_MS + 1), 0);
    cr_expect_eq(count_due("we_3", NOW_MS + 1), 1);
    cr_expect_eq(count_due("we_4", NOW_MS + 1), 0);
    cr_expect_eq(next_due(NOW_MS + 1), INT64_MAX, "nothing else waits");
}

Test(due, one_that_is_lost_comes_back_by_hand_alone)
{
    int64_t unsent = 0;
    bool stands = true;
    add_endpoint("sk_test_a", "we_1", "[\"*\"]");
    char *event = record("sk_test_a", "charge.succeeded", NOW_MS);
    cr_expect_eq(delivery_unsent(store, "req_1", &unsent), ERR_OK);
    cr_expect_eq(unsent, 1);
    struct delivery delivery = the_due("we_1", NOW_MS);
    decide("we_1", (struct delivery_fate){.lost = true});
    cr_expect_eq(next_due(NOW_MS - 1), INT64_MAX);
    cr_expect_eq(delivery_stands(store, &delivery, &stands), ERR_OK);
    cr_expect_not(stands);
    cr_expect_eq(delivery_unsent(store, "req_1", &unsent), ERR_OK);
    cr_expect_eq(unsent, 0, "nobody waits for it");
    cr_expect_eq(delivery_again(store, "sk_test_a", event, "charge.succeeded", NOW_MS + 5), ERR_OK);
    cr_expect_eq(count_due("we_1", NOW_MS + 5), 1);
    delivery_release(&delivery);
    free(event);
}

Test(due, forgeries_claim_what_can_be_claimed)
{
    static const char *const events[][2] = {
        {"{'type':'charge.failed','data':{'object':{'object':'charge','status':'failed'}}}",
         "{'type':'charge.succeeded','data':{'object':{'object':'charge','status':'succeeded'}}}"},
        {"{'type':'checkout.session.expired','data':{'object':{'object':'checkout.session'}}}",
         "{'type':'checkout.session.completed','data':{'object':{'object':'checkout.session',"
         "'status':'complete'}}}"},
        {"{'type':'customer.created','data':{'object':{'object':'customer'}}}",
         "{'type':'customer.created','data':{'object':{'object':'customer'}}}"},
    };
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        struct json *event = quoted(events[i][0]);
        forgery_make(event);
        expect_quoted(event, events[i][1]);
    }
    char *secret = forgery_secret("whsec_x");
    cr_expect_str_neq(secret, "whsec_x");
    free(secret);
}

/* --- what is kept ----------------------------------------------------------------------------- */

static int64_t count_events(void)
{
    struct stmt *stmt = stmt_query(store, "SELECT count(*) FROM events", "");
    cr_assert_eq(stmt_next(stmt), ERR_OK);
    int64_t count = stmt_int(stmt, 0);
    stmt_end(stmt);
    return count;
}

Test(due, old_events_go_as_new_ones_come)
{
    for (int i = 0; i < 100; i++)
        free(record("sk_test_a", "charge.succeeded", NOW_MS));
    for (int i = 0; i < 100; i++)
        free(record("sk_test_a", "charge.succeeded", NOW_MS + NOTICE_LIFE_S * 1000 + 1));
    cr_expect_eq(count_events(), 100);
}

Test(due, no_id_comes_twice)
{
    char *first = record("sk_test_a", "charge.succeeded", NOW_MS);
    cr_expect_eq(notice_reset(store, NULL), ERR_OK);
    char *second = record("sk_test_a", "charge.succeeded", NOW_MS);
    cr_expect_str_neq(first, second);
    free(first);
    free(second);
}

static struct endpoint put(const char *url, const char *secret)
{
    struct endpoint endpoint;
    struct standing standing = {
        .urls = &url, .count = url != NULL, .secret = secret, .seed = 1, .now_s = NOW_S};
    endpoint = (struct endpoint){0};
    cr_assert_eq(standing_put(store, &standing, &endpoint), ERR_OK);
    return endpoint;
}

Test(due, the_standing_endpoint_is_one)
{
    struct endpoint first = put("http://127.0.0.1:1/", NULL);
    struct endpoint same = put("http://127.0.0.1:1/", NULL);
    cr_expect_str_eq(first.secret, same.secret);
    free(record("sk_test_a", "charge.succeeded", NOW_MS));
    struct endpoint given = put("http://127.0.0.1:1/", "whsec_mine");
    cr_expect_str_eq(given.secret, "whsec_mine");
    cr_expect_eq(count_due(given.id, NOW_MS), 1);
    struct endpoint other = put("http://127.0.0.1:2/", NULL);
    cr_expect_eq(count_due(other.id, NOW_MS), 0);
    struct endpoint none = put(NULL, NULL);
    cr_expect_null(none.id);
    endpoint_release(&first);
    endpoint_release(&same);
    endpoint_release(&given);
    endpoint_release(&other);
}

/* Each keeps its id and what waits for it, whatever comes and goes beside it. */
Test(due, standing_endpoints_come_and_go_one_by_one)
{
    const char *const urls[] = {"http://127.0.0.1:1/", "http://127.0.0.1:2/",
                                "http://127.0.0.1:3/"};
    struct endpoint two[2], three[3];
    struct standing standing = {.urls = urls + 1, .count = 2, .seed = 1, .now_s = NOW_S};
    cr_assert_eq(standing_put(store, &standing, two), ERR_OK);
    cr_expect_str_neq(two[0].id, two[1].id);
    cr_expect_str_neq(two[0].secret, two[1].secret);
    free(record("sk_test_a", "charge.succeeded", NOW_MS));
    standing.urls = urls;
    standing.count = 3;
    cr_assert_eq(standing_put(store, &standing, three), ERR_OK);
    cr_expect_str_eq(three[1].id, two[0].id);
    cr_expect_str_eq(three[2].secret, two[1].secret);
    cr_expect_str_eq(three[0].url, urls[0]);
    cr_expect_eq(count_due(three[0].id, NOW_MS), 0);
    cr_expect_eq(count_due(three[2].id, NOW_MS), 1);
    for (int i = 0; i < 2; i++)
        endpoint_release(&two[i]);
    for (int i = 0; i < 3; i++)
        endpoint_release(&three[i]);
}
