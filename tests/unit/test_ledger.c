/* The ledger: what charges and refunds write, intents, lists, and an audit that is silent after
 * whatever honest operations do and loud after anything else. */
#include "books.h"
#include "charge.h"
#include "clock.h"
#include "customer.h"
#include "intent.h"
#include "mem.h"
#include "object_id.h"
#include "posting.h"
#include "refund.h"
#include "stmt.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct store *store;
static struct rng rng;

static void open_store(void)
{
    struct err_text why = {0};
    rng_init(&rng, 1);
    cr_assert_eq(store_open(&store, &(struct store_options){0}, &why), ERR_OK, "%s", why.text);
}

static void close_store(void)
{
    store_close(store);
}

TestSuite(ledger, .init = open_store, .fini = close_store);

static void begin(void)
{
    cr_assert_eq(store_begin(store), ERR_OK);
}

static void commit(void)
{
    cr_assert_eq(store_commit(store), ERR_OK);
}

static int64_t wrong(void)
{
    int64_t count = -1;
    cr_assert_eq(posting_audit(store, &count), ERR_OK);
    return count;
}

static int64_t balance(const char *account, const char *book, const char *currency)
{
    int64_t amount = -1;
    cr_assert_eq(posting_balance(store, account, book, currency, &amount), ERR_OK);
    return amount;
}

static char *new_id(const char *prefix)
{
    return mem_strdup(object_id_make(&rng, prefix).text);
}

/* Writes a charge, in a transaction of its own; its id. */
static char *charge(const char *account, int64_t amount, const char *decline_code)
{
    struct charge charge = {.id = new_id("ch_"),
                            .amount = amount,
                            .currency = mem_strdup("usd"),
                            .card = card_default(),
                            .metadata = mem_strdup("{}"),
                            .state = decline_code == NULL ? CHARGE_CAPTURED : CHARGE_FAILED,
                            .captured = decline_code == NULL ? amount : 0,
                            .decline_code = mem_strdup(decline_code),
                            .transaction = decline_code == NULL ? new_id("txn_") : NULL};
    char *id = mem_strdup(charge.id);
    begin();
    cr_assert_eq(charge_insert(store, account, &charge), ERR_OK);
    commit();
    charge_release(&charge);
    return id;
}

/* Writes a charge whose money has not come, in a transaction of its own. */
static struct charge waiting(enum charge_state state, int64_t amount)
{
    struct charge charge = {.id = new_id("ch_"),
                            .amount = amount,
                            .currency = mem_strdup("usd"),
                            .card = card_default(),
                            .metadata = mem_strdup("{}"),
                            .state = state};
    begin();
    cr_assert_eq(charge_insert(store, "a", &charge), ERR_OK);
    commit();
    return charge;
}

/* Writes a refund, without a transaction of its own. */
static void refund(const char *account, const char *charge, int64_t amount)
{
    struct refund refund = {.id = new_id("re_"),
                            .amount = amount,
                            .currency = mem_strdup("usd"),
                            .charge = mem_strdup(charge),
                            .metadata = mem_strdup("{}"),
                            .transaction = new_id("txn_")};
    cr_assert_eq(refund_insert(store, account, &refund), ERR_OK);
    refund_release(&refund);
}

static struct charge get(const char *account, const char *id)
{
    struct charge found;
    cr_assert_eq(charge_get(store, account, id, &found), ERR_OK);
    return found;
}

/* --- charges and refunds ---------------------------------------------------------------------- */

Test(ledger, a_charge_moves_money_and_a_decline_does_not)
{
    free(charge("a", 700, NULL));
    free(charge("a", 300, "lost_card"));
    cr_expect_eq(balance("a", BOOK_MERCHANT, "usd"), 700);
    cr_expect_eq(balance("a", BOOK_CARDS, "usd"), -700);
    cr_expect_eq(balance("a", BOOK_MERCHANT, "eur"), 0);
    cr_expect_eq(balance("b", BOOK_MERCHANT, "usd"), 0);
    cr_expect_eq(wrong(), 0);
}

Test(ledger, a_refund_gives_it_back)
{
    char *id = charge("a", 700, NULL);
    begin();
    refund("a", id, 200);
    refund("a", id, 500);
    commit();
    struct charge found = get("a", id);
    cr_expect_eq(found.refunded, 700);
    cr_expect_eq(balance("a", BOOK_MERCHANT, "usd"), 0);
    cr_expect_eq(wrong(), 0);
    charge_release(&found);
    free(id);
}

