#include "canonical.h"
#include "names.h"
#include "past.h"

#include <criterion/criterion.h>
#include <string.h>

static struct past past;
static struct buf text;

static void set_up(void)
{
    past = past_new();
}

static void tear_down(void)
{
    past_release(&past);
    buf_release(&text);
}

TestSuite(canonical, .init = set_up, .fini = tear_down);

static void expect_canonical(const char *expected)
{
    buf_clear(&text);
    canonical_print(&past.history, &text);
    cr_expect_str_eq(buf_string(&text), expected, "%s", buf_string(&text));
}

/* The last request's parameters, as a scenario's client sends them. */
static void past_params(uint64_t request, const char *key, const char *name, const char *value)
{
    struct json *data = past_add(&past, EVENT_INVOKE, request, "order_1");
    struct json *params = json_object();
    json_maybe_string(data, "key", key);
    json_set_string(params, name, value);
    json_set(data, "params", params);
}

static void expect_value(const char *value, const char *expected)
{
    past_release(&past);
    past = past_new();
    past_params(1, NULL, "v", value);
    char *line = mem_printf("{\"kind\":\"invoke\",\"request\":1,\"order\":\"order_1\",\"data\":"
                            "{\"params\":{\"v\":\"%s\"}}}\n",
                            expected);
    expect_canonical(line);
    free(line);
}

Test(canonical, is_empty_when_nothing_happened)
{
    expect_canonical("");
}

Test(canonical, has_no_ports_pids_times_and_prints)
{
    struct json *up = past_add(&past, EVENT_UP, 0, NULL);
    json_set_int(up, "port", 41873);
    json_set_int(up, "recovered", 0);
    struct json *start = past_add(&past, EVENT_START, 0, "order_1");
    json_set_int(start, "run", 1);
    json_set_int(start, "pid", 4242);
    json_set_string(past_add(&past, EVENT_OUTPUT, 0, "order_1"), "text", "after 17 ms");
    struct json *clock = past_add(&past, EVENT_CLOCK, 0, NULL);
    json_set_int(clock, "advanced", 90000000);
    json_set_int(clock, "now", past.now_ms);
    expect_canonical("{\"kind\":\"up\",\"data\":{\"recovered\":0}}\n"
                     "{\"kind\":\"start\",\"order\":\"order_1\",\"data\":{\"run\":1}}\n"
                     "{\"kind\":\"clock\",\"data\":{\"advanced\":90000000}}\n");
}

Test(canonical, names_keys_and_fingerprints_by_their_first_appearance)
{
    static const struct {
        const char *key;
        const char *fingerprint;
        const char *keys_name;
        const char *fingerprints_name;
    } REQUESTS[] = {
        {"5ad1a1e2-0a4f", "ff00", "key_1", "fingerprint_1"},
        {"0b3c", "ee11", "key_2", "fingerprint_2"},
        {"5ad1a1e2-0a4f", "ee11", "key_1", "fingerprint_2"},
    };
    struct buf expected = {0};
    for (size_t i = 0; i < sizeof REQUESTS / sizeof REQUESTS[0]; i++) {
        struct json *data = past_add(&past, EVENT_INVOKE, i + 1, "order_1");
        json_set_string(data, "key", REQUESTS[i].key);
        json_set_string(data, "fingerprint", REQUESTS[i].fingerprint);
        buf_addf(&expected,
                 "{\"kind\":\"invoke\",\"request\":%zu,\"order\":\"order_1\",\"data\":{"
                 "\"key\":\"%s\",\"fingerprint\":\"%s\"}}\n",
                 i + 1, REQUESTS[i].keys_name, REQUESTS[i].fingerprints_name);
    }
    expect_canonical(buf_string(&expected));
    buf_release(&expected);
}

Test(canonical, knows_a_key_in_a_parameter)
{
    past_params(1, "order 1, first try", "idempotency_key", "order 1, first try");
    expect_canonical("{\"kind\":\"invoke\",\"request\":1,\"order\":\"order_1\",\"data\":{"
                     "\"key\":\"key_1\",\"params\":{\"idempotency_key\":\"key_1\"}}}\n");
}

