/* The key gate over a database: each verdict, each move, and what makes two requests the same. */
#include "dialect.h"
#include "fingerprint.h"
#include "key.h"
#include "store.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define TTL INT64_C(1000)

static struct store *store;
static struct dialect dialect;

static void open_store(void)
{
    struct err_text why = {0};
    dialect = *dialect_number(0); /* Stripe v1 */
    dialect.ttl_ms = TTL;
    cr_assert_eq(store_open(&store, &(struct store_options){0}, &why), ERR_OK, "%s", why.text);
}

static void close_store(void)
{
    store_close(store);
}

TestSuite(keys, .init = open_store, .fini = close_store);

static struct key_use use_of(const char *request_id)
{
    return (struct key_use){.account = "acct",
                            .key = "key",
                            .method = "POST",
                            .path = "/v1/charges",
                            .fingerprint = "same",
                            .request_id = request_id};
}

static enum key_verdict look(struct key_use use, int64_t now, struct key_record *record)
{
    enum key_verdict verdict;
    cr_assert_eq(key_look_up(store, &dialect, &use, now, &verdict, record), ERR_OK);
    return verdict;
}

static enum key_verdict verdict_at(struct key_use use, int64_t now)
{
    struct key_record record;
    enum key_verdict verdict = look(use, now, &record);
    key_record_release(&record);
    return verdict;
}

static void claim(struct key_use use, int64_t now)
{
    cr_assert_eq(key_claim(store, &use, now, TTL), ERR_OK);
}

static void finish(struct key_use use, int status, const char *body)
{
    cr_assert_eq(key_finish(store, &use, status, body), ERR_OK);
}

static void expect_answer(struct key_use use, int64_t now, int status, const char *body)
{
    struct key_record record;
    cr_expect_eq(look(use, now, &record), KEY_REPLAY);
    cr_expect_eq(record.status, status);
    cr_expect_str_eq(record.body, body);
    key_record_release(&record);
}

Test(keys, never_seen_is_new)
{
    struct key_record record;
    cr_expect_eq(look(use_of("req_1"), 0, &record), KEY_NEW);
    cr_expect_null(record.body);
    cr_expect_null(record.path);
}

Test(keys, claimed_is_in_flight_and_finished_is_replayed)
{
    claim(use_of("req_1"), 0);
    cr_expect_eq(verdict_at(use_of("req_2"), 0), KEY_IN_FLIGHT);
    finish(use_of("req_1"), 402, "{\"a\": 1}\n");
    expect_answer(use_of("req_2"), 0, 402, "{\"a\": 1}\n");
}

Test(keys, the_record_names_the_first_request)
{
    struct key_record record;
    claim(use_of("req_1"), 0);
    finish(use_of("req_1"), 200, "");
    cr_assert_eq(look(use_of("req_2"), 0, &record), KEY_REPLAY);
    cr_expect_str_eq(record.request_id, "req_1");
    cr_expect_str_eq(record.method, "POST");
    cr_expect_str_eq(record.path, "/v1/charges");
    key_record_release(&record);
}

Test(keys, another_request_is_a_mismatch_in_flight_and_finished)
{
    struct key_use other = use_of("req_2"), elsewhere = use_of("req_3"), get = use_of("req_4");
    other.fingerprint = "other";
    elsewhere.fingerprint = "elsewhere";
    elsewhere.path = "/v1/refunds";
    get.method = "PUT";
    claim(use_of("req_1"), 0);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(verdict_at(other, 0), KEY_MISMATCH);
        cr_expect_eq(verdict_at(elsewhere, 0), KEY_OTHER_URL);
        cr_expect_eq(verdict_at(get, 0), KEY_OTHER_URL);
        finish(use_of("req_1"), 200, "");
    }
}

Test(keys, accounts_and_keys_never_meet)
{
    struct key_use other_account = use_of("req_2"), other_key = use_of("req_3");
    other_account.account = "acct2";
    other_key.key = "Key";
    claim(use_of("req_1"), 0);
    cr_expect_eq(verdict_at(other_account, 0), KEY_NEW);
    cr_expect_eq(verdict_at(other_key, 0), KEY_NEW);
    claim(other_account, 0);
    finish(other_account, 200, "theirs");
    finish(use_of("req_1"), 200, "ours");
    expect_answer(use_of("req_4"), 0, 200, "ours");
}