Test(ledger, more_than_the_charge_is_a_bug, .signal = SIGABRT, .init = cr_redirect_stderr)
{
    open_store();
    char *id = charge("a", 700, NULL);
    begin();
    refund("a", id, 701);
}

Test(ledger, what_is_rolled_back_leaves_nothing)
{
    char *id = charge("a", 700, NULL);
    begin();
    refund("a", id, 200);
    store_rollback(store);
    struct charge found = get("a", id);
    cr_expect_eq(found.refunded, 0);
    cr_expect_eq(wrong(), 0);
    charge_release(&found);
    free(id);
}

Test(ledger, accounts_do_not_see_one_another)
{
    struct charge found;
    char *id = charge("a", 700, NULL);
    cr_expect_eq(charge_get(store, "b", id, &found), ERR_NOT_FOUND);
    cr_expect_null(found.id);
    cr_expect_eq(charge_get(store, "a", "ch_none", &found), ERR_NOT_FOUND);
    free(id);
}

static struct json *books_of(const char *account)
{
    struct json *books;
    cr_assert_eq(books_read(store, account, &books), ERR_OK);
    return books;
}

static void expect_books(const char *account, size_t charges, size_t refunds)
{
    struct json *books = books_of(account);
    cr_expect_eq(json_count(json_get(books, "charges")), charges);
    cr_expect_eq(json_count(json_get(books, "refunds")), refunds);
    cr_expect_eq(json_get_int(json_get(books, "audit"), "wrong", -1), 0);
    json_free(books);
}

Test(ledger, books_are_of_one_account_or_of_all_and_can_be_reset)
{
    char *id = charge("a", 700, NULL);
    free(charge("b", 300, NULL));
    begin();
    refund("a", id, 1);
    commit();
    expect_books("a", 1, 1);
    expect_books(NULL, 2, 1);
    begin();
    cr_assert_eq(books_reset(store, "a"), ERR_OK);
    commit();
    expect_books(NULL, 1, 0);
    begin();
    cr_assert_eq(books_reset(store, NULL), ERR_OK);
    commit();
    expect_books(NULL, 0, 0);
    free(id);
}

/* --- money that comes later ------------------------------------------------------------------- */

static void open_quietly(void)
{
    cr_redirect_stderr();
    open_store();
}

Test(charge, a_capture_twice_is_a_bug, .signal = SIGABRT, .init = open_quietly)
{
    struct charge made = waiting(CHARGE_AUTHORIZED, 700);
    begin();
    for (int i = 0; i < 2; i++)
        cr_expect_eq(charge_capture(store, "a", &made, 700, "txn_1", 1), ERR_OK);
}

Test(ledger, an_authorization_moves_money_when_it_is_captured_and_only_what_is_captured)
{
    struct charge made = waiting(CHARGE_AUTHORIZED, 700);
    cr_expect_eq(balance("a", BOOK_MERCHANT, "usd"), 0);
    cr_expect_eq(wrong(), 0);
    begin();
    cr_assert_eq(charge_capture(store, "a", &made, 500, "txn_1", 9), ERR_OK);
    commit();
    cr_expect_eq(balance("a", BOOK_MERCHANT, "usd"), 500);
    cr_expect_eq(balance("a", BOOK_CARDS, "usd"), -500);
    cr_expect_eq(wrong(), 0);
    struct charge found = get("a", made.id);
    cr_expect(charge_paid(&found));
    cr_expect_eq(found.amount, 700);
    cr_expect_eq(found.captured, 500);
    cr_expect_str_eq(found.transaction, "txn_1");
    charge_release(&found);
    charge_release(&made);
}

Test(ledger, what_is_released_or_fails_later_moves_nothing)
{
    struct charge released = waiting(CHARGE_AUTHORIZED, 700);
    struct charge failed = waiting(CHARGE_PENDING, 300);
    begin();
    cr_assert_eq(charge_end(store, &released, CHARGE_RELEASED, NULL), ERR_OK);
    cr_assert_eq(charge_end(store, &failed, CHARGE_FAILED, "no_account"), ERR_OK);
    commit();
    cr_expect_eq(balance("a", BOOK_MERCHANT, "usd"), 0);
    cr_expect_eq(wrong(), 0);
    struct charge found = get("a", failed.id);
    cr_expect_eq(found.state, CHARGE_FAILED);
    cr_expect_str_eq(found.decline_code, "no_account");
    charge_release(&found);
    charge_release(&failed);
    charge_release(&released);
}