Test(canonical, names_what_looks_made_up)
{
    expect_value("pm_card_visa", "pm_card_visa");
    expect_value("4217", "4217");
    expect_value("a3f9c2d", "a3f9c2d");
    expect_value("a3f9c2d1", "made_1");
    expect_value("7f3c0c1e-8a54-4b2e-9d43-0d8e0a6b1f11", "made_1");
    expect_value("try 7f3c0c1e-8a54 of order_1, twin of 7f3c0c1e-8a54",
                 "try made_1 of order_1, twin of made_1");
    expect_value("VJkTzQxhPdWmLsNb", "made_1");
    expect_value("correcthorsebatterystaple", "correcthorsebatterystaple");
}

Test(canonical, calls_a_moment_by_no_name)
{
    expect_value("1767225600", "time");
    expect_value("1767225600123", "time");
    expect_value("1767225600.1234567", "time");
    expect_value("2026-01-01", "time");
    expect_value("2026-01-01T00:00:00.123+01:00", "time");
    expect_value("from 2026-01-01T00:00:00Z on", "from time on");
    expect_value("4242424242", "made_1");
    expect_value("order-1767225600", "made_1");
}

Test(canonical, keeps_the_ids_that_the_provider_gave)
{
    past_charge(&past, 1, "ch_Pua4fLhxMaL0APIc");
    struct json *data = past_add(&past, EVENT_INVOKE, 2, "order_1");
    json_set_string(data, "path", "/v1/charges/ch_Pua4fLhxMaL0APIc/py_Pua4fLhxMaL0APIc");
    struct json *claim = past_add(&past, EVENT_CLAIM, 0, "order_1");
    json_set_string(claim, "payment", "ch_Pua4fLhxMaL0APIc");
    canonical_print(&past.history, &text);
    const char *second = strchr(buf_string(&text), '\n') + 1;
    cr_expect_str_eq(second,
                     "{\"kind\":\"invoke\",\"request\":2,\"order\":\"order_1\",\"data\":{"
                     "\"path\":\"/v1/charges/ch_Pua4fLhxMaL0APIc/made_1\"}}\n"
                     "{\"kind\":\"claim\",\"order\":\"order_1\",\"data\":{"
                     "\"payment\":\"ch_Pua4fLhxMaL0APIc\"}}\n",
                     "%s", second);
}

Test(canonical, goes_order_by_order_between_what_concerns_everybody)
{
    past_add(&past, EVENT_UP, 0, NULL);
    past_add(&past, EVENT_INVOKE, 1, "order_2");
    past_add(&past, EVENT_EXIT, 0, "order_2");
    past_add(&past, EVENT_START, 0, "order_1");
    past_add(&past, EVENT_INFO, 1, "order_2");
    past_add(&past, EVENT_HEAL, 0, NULL);
    past_add(&past, EVENT_START, 0, "order_1");
    past_add(&past, EVENT_START, 0, "order_2");
    expect_canonical("{\"kind\":\"up\",\"data\":{}}\n"
                     "{\"kind\":\"invoke\",\"request\":1,\"order\":\"order_2\",\"data\":{}}\n"
                     "{\"kind\":\"exit\",\"order\":\"order_2\",\"data\":{}}\n"
                     "{\"kind\":\"info\",\"request\":1,\"order\":\"order_2\",\"data\":{}}\n"
                     "{\"kind\":\"start\",\"order\":\"order_1\",\"data\":{}}\n"
                     "{\"kind\":\"heal\",\"data\":{}}\n"
                     "{\"kind\":\"start\",\"order\":\"order_2\",\"data\":{}}\n"
                     "{\"kind\":\"start\",\"order\":\"order_1\",\"data\":{}}\n");
}

Test(names, are_given_once_and_counted_by_kind)
{
    struct names names = {0};
    cr_expect_null(names_find(&names, "b"));
    cr_expect_str_eq(names_give(&names, "key", "b"), "key_1");
    cr_expect_str_eq(names_give(&names, "key", "a"), "key_2");
    cr_expect_str_eq(names_give(&names, "made", "c"), "made_1");
    cr_expect_str_eq(names_give(&names, "made", "b"), "key_1");
    names_know(&names, "d");
    names_know(&names, "a");
    cr_expect_str_eq(names_find(&names, "d"), "d");
    cr_expect_str_eq(names_find(&names, "a"), "key_2", "what has a name keeps it");
    cr_expect_str_eq(names_give(&names, "key", "d"), "d");
    names_release(&names);
}
