/* Customers, payment methods, setup intents and checkout sessions in the ledger: what is written
 * comes back, defaults follow what is detached, and what has a state moves as its table says. */
#include "checkout_session.h"
#include "customer.h"
#include "mem.h"
#include "payment_method.h"
#include "setup_intent.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>

static struct store *store;

static void open_store(void)
{
    struct err_text why = {0};
    cr_assert_eq(store_open(&store, &(struct store_options){0}, &why), ERR_OK, "%s", why.text);
}

static void close_store(void)
{
    store_close(store);
}

TestSuite(people, .init = open_store, .fini = close_store);

static void write_customer(const char *id, const char *method)
{
    struct customer customer = {.id = mem_strdup(id),
                                .email = mem_strdup("a@x.org"),
                                .metadata = mem_strdup("{}"),
                                .default_method = mem_strdup(method),
                                .default_source = mem_strdup(method)};
    cr_assert_eq(customer_insert(store, "a", &customer), ERR_OK);
    customer_release(&customer);
}

static void write_method(const char *id, const char *customer)
{
    struct payment_method method = {.id = mem_strdup(id),
                                    .card = card_default(),
                                    .customer = mem_strdup(customer),
                                    .metadata = mem_strdup("{}")};
    cr_assert_eq(payment_method_insert(store, "a", &method), ERR_OK);
    payment_method_release(&method);
}

Test(people, a_customer_forgets_one_method_and_keeps_another)
{
    struct customer found;
    write_customer("cus_1", "pm_1");
    cr_assert_eq(customer_forget_method(store, "a", "pm_2"), ERR_OK);
    cr_assert_eq(customer_get(store, "a", "cus_1", &found), ERR_OK);
    cr_expect_str_eq(found.default_method, "pm_1");
    customer_release(&found);
    cr_assert_eq(customer_forget_method(store, "b", "pm_1"), ERR_OK); /* not its account */
    cr_assert_eq(customer_get(store, "a", "cus_1", &found), ERR_OK);
    cr_expect_str_eq(found.default_source, "pm_1");
    customer_release(&found);
    cr_assert_eq(customer_forget_method(store, "a", "pm_1"), ERR_OK);
    cr_assert_eq(customer_get(store, "a", "cus_1", &found), ERR_OK);
    cr_expect(found.default_method == NULL && found.default_source == NULL);
    customer_release(&found);
}

Test(people, a_deleted_customer_is_found_but_not_listed)
{
    struct customer list[PAGE_LARGEST + 1], found;
    struct page page = {.limit = 10};
    int count = -1;
    write_customer("cus_1", NULL);
    cr_assert_eq(customer_get(store, "a", "cus_1", &found), ERR_OK);
    found.deleted = true;
    cr_assert_eq(customer_update(store, &found), ERR_OK);
    customer_release(&found);
    cr_assert_eq(customer_get(store, "a", "cus_1", &found), ERR_OK);
    cr_expect(found.deleted);
    customer_release(&found);
    cr_assert_eq(customer_list(store, "a", &(struct customer_filter){0}, &page, list, &count),
                 ERR_OK);
    cr_expect_eq(count, 0);
}

Test(people, all_of_a_customer_are_detached_and_nobody_elses)
{
    struct payment_method found;
    write_method("pm_1", "cus_1");
    write_method("pm_2", "cus_2");
    cr_assert_eq(payment_method_detach_all(store, "a", "cus_1"), ERR_OK);
    cr_assert_eq(payment_method_get(store, "a", "pm_1", &found), ERR_OK);
    cr_expect(found.spent && found.detached && found.customer == NULL);
    payment_method_release(&found);
    cr_assert_eq(payment_method_get(store, "a", "pm_2", &found), ERR_OK);
    cr_expect(!found.spent && !found.detached);
    cr_expect_str_eq(found.customer, "cus_2");
    payment_method_release(&found);
    cr_expect_eq(payment_method_get(store, "b", "pm_2", &found), ERR_NOT_FOUND);
}

Test(people, only_a_method_without_a_customer_is_spent_by_paying)
{
    static const char *const ids[] = {"pm_1", "pm_2"};
    write_method("pm_1", "cus_1");
    write_method("pm_2", NULL);
    for (int i = 0; i < 2; i++) {
        struct payment_method found;
        cr_assert_eq(payment_method_spend(store, "a", ids[i]), ERR_OK);
        cr_assert_eq(payment_method_get(store, "a", ids[i], &found), ERR_OK);
        cr_expect_eq(found.spent, i == 1);
        payment_method_release(&found);
    }
}