Test(ledger, a_refund_that_comes_back_can_be_given_again)
{
    char *id = charge("a", 700, NULL);
    struct refund made = {.id = new_id("re_"),
                          .amount = 700,
                          .currency = mem_strdup("usd"),
                          .charge = mem_strdup(id),
                          .metadata = mem_strdup("{}"),
                          .transaction = new_id("txn_")};
    const struct refund_end end = {
        .to = REFUND_FAILED, .reason = "declined", .transaction = "txn_back", .created = 9};
    begin();
    cr_assert_eq(refund_insert(store, "a", &made), ERR_OK);
    cr_expect_eq(balance("a", BOOK_MERCHANT, "usd"), 0);
    cr_assert_eq(refund_undo(store, "a", &made, &end), ERR_OK);
    commit();
    cr_expect_eq(balance("a", BOOK_MERCHANT, "usd"), 700);
    cr_expect_eq(wrong(), 0);
    begin();
    refund("a", id, 700);
    commit();
    cr_expect_eq(balance("a", BOOK_MERCHANT, "usd"), 0);
    cr_expect_eq(wrong(), 0);
    begin();
    cr_assert_eq(stmt_run(store, "UPDATE refunds SET state = 'succeeded'", ""), ERR_OK);
    cr_expect_gt(wrong(), 0, "nobody noticed that a refund was undone and counts");
    store_rollback(store);
    refund_release(&made);
    free(id);
}

/* --- the audit -------------------------------------------------------------------------------- */

Test(ledger, the_audit_hears_of_everything_that_is_wrong)
{
    static const char *const lies[] = {
        "UPDATE postings SET amount = amount + 1 WHERE book = 'merchant'",
        "UPDATE postings SET amount = amount * 2",
        "DELETE FROM postings WHERE book = 'cards'",
        "DELETE FROM postings",
        "UPDATE charges SET captured = captured + 1",
        "UPDATE charges SET captured = captured - 1",
        "UPDATE charges SET amount = captured - 1",
        "UPDATE charges SET state = 'authorized'",
        "UPDATE charges SET state = 'authorized', captured = 0, balance_transaction = NULL",
        "UPDATE charges SET refunded = refunded + 1",
        "UPDATE charges SET refunded = 0",
        "UPDATE refunds SET amount = amount + 1",
        "DELETE FROM refunds",
        "UPDATE postings SET currency = 'eur' WHERE book = 'merchant'",
        "UPDATE charges SET balance_transaction = 'txn_none'",
    };
    char *id = charge("a", 700, NULL);
    begin();
    refund("a", id, 200);
    commit();
    cr_assert_eq(wrong(), 0);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        begin();
        cr_assert_eq(stmt_run(store, lies[i], ""), ERR_OK);
        cr_expect_gt(wrong(), 0, "nobody noticed: %s", lies[i]);
        store_rollback(store);
    }
    cr_expect_eq(wrong(), 0);
    free(id);
}

/* One step of a random life: charges, declines, refunds of what is left, and rollbacks in between.
 */
static void step(char **ids, size_t *count)
{
    int64_t amount = 1 + (int64_t)rng_below(&rng, 1000);
    uint64_t kind = rng_below(&rng, 5);
    if (kind == 0 || *count == 0) {
        ids[(*count)++] = charge(rng_below(&rng, 2) == 0 ? "a" : "b", amount, NULL);
    } else if (kind == 1) {
        ids[(*count)++] = charge("a", amount, "generic_decline");
    } else {
        const char *id = ids[rng_below(&rng, *count)];
        struct charge found;
        const char *account = charge_get(store, "a", id, &found) == ERR_OK ? "a" : "b";
        charge_release(&found);
        found = get(account, id);
        int64_t left = charge_paid(&found) ? found.amount - found.refunded : 0;
        begin();
        if (left > 0)
            refund(account, id, 1 + (int64_t)rng_below(&rng, (uint64_t)left));
        if (kind == 2)
            store_rollback(store);
        else
            commit();
        charge_release(&found);
    }
}

