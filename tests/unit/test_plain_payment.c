/* Payments of the plain face: their names, and how they are found by them. */
#include "mem.h"
#include "plain_payment.h"

#include <criterion/criterion.h>

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

TestSuite(plain_payment, .init = open_store, .fini = close_store);

static void insert(const char *account, const char *number, const char *operation,
                   const char *reference)
{
    struct plain_payment payment = {.operation = mem_strdup(operation),
                                    .reference = mem_strdup(reference),
                                    .charge = {.id = mem_printf("ch_%s", number),
                                               .state = CHARGE_CAPTURED,
                                               .amount = 500,
                                               .captured = 500,
                                               .currency = mem_strdup("eur"),
                                               .card = card_default(),
                                               .metadata = mem_strdup("{}"),
                                               .transaction = mem_printf("txn_%s", number)}};
    cr_assert_eq(store_begin(store), ERR_OK);
    cr_assert_eq(charge_insert(store, account, &payment.charge), ERR_OK);
    cr_assert_eq(plain_payment_insert(store, account, &payment), ERR_OK);
    cr_assert_eq(store_commit(store), ERR_OK);
    plain_payment_release(&payment);
}

Test(plain_payment, is_read_back_with_its_charge)
{
    struct plain_payment found;
    insert("a", "1", "op", "order");
    cr_assert_eq(plain_payment_get(store, "a", "ch_1", &found), ERR_OK);
    cr_expect_str_eq(found.operation, "op");
    cr_expect_str_eq(found.reference, "order");
    cr_expect_str_eq(found.charge.id, "ch_1");
    cr_expect_eq(found.charge.amount, 500);
    plain_payment_release(&found);
    cr_expect_eq(plain_payment_get(store, "b", "ch_1", &found), ERR_NOT_FOUND);
    cr_expect_null(found.charge.id);
}

Test(plain_payment, is_found_by_operation_the_latest_first)
{
    struct plain_payment found;
    insert("a", "1", "op", NULL);
    insert("a", "2", "op", NULL);
    insert("b", "3", "op", NULL);
    cr_assert_eq(plain_payment_of_operation(store, "a", "op", &found), ERR_OK);
    cr_expect_str_eq(found.charge.id, "ch_2");
    plain_payment_release(&found);
    cr_expect_eq(plain_payment_of_operation(store, "c", "op", &found), ERR_NOT_FOUND);
    cr_expect_eq(plain_payment_of_operation(store, "a", "other", &found), ERR_NOT_FOUND);
}

static int listed(const char *reference, const char *after)
{
    struct plain_payment list[PAGE_LARGEST + 1];
    struct page page = {.limit = 10, .starting_after = after};
    int count = 0;
    cr_assert_eq(plain_payment_list(store, "a", reference, &page, list, &count), ERR_OK);
    for (int i = 0; i < count; i++) {
        cr_expect_eq(list[i].charge.amount, 500);
        plain_payment_release(&list[i]);
    }
    return count;
}

Test(plain_payment, is_listed_by_reference)
{
    insert("a", "1", NULL, "x");
    insert("a", "2", NULL, "x");
    insert("a", "3", NULL, "y");
    insert("b", "4", NULL, "x");
    cr_expect_eq(listed(NULL, NULL), 3);
    cr_expect_eq(listed("x", NULL), 2);
    cr_expect_eq(listed("x", "ch_2"), 1);
    cr_expect_eq(listed("z", NULL), 0);
}