Test(people, a_setup_intent_comes_back_as_it_was)
{
    struct setup_intent intent = {.id = mem_strdup("seti_1"),
                                  .created = 7,
                                  .customer = mem_strdup("cus_1"),
                                  .on_session = true,
                                  .metadata = mem_strdup("{\"a\":\"1\"}")};
    struct setup_intent found;
    cr_assert_eq(setup_intent_insert(store, "a", &intent), ERR_OK);
    setup_intent_use(&intent, card_default(), "pm_1");
    setup_intent_move(&intent, SETUP_REQUIRES_CONFIRMATION);
    mem_set_string(&intent.decline_code, "lost_card");
    cr_assert_eq(setup_intent_update(store, &intent), ERR_OK);
    cr_assert_eq(setup_intent_get(store, "a", "seti_1", &found), ERR_OK);
    cr_expect(found.created == 7 && found.on_session && found.card == card_default());
    cr_expect_eq(found.status, SETUP_REQUIRES_CONFIRMATION);
    cr_expect_str_eq(found.method, "pm_1");
    cr_expect_str_eq(found.decline_code, "lost_card");
    cr_expect_str_eq(found.metadata, "{\"a\":\"1\"}");
    setup_intent_release(&intent);
    setup_intent_release(&found);
}

/* Every pair of states: those of the diagram, and no other. */
Test(people, a_setup_intent_moves_as_its_table_says)
{
    static const char *const allowed[SETUP_STATUS_COUNT] = {
        /* to:  method confirm action succeeded canceled */
        [SETUP_REQUIRES_PAYMENT_METHOD] = "-x--x",
        [SETUP_REQUIRES_CONFIRMATION] = "x-xxx",
        [SETUP_REQUIRES_ACTION] = "xx-xx",
        [SETUP_SUCCEEDED] = "-----",
        [SETUP_CANCELED] = "-----",
    };
    for (int from = 0; from < SETUP_STATUS_COUNT; from++)
        for (int to = 0; to < SETUP_STATUS_COUNT; to++)
            cr_expect_eq(setup_intent_may_move((enum setup_status)from, (enum setup_status)to),
                         allowed[from][to] == 'x', "%d -> %d", from, to);
}

Test(people, any_other_move_aborts, .signal = SIGABRT)
{
    struct setup_intent intent = {.status = SETUP_SUCCEEDED};
    setup_intent_move(&intent, SETUP_CANCELED);
}

Test(people, a_checkout_session_moves_as_its_table_says)
{
    static const char *const allowed[CHECKOUT_STATUS_COUNT] = {
        /* to: open complete expired */
        [CHECKOUT_OPEN] = "-xx",
        [CHECKOUT_COMPLETE] = "---",
        [CHECKOUT_EXPIRED] = "---",
    };
    for (int from = 0; from < CHECKOUT_STATUS_COUNT; from++)
        for (int to = 0; to < CHECKOUT_STATUS_COUNT; to++)
            cr_expect_eq(
                checkout_session_may_move((enum checkout_status)from, (enum checkout_status)to),
                allowed[from][to] == 'x', "%d -> %d", from, to);
}

static void write_session(const char *id, int64_t expires, enum checkout_status status)
{
    struct checkout_session session = {.id = mem_strdup(id),
                                       .expires = expires,
                                       .status = status,
                                       .metadata = mem_strdup("{}"),
                                       .items = mem_strdup("[]"),
                                       .intent_words = mem_strdup("{}"),
                                       .method_types = mem_strdup("[\"card\"]")};
    cr_assert_eq(checkout_session_insert(store, "a", &session), ERR_OK);
    checkout_session_release(&session);
}

Test(people, the_open_session_that_expires_first_is_next)
{
    char *id = NULL, *account = NULL;
    int64_t expires = 0;
    cr_expect_eq(checkout_session_next(store, &id, &account, &expires), ERR_NOT_FOUND);
    write_session("cs_test_1", 10, CHECKOUT_COMPLETE);
    write_session("cs_test_2", 30, CHECKOUT_OPEN);
    write_session("cs_test_3", 20, CHECKOUT_OPEN);
    cr_assert_eq(checkout_session_next(store, &id, &account, &expires), ERR_OK);
    cr_expect_str_eq(id, "cs_test_3");
    cr_expect_str_eq(account, "a");
    cr_expect_eq(expires, 20);
    free(id);
    free(account);
}

Test(people, a_finished_session_does_not_open_again, .signal = SIGABRT)
{
    struct checkout_session session = {.status = CHECKOUT_EXPIRED};
    checkout_session_move(&session, CHECKOUT_OPEN);
}