Test(ledger, after_any_honest_life_nothing_is_wrong)
{
    enum { STEPS = 400 };
    char *ids[STEPS];
    size_t count = 0;
    uint64_t seed = (uint64_t)clock_monotonic_us();
    rng_init(&rng, seed);
    for (int i = 0; i < STEPS; i++) {
        step(ids, &count);
        cr_assert_eq(wrong(), 0, "seed %" PRIu64 ", step %d", seed, i);
    }
    int64_t all = balance("a", BOOK_MERCHANT, "usd") + balance("b", BOOK_MERCHANT, "usd") +
                  balance("a", BOOK_CARDS, "usd") + balance("b", BOOK_CARDS, "usd");
    cr_expect_eq(all, 0, "seed %" PRIu64, seed);
    for (size_t i = 0; i < count; i++)
        free(ids[i]);
}

/* --- intents ---------------------------------------------------------------------------------- */

Test(ledger, an_intent_comes_back_as_it_went_in)
{
    struct intent made = {.id = new_id("pi_"),
                          .created = 5,
                          .amount = 700,
                          .currency = mem_strdup("usd"),
                          .status = INTENT_REQUIRES_CONFIRMATION,
                          .card = card_default(),
                          .metadata = mem_strdup("{\"a\":\"b\"}")};
    struct intent found;
    cr_assert_eq(intent_insert(store, "a", &made), ERR_OK);
    intent_move(&made, INTENT_REQUIRES_CAPTURE);
    mem_set_string(&made.latest_charge, "ch_1");
    mem_set_string(&made.description, "d");
    mem_set_string(&made.receipt_email, "a@example.com");
    made.manual_capture = true;
    made.received = 600;
    made.canceled_at = 6;
    cr_assert_eq(intent_update(store, &made), ERR_OK);
    cr_assert_eq(intent_get(store, "a", made.id, &found), ERR_OK);
    cr_expect_eq(found.created, 5);
    cr_expect_eq(found.amount, 700);
    cr_expect_eq(found.status, INTENT_REQUIRES_CAPTURE);
    cr_expect_str_eq(found.description, "d");
    cr_expect_str_eq(found.receipt_email, "a@example.com");
    cr_expect(found.manual_capture);
    cr_expect_eq(found.received, 600);
    cr_expect_eq(found.canceled_at, 6);
    cr_expect_eq(found.card, card_default());
    cr_expect_str_eq(found.metadata, "{\"a\":\"b\"}");
    cr_expect_str_eq(found.latest_charge, "ch_1");
    cr_expect_null(found.customer);
    intent_release(&found);
    cr_expect_eq(intent_get(store, "b", made.id, &found), ERR_NOT_FOUND);
    intent_release(&made);
}

/* --- lists ------------------------------------------------------------------------------------ */

static void expect_page(struct page page, const char *first, int count, bool more)
{
    struct customer list[PAGE_LARGEST + 1];
    int found = 0;
    cr_assert_eq(customer_list(store, "a", &(struct customer_filter){0}, &page, list, &found),
                 ERR_OK);
    int shown = page_close(&page, found);
    cr_expect_eq(shown, count);
    cr_expect_eq(page.has_more, more);
    if (shown > 0)
        cr_expect_str_eq(list[0].id, first);
    for (int i = 0; i < found; i++)
        customer_release(&list[i]);
}

Test(ledger, pages_walk_both_ways)
{
    static char ids[][8] = {"cus_0", "cus_1", "cus_2", "cus_3", "cus_4"};
    char metadata[] = "{}";
    for (int i = 0; i < 5; i++) {
        struct customer customer = {.id = ids[i], .metadata = metadata};
        cr_assert_eq(customer_insert(store, "a", &customer), ERR_OK);
    }
    expect_page((struct page){.limit = 2}, "cus_4", 2, true);
    expect_page((struct page){.limit = 5}, "cus_4", 5, false);
    expect_page((struct page){.limit = 2, .starting_after = "cus_3"}, "cus_2", 2, true);
    expect_page((struct page){.limit = 2, .starting_after = "cus_2"}, "cus_1", 2, false);
    expect_page((struct page){.limit = 2, .starting_after = "cus_0"}, "", 0, false);
    /* Upwards: the one above the cursor comes first. */
    expect_page((struct page){.limit = 2, .ending_before = "cus_1"}, "cus_2", 2, true);
    expect_page((struct page){.limit = 3, .ending_before = "cus_1"}, "cus_2", 3, false);
    expect_page((struct page){.limit = 2, .ending_before = "cus_4"}, "", 0, false);
}