Test(keys, a_finished_key_lives_exactly_its_time)
{
    claim(use_of("req_1"), 5000);
    finish(use_of("req_1"), 200, "old");
    expect_answer(use_of("req_2"), 5000 + TTL - 1, 200, "old");
    cr_expect_eq(verdict_at(use_of("req_2"), 5000 + TTL), KEY_NEW);
    claim(use_of("req_2"), 5000 + TTL);
    finish(use_of("req_2"), 200, "new");
    expect_answer(use_of("req_3"), 5000 + 2 * TTL - 1, 200, "new");
}

Test(keys, in_flight_never_expires)
{
    claim(use_of("req_1"), 0);
    cr_expect_eq(verdict_at(use_of("req_2"), 100 * TTL), KEY_IN_FLIGHT);
}

/* What has expired goes when others come, so that the table does not grow for ever. */
Test(keys, claims_remove_what_is_old_and_leave_what_is_not)
{
    struct key_use uses[4] = {use_of("req_1"), use_of("req_2"), use_of("req_3"), use_of("req_4")};
    for (int i = 0; i < 4; i++)
        uses[i].key = &"abcd"[i];
    for (int i = 0; i < 3; i++)
        claim(uses[i], i == 2 ? 1 : 0);
    finish(uses[0], 200, "old");
    finish(uses[2], 200, "young");
    claim(uses[3], TTL); /* [0] is old, [1] in flight, [2] a millisecond young */
    dialect.ttl_ms = 100 * TTL;
    cr_expect_eq(verdict_at(uses[0], TTL), KEY_NEW);
    cr_expect_eq(verdict_at(uses[1], TTL), KEY_IN_FLIGHT);
    expect_answer(uses[2], TTL, 200, "young");
}

Test(keys, a_clock_that_was_set_back_forgets_nothing)
{
    claim(use_of("req_1"), 5000);
    finish(use_of("req_1"), 200, "x");
    expect_answer(use_of("req_2"), 4000, 200, "x");
}

Test(keys, released_is_new_again)
{
    struct key_use use = use_of("req_1");
    claim(use, 0);
    cr_assert_eq(key_release(store, &use), ERR_OK);
    cr_expect_eq(verdict_at(use_of("req_2"), 0), KEY_NEW);
    cr_assert_eq(key_release(store, &use), ERR_OK); /* twice is fine */
}

Test(keys, release_leaves_what_is_finished_and_what_is_another_s)
{
    struct key_use first = use_of("req_1"), second = use_of("req_2");
    claim(first, 0);
    finish(first, 200, "x");
    cr_assert_eq(key_release(store, &first), ERR_OK);
    expect_answer(second, 0, 200, "x");
    claim(second, TTL); /* the first has expired */
    cr_assert_eq(key_release(store, &first), ERR_OK);
    cr_expect_eq(verdict_at(use_of("req_3"), TTL), KEY_IN_FLIGHT);
}

Test(keys, finish_leaves_what_another_has_claimed_since)
{
    claim(use_of("req_1"), 0);
    claim(use_of("req_2"), 0);
    finish(use_of("req_1"), 200, "late");
    cr_expect_eq(verdict_at(use_of("req_3"), 0), KEY_IN_FLIGHT);
    finish(use_of("req_2"), 200, "in time");
    expect_answer(use_of("req_3"), 0, 200, "in time");
}

Test(keys, an_answer_can_be_replaced_by_its_own_request)
{
    claim(use_of("req_1"), 0);
    finish(use_of("req_1"), 200, "real");
    finish(use_of("req_1"), 500, "fault's");
    expect_answer(use_of("req_2"), 0, 500, "fault's");
    finish(use_of("req_2"), 200, "not mine");
    expect_answer(use_of("req_2"), 0, 500, "fault's");
}

Test(keys, finish_stands_or_falls_with_its_transaction)
{
    claim(use_of("req_1"), 0);
    cr_assert_eq(store_begin(store), ERR_OK);
    finish(use_of("req_1"), 200, "x");
    store_rollback(store);
    cr_expect_eq(verdict_at(use_of("req_2"), 0), KEY_IN_FLIGHT);
}

