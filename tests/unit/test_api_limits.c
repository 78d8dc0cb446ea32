/* What a provider refuses for the time being: too many requests, and two of them for one object. */
#include "in_process.h"
#include "provider_limits.h"

#include <stdlib.h>

static struct in_process psp;

/* --- a fault source that holds whom the test says --------------------------------------------- */

static bool hold;
static struct {
    fault_answer *answer;
    void *context;
} held;

static void fake_ask(void *self, const struct attempt *attempt, enum failpoint at,
                     fault_answer *answer, void *context)
{
    (void)self;
    (void)attempt;
    if (!hold || at != FAILPOINT_BEFORE_COMMIT) {
        answer(context, &(struct action){.kind = ACTION_PASS});
        return;
    }
    held.answer = answer;
    held.context = context;
    hold = false;
}

static void fake_end(void *self, const struct attempt *attempt)
{
    (void)self;
    (void)attempt;
}

static const struct fault_source_ops fake_ops = {.ask = fake_ask, .end = fake_end};

static void let_go(enum action_kind kind)
{
    held.answer(held.context, &(struct action){.kind = kind, .status = 500});
}

static void open_psp(void)
{
    in_process_open(&psp, (struct fault_source){.ops = &fake_ops, .self = &held});
}

static void close_psp(void)
{
    in_process_close(&psp);
}

TestSuite(limits, .init = open_psp, .fini = close_psp);

static int status_of(const char *method, const char *path, const char *body)
{
    struct in_call call;
    in_call_start(&psp, &call, method, path, body, NULL);
    int status = in_call_status(&call);
    in_call_end(&call);
    return status;
}

static char *make(const char *path, const char *body)
{
    struct in_call call;
    in_call_start(&psp, &call, "POST", path, body, NULL);
    struct json *json = in_call_json(&call);
    char *id = mem_strdup(json_get_string(json, "id"));
    cr_assert_not_null(id, "%s", call.x->reply.body);
    json_free(json);
    in_call_end(&call);
    return id;
}

/* --- the rate limiter ------------------------------------------------------------------------- */

static void set(const char *name, const char *text)
{
    struct err_text why = {0};
    cr_assert_eq(limits_set(&psp.core.limits, name, text, &why), ERR_OK, "%s", why.text);
}

static int expect_refused(const char *code)
{
    struct in_call call;
    in_call_start(&psp, &call, "GET", "/v1/balance", NULL, NULL);
    struct json *json = in_call_json(&call);
    cr_expect_eq(in_call_status(&call), 429);
    cr_expect_str_eq(json_get_string(json_get(json, "error"), "code"), code);
    cr_expect_str_eq(in_call_header(&call, "Stripe-Rate-Limited-Reason"), "global-rate");
    int seconds = (int)strtol(in_call_header(&call, "Retry-After"), NULL, 10);
    json_free(json);
    in_call_end(&call);
    return seconds;
}

Test(limits, tokens_come_back_with_the_clock)
{
    set("rate", "2/10s");
    for (int i = 0; i < 2; i++)
        cr_expect_eq(status_of("GET", "/v1/balance", NULL), 200);
    cr_expect_eq(expect_refused("rate_limit"), 5);
    cr_assert_eq(clock_advance(&psp.clock, 4999), ERR_OK);
    cr_expect_eq(expect_refused("rate_limit"), 1);
    cr_assert_eq(clock_advance(&psp.clock, 1), ERR_OK);
    cr_expect_eq(status_of("GET", "/v1/balance", NULL), 200);
    expect_refused("rate_limit");
    cr_assert_eq(clock_advance(&psp.clock, INT64_C(86400000)), ERR_OK);
    for (int i = 0; i < 2; i++)
        cr_expect_eq(status_of("GET", "/v1/balance", NULL), 200);
    expect_refused("rate_limit");
}

Test(limits, what_the_limiter_refuses_leaves_no_key)
{
    struct in_call call;
    set("rate", "1/s");
    cr_expect_eq(status_of("GET", "/v1/balance", NULL), 200);
    in_call_start(&psp, &call, "POST", "/v1/customers", "name=a", "key_1");
    cr_expect_eq(in_call_status(&call), 429);
    in_call_end(&call);
    cr_assert_eq(clock_advance(&psp.clock, 1000), ERR_OK);
    in_call_start(&psp, &call, "POST", "/v1/customers", "name=b", "key_1");
    cr_expect_eq(in_call_status(&call), 200);
    in_call_end(&call);
}

/* --- words ------------------------------------------------------------------------------------ */

Test(limits, words)
{
    static const char *const good[][3] = {
        {"rate", "10/s", "10/1s"},       {"rate", "7/1500ms", "7/1500ms"},
        {"rate", "off", "off"},          {"locks", "off", "off"},
        {"locks", "on", "on"},           {"list_lag", "90s", "90s"},
        {"read_lag", "1500ms", "1500ms"}};
    static const char *const bad[][2] = {
        {"rate", ""},      {"rate", "10"},   {"rate", "0/s"},       {"rate", "-1/s"},
        {"rate", "10/0s"}, {"rate", "10/x"}, {"rate", "1000001/s"}, {"locks", "maybe"},
        {"list_lag", "1"}, {"colour", "1"}};
    struct limits limits = {0};
    struct err_text why;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_expect_eq(limits_set(&limits, good[i][0], good[i][1], &why), ERR_OK, "%s", good[i][1]);
        struct json *json = limits_to_json(&limits);
        cr_expect_str_eq(json_get_string(json, good[i][0]), good[i][2]);
        json_free(json);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_eq(limits_set(&limits, bad[i][0], bad[i][1], &why), ERR_INVALID, "%s", bad[i][1]);
}

/* --- locks ------------------------------------------------------------------------------------ */

