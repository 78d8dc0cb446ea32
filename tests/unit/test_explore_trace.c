/* The trace of a run, and what a run was like after its last fault. */
#include "continuation.h"
#include "mem.h"
#include "trace.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct trace trace;

static void came(uint64_t number, const char *order, const char *key, enum failpoint at)
{
    struct attempt attempt = {.number = number,
                              .order = mem_strdup(order),
                              .route = mem_strdup("POST /v1/payment_intents"),
                              .key = mem_strdup(key),
                              .pays = true};
    trace_add(&trace, &attempt, at);
    attempt_release(&attempt);
}

static const struct probe *last(void)
{
    return &trace.items[trace.count - 1];
}

/* --- the trace ------------------------------------------------------------------------------- */

Test(explore_trace, counts_requests_by_order)
{
    came(1, "order_1", "a", FAILPOINT_RECEIVED);
    cr_expect_eq(last()->attempt, 1);
    came(2, "order_2", "b", FAILPOINT_RECEIVED);
    cr_expect_eq(last()->attempt, 1, "another order");
    came(3, "order_1", "a", FAILPOINT_RECEIVED);
    cr_expect_eq(last()->attempt, 2);
    came(1, "order_1", "a", FAILPOINT_AFTER_COMMIT);
    cr_expect_eq(last()->attempt, 1, "a later moment of the first");
    trace_release(&trace);
}

Test(explore_trace, counts_keys_by_order)
{
    came(1, "order_1", "a", FAILPOINT_RECEIVED);
    cr_expect_eq(last()->generation, 1);
    came(2, "order_1", "b", FAILPOINT_RECEIVED);
    cr_expect_eq(last()->generation, 2);
    came(3, "order_1", "a", FAILPOINT_RECEIVED);
    cr_expect_eq(last()->generation, 1, "the first key again");
    came(4, "order_1", NULL, FAILPOINT_RECEIVED);
    cr_expect_eq(last()->generation, 0);
    came(5, "order_2", "b", FAILPOINT_RECEIVED);
    cr_expect_eq(last()->generation, 1, "another order");
    trace_release(&trace);
}

Test(explore_trace, has_a_moment_once)
{
    came(1, "order_1", "a", FAILPOINT_RECEIVED);
    came(1, "order_1", "a", FAILPOINT_RECEIVED);
    cr_expect_eq(trace.count, 1);
    trace_release(&trace);
}

Test(explore_trace, comes_back_from_json)
{
    struct trace read;
    came(1, "order_1", "a", FAILPOINT_RECEIVED);
    came(2, NULL, NULL, FAILPOINT_RESPONDED);
    struct json *json = trace_to_json(&trace);
    cr_assert_eq(trace_from_json(json, &read), ERR_OK);
    cr_assert_eq(read.count, 2);
    cr_expect_eq(read.items[0].at, FAILPOINT_RECEIVED);
    cr_expect_str_eq(read.items[0].order, "order_1");
    cr_expect(read.items[0].pays);
    cr_expect_eq(read.items[0].generation, 1);
    cr_expect_null(read.items[1].order);
    struct json *again = trace_to_json(&read);
    char *one = json_print(json);
    char *other = json_print(again);
    cr_expect_str_eq(one, other);
    free(one);
    free(other);
    json_free(json);
    json_free(again);
    trace_release(&read);
    trace_release(&trace);
}

Test(explore_trace, refuses_a_failpoint_that_is_none)
{
    const char *text = "[{\"at\":\"received\"},{\"at\":\"nowhere\"}]";
    struct json *json;
    cr_assert_eq(json_parse(text, strlen(text), &json, NULL), ERR_OK);
    cr_expect_eq(trace_from_json(json, &trace), ERR_INVALID);
    cr_expect_eq(trace.count, 0);
    json_free(json);
}

/* --- how it goes on -------------------------------------------------------------------------- */

#define INVOKE(n)    "{\"kind\":\"invoke\",\"request\":" #n ",\"data\":{}}\n"
#define FAULT(n)     "{\"kind\":\"fault\",\"request\":" #n ",\"data\":{\"act\":\"drop()\"}}\n"
#define EFFECT(n)    "{\"kind\":\"effect\",\"request\":" #n ",\"data\":{\"object\":\"charge\"}}\n"
#define ANSWER(n)    "{\"kind\":\"ok\",\"request\":" #n ",\"data\":{\"status\":200}}\n"
#define NO_ANSWER(n) "{\"kind\":\"info\",\"request\":" #n ",\"data\":{}}\n"
#define CLOCK        "{\"kind\":\"clock\",\"data\":{\"by\":90000000}}\n"
#define CLAIM        "{\"kind\":\"claim\",\"order\":\"order_1\",\"data\":{}}\n"
#define DOWN         "{\"kind\":\"down\",\"data\":{}}\n"
#define UP           "{\"kind\":\"up\",\"data\":{}}\n"

static bool alike(const char *one, const char *other)
{
    struct trace nothing = {0};
    struct crypto_digest a = continuation_of(one, &nothing, 0);
    struct crypto_digest b = continuation_of(other, &nothing, 0);
    return strcmp(a.hex, b.hex) == 0;
}

Test(explore_continuation, is_alike_whatever_became_of_the_answer)
{
    cr_expect(alike(INVOKE(1) EFFECT(1) FAULT(1) ANSWER(1) INVOKE(2) CLAIM,
                    INVOKE(1) EFFECT(1) FAULT(1) NO_ANSWER(1) INVOKE(2) CLAIM));
    cr_expect_not(alike(INVOKE(1) EFFECT(1) FAULT(1) NO_ANSWER(1) INVOKE(2) ANSWER(2) CLAIM,
                        INVOKE(1) EFFECT(1) FAULT(1) NO_ANSWER(1) INVOKE(2) NO_ANSWER(2) CLAIM),
                  "the answer to the next one counts");
}

Test(explore_continuation, is_alike_whatever_happened_before)
{
    cr_expect(alike(INVOKE(1) INVOKE(2) FAULT(2) CLAIM, INVOKE(2) FAULT(2) CLAIM));
}

Test(explore_continuation, is_alike_when_the_provider_was_gone_for_a_while)
{
    cr_expect(alike(INVOKE(1) FAULT(1) DOWN UP INVOKE(2), INVOKE(1) FAULT(1) INVOKE(2)));
}

Test(explore_continuation, is_of_its_own_when_something_else_stood)
{
    cr_expect_not(alike(INVOKE(1) EFFECT(1) FAULT(1) INVOKE(2), INVOKE(1) FAULT(1) INVOKE(2)));
    cr_expect_not(alike(INVOKE(1) CLOCK FAULT(1) INVOKE(2), INVOKE(1) FAULT(1) INVOKE(2)));
    cr_expect_not(alike(INVOKE(1) FAULT(1) INVOKE(2) CLAIM, INVOKE(1) FAULT(1) CLAIM));
}

/* A later fault can only be where a moment is left. */
Test(explore_continuation, is_of_its_own_when_other_moments_are_left)
{
    came(1, "order_1", "a", FAILPOINT_RECEIVED);
    came(1, "order_1", "a", FAILPOINT_AFTER_COMMIT);
    came(1, "order_1", "a", FAILPOINT_RESPONDING);
    struct crypto_digest early = continuation_of(FAULT(1), &trace, 0);
    struct crypto_digest later = continuation_of(FAULT(1), &trace, 1);
    struct crypto_digest none = continuation_of(FAULT(1), &trace, trace.count);
    cr_expect_str_neq(early.hex, later.hex);
    cr_expect_str_neq(early.hex, none.hex);
    trace_release(&trace);
}