Test(keys, recovery_releases_what_is_in_flight_and_nothing_else)
{
    struct key_use other = use_of("req_2");
    int64_t released = -1;
    other.key = "done";
    claim(use_of("req_1"), 0);
    claim(other, 0);
    finish(other, 200, "x");
    cr_assert_eq(key_recover(store, &released), ERR_OK);
    cr_expect_eq(released, 1);
    cr_expect_eq(verdict_at(use_of("req_3"), 0), KEY_NEW);
    expect_answer(other, 0, 200, "x");
    cr_assert_eq(key_recover(store, &released), ERR_OK);
    cr_expect_eq(released, 0);
}

Test(keys, a_reset_forgets_the_finished_ones_of_an_account_or_of_all)
{
    struct key_use theirs = use_of("req_2"), waiting = use_of("req_3");
    theirs.account = "acct2";
    waiting.key = "waiting";
    claim(use_of("req_1"), 0);
    claim(theirs, 0);
    claim(waiting, 0);
    finish(use_of("req_1"), 200, "x");
    finish(theirs, 200, "y");
    cr_assert_eq(key_reset(store, "acct"), ERR_OK);
    cr_expect_eq(verdict_at(use_of("req_4"), 0), KEY_NEW);
    cr_expect_eq(verdict_at(waiting, 0), KEY_IN_FLIGHT);
    expect_answer(theirs, 0, 200, "y");
    cr_assert_eq(key_reset(store, NULL), ERR_OK);
    cr_expect_eq(verdict_at(theirs, 0), KEY_NEW);
}

/* --- fingerprints ----------------------------------------------------------------------------- */

static struct crypto_digest print_of(const char *method, const char *path,
                                     struct fingerprint_field a, struct fingerprint_field b)
{
    struct fingerprint_field fields[] = {a, b};
    return fingerprint_make(method, path, fields, 2);
}

#define FIELD(name, value) ((struct fingerprint_field){name, value})

static void expect_other(struct crypto_digest a, struct crypto_digest b)
{
    cr_expect_str_neq(a.hex, b.hex);
}

Test(fingerprint, is_sha_256_in_hex)
{
    struct crypto_digest digest = fingerprint_make("POST", "/", NULL, 0);
    cr_expect_eq(strlen(digest.hex), 64);
    cr_expect_eq(strspn(digest.hex, "0123456789abcdef"), 64);
}

Test(fingerprint, the_order_of_fields_does_not_matter)
{
    cr_expect_str_eq(print_of("POST", "/a", FIELD("x", "1"), FIELD("y", "2")).hex,
                     print_of("POST", "/a", FIELD("y", "2"), FIELD("x", "1")).hex);
}

Test(fingerprint, the_order_of_one_field_s_values_does)
{
    expect_other(print_of("POST", "/a", FIELD("x[]", "1"), FIELD("x[]", "2")),
                 print_of("POST", "/a", FIELD("x[]", "2"), FIELD("x[]", "1")));
}

Test(fingerprint, everything_else_matters)
{
    struct crypto_digest one = print_of("POST", "/a", FIELD("x", "1"), FIELD("y", "2"));
    expect_other(one, print_of("PUT", "/a", FIELD("x", "1"), FIELD("y", "2")));
    expect_other(one, print_of("POST", "/b", FIELD("x", "1"), FIELD("y", "2")));
    expect_other(one, print_of("POST", "/a", FIELD("x", "2"), FIELD("y", "1")));
    expect_other(one, print_of("POST", "/a", FIELD("x", "1"), FIELD("y", "")));
    expect_other(one, print_of("POST", "/a", FIELD("x", "1"), FIELD("Y", "2")));
    expect_other(one, print_of("POST", "/a", FIELD("x1", ""), FIELD("y", "2")));
    expect_other(one, print_of("POST", "/ax", FIELD("1", ""), FIELD("y", "2")));
}

Test(fingerprint, its_input_is_left_as_it_was)
{
    struct fingerprint_field fields[] = {FIELD("b", "1"), FIELD("a", "2")};
    fingerprint_make("POST", "/a", fields, 2);
    cr_expect_str_eq(fields[0].name, "b");
    cr_expect_str_eq(fields[1].name, "a");
}