#define INTENT "amount=700&currency=usd&payment_method=pm_card_visa"

static int try_now(const char *path, const char *body)
{
    return status_of("POST", path, body);
}

Test(limits, who_waits_before_the_commit_holds_the_payment)
{
    struct in_call first, second;
    char *id = make("/v1/payment_intents", INTENT);
    char *other = make("/v1/payment_intents", INTENT);
    char *path = mem_printf("/v1/payment_intents/%s/confirm", id);
    char *other_path = mem_printf("/v1/payment_intents/%s/confirm", other);
    char *get = mem_printf("/v1/payment_intents/%s", id);
    hold = true;
    in_call_start(&psp, &first, "POST", path, "", "key_1");
    cr_expect_not(first.decided);
    in_call_start(&psp, &second, "POST", path, "", "key_2");
    cr_expect_eq(in_call_status(&second), 429);
    cr_expect_str_eq(in_call_header(&second, "Stripe-Should-Retry"), "true");
    struct json *json = in_call_json(&second);
    cr_expect_str_eq(json_get_string(json_get(json, "error"), "code"), "lock_timeout");
    json_free(json);
    in_call_end(&second);
    in_call_start(&psp, &second, "POST", path, "", "key_1");
    cr_expect_eq(in_call_status(&second), 409, "the key is asked first");
    in_call_end(&second);
    cr_expect_eq(status_of("GET", get, NULL), 200);
    cr_expect_eq(try_now(other_path, ""), 200);
    let_go(ACTION_PASS);
    cr_expect_eq(in_call_status(&first), 200);
    cr_expect_eq(try_now(path, ""), 400, "it has succeeded");
    in_call_start(&psp, &second, "POST", path, "", "key_2");
    cr_expect_eq(in_call_status(&second), 400, "the 429 was not stored");
    in_call_end(&second);
    in_call_end(&first);
    free(id);
    free(other);
    free(path);
    free(other_path);
    free(get);
}

/* Holds BODY to /v1/refunds, and tries OTHER meanwhile. */
static int second_refund(const char *body, const char *other, enum action_kind then)
{
    struct in_call first;
    hold = true;
    in_call_start(&psp, &first, "POST", "/v1/refunds", body, NULL);
    int status = try_now("/v1/refunds", other);
    let_go(then);
    in_call_end(&first);
    return status;
}

Test(limits, a_payment_is_one_object_by_every_name)
{
    char *intent = make("/v1/payment_intents", INTENT "&confirm=true");
    struct in_call call;
    char *path = mem_printf("/v1/payment_intents/%s", intent);
    in_call_start(&psp, &call, "GET", path, NULL, NULL);
    struct json *json = in_call_json(&call);
    char *by_intent = mem_printf("payment_intent=%s&amount=1", intent);
    char *by_charge = mem_printf("charge=%s&amount=1", json_get_string(json, "latest_charge"));
    in_call_end(&call);
    cr_expect_eq(second_refund(by_intent, by_charge, ACTION_PASS), 429);
    cr_expect_eq(second_refund(by_charge, by_intent, ACTION_PASS), 429);
    cr_expect_eq(try_now("/v1/refunds", by_charge), 200);
    cr_expect_eq(second_refund(by_charge, by_intent, ACTION_DROP), 429);
    cr_expect_eq(try_now("/v1/refunds", by_charge), 200, "who was dropped holds nothing");
    cr_expect_eq(second_refund(by_charge, by_intent, ACTION_RESPOND), 429);
    cr_expect_eq(try_now("/v1/refunds", by_charge), 200, "nor who was answered for");
    set("locks", "off");
    cr_expect_eq(second_refund(by_intent, by_charge, ACTION_PASS), 200);
    json_free(json);
    free(intent);
    free(path);
    free(by_intent);
    free(by_charge);
}

/* --- lag -------------------------------------------------------------------------------------- */

static size_t listed(const char *path)
{
    struct in_call call;
    in_call_start(&psp, &call, "GET", path, NULL, NULL);
    struct json *json = in_call_json(&call);
    size_t count = json_count(json_get(json, "data"));
    json_free(json);
    in_call_end(&call);
    return count;
}

Test(limits, lists_lag_and_retrieval_does_not)
{
    static const char *const lists[] = {"/v1/payment_intents", "/v1/charges", "/v1/events?limit=1",
                                        "/v1/balance_transactions"};
    set("list_lag", "60s");
    char *id = make("/v1/payment_intents", INTENT "&confirm=true");
    char *path = mem_printf("/v1/payment_intents/%s", id);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(listed(lists[i]), 0, "%s", lists[i]);
    cr_expect_eq(status_of("GET", path, NULL), 200);
    cr_assert_eq(clock_advance(&psp.clock, 60999), ERR_OK);
    cr_expect_eq(listed("/v1/charges"), 0);
    cr_assert_eq(clock_advance(&psp.clock, 1), ERR_OK);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(listed(lists[i]), 1, "%s", lists[i]);
    cr_expect_eq(listed("/v1/charges?created[lt]=1"), 0);
    free(id);
    free(path);
}

Test(limits, retrieval_lags_when_it_is_told_to)
{
    set("read_lag", "1s");
    char *id = make("/v1/payment_intents", INTENT);
    char *path = mem_printf("/v1/payment_intents/%s", id);
    char *confirm = mem_printf("%s/confirm", path);
    cr_expect_eq(status_of("GET", path, NULL), 404);
    cr_expect_eq(listed("/v1/payment_intents"), 1);
    cr_expect_eq(try_now(confirm, ""), 200, "who writes sees what is there");
    cr_assert_eq(clock_advance(&psp.clock, 2000), ERR_OK);
    cr_expect_eq(status_of("GET", path, NULL), 200);
    free(id);
    free(path);
    free(confirm);
}
