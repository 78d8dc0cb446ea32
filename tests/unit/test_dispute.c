/* Disputes and balances in the ledger: the moves of a dispute, what it takes and gives back, and an
 * audit that hears of every cent that went elsewhere. */
#include "balance.h"
#include "charge.h"
#include "dispute.h"
#include "mem.h"
#include "posting.h"
#include "stmt.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
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

TestSuite(dispute, .init = open_store, .fini = close_store);

static int64_t wrong(void)
{
    int64_t count = -1;
    cr_assert_eq(posting_audit(store, &count), ERR_OK);
    return count;
}

static int64_t balance(void)
{
    struct json *sums;
    cr_assert_eq(balance_read(store, "a", &sums), ERR_OK);
    int64_t sum = json_get_int(sums, "usd", 0);
    json_free(sums);
    return sum;
}

static void write_charge(void)
{
    struct charge charge = {.id = mem_strdup("ch_1"),
                            .state = CHARGE_CAPTURED,
                            .amount = 500,
                            .captured = 500,
                            .currency = mem_strdup("usd"),
                            .card = card_find("tok_createDispute"),
                            .metadata = mem_strdup("{}"),
                            .transaction = mem_strdup("txn_1")};
    cr_assert_eq(charge_insert(store, "a", &charge), ERR_OK);
    charge_release(&charge);
}

/* A charge of 500 and the dispute about it; the caller releases it. */
static struct dispute open_dispute(void)
{
    struct dispute dispute = {.id = mem_strdup("du_1"),
                              .amount = 500,
                              .currency = mem_strdup("usd"),
                              .charge = mem_strdup("ch_1"),
                              .reason = mem_strdup("fraudulent"),
                              .evidence = mem_strdup("{}"),
                              .metadata = mem_strdup("{}"),
                              .transaction = mem_strdup("txn_2")};
    cr_assert_eq(store_begin(store), ERR_OK);
    write_charge();
    cr_assert_eq(dispute_insert(store, "a", &dispute), ERR_OK);
    cr_assert_eq(store_commit(store), ERR_OK);
    return dispute;
}

/* --- moves ------------------------------------------------------------------------------------ */

Test(dispute, moves_by_its_table_alone)
{
    static const bool table[DISPUTE_STATUS_COUNT][DISPUTE_STATUS_COUNT] = {
        [DISPUTE_NEEDS_RESPONSE] = {[DISPUTE_UNDER_REVIEW] = true, [DISPUTE_LOST] = true},
        [DISPUTE_UNDER_REVIEW] = {[DISPUTE_WON] = true, [DISPUTE_LOST] = true},
    };
    for (int from = 0; from < DISPUTE_STATUS_COUNT; from++)
        for (int to = 0; to < DISPUTE_STATUS_COUNT; to++)
            cr_expect_eq(dispute_may_move((enum dispute_status)from, (enum dispute_status)to),
                         table[from][to], "%s to %s",
                         dispute_status_name((enum dispute_status)from),
                         dispute_status_name((enum dispute_status)to));
}

Test(dispute, another_move_is_a_bug, .signal = SIGABRT)
{
    struct dispute dispute = {.status = DISPUTE_LOST};
    cr_redirect_stderr();
    dispute_move(&dispute, DISPUTE_WON);
}

Test(dispute, only_some_cards_dispute)
{
    cr_expect_str_eq(dispute_reason(card_find("4000000000000259")), "fraudulent");
    cr_expect_null(dispute_reason(card_default()));
}

/* --- money ------------------------------------------------------------------------------------ */

Test(dispute, takes_the_money_and_marks_the_charge)
{
    struct dispute dispute = open_dispute();
    struct charge charge;
    cr_expect_eq(balance(), 0);
    cr_expect_eq(wrong(), 0);
    cr_assert_eq(charge_get(store, "a", "ch_1", &charge), ERR_OK);
    cr_expect_str_eq(charge.dispute, "du_1");
    cr_expect(charge.charged_back);
    charge_release(&charge);
    dispute_release(&dispute);
}

static void win(struct dispute *dispute)
{
    dispute_move(dispute, DISPUTE_UNDER_REVIEW);
    dispute_move(dispute, DISPUTE_WON);
    dispute->reinstatement = mem_strdup("txn_3");
    cr_assert_eq(store_begin(store), ERR_OK);
    cr_assert_eq(dispute_update(store, dispute), ERR_OK);
    cr_assert_eq(dispute_reinstate(store, "a", dispute, 7), ERR_OK);
    cr_assert_eq(store_commit(store), ERR_OK);
}

Test(dispute, gives_it_back_when_it_is_won)
{
    struct dispute dispute = open_dispute(), found;
    struct charge charge;
    struct movement movement;
    win(&dispute);
    cr_expect_eq(balance(), 500);
    cr_expect_eq(wrong(), 0);
    cr_assert_eq(charge_get(store, "a", "ch_1", &charge), ERR_OK);
    cr_expect_not(charge.charged_back);
    cr_assert_eq(dispute_get(store, "a", "du_1", &found), ERR_OK);
    cr_expect_eq(found.status, DISPUTE_WON);
    cr_expect_str_eq(found.reinstatement, "txn_3");
    cr_assert_eq(movement_get(store, "a", "txn_3", &movement), ERR_OK);
    cr_expect_eq(movement.amount, 500);
    cr_expect_eq(movement.created, 7);
    cr_expect_str_eq(movement.type, "adjustment");
    movement_release(&movement);
    charge_release(&charge);
    dispute_release(&found);
    dispute_release(&dispute);
}

Test(dispute, the_audit_hears_of_money_that_is_not_where_it_belongs)
{
    static const char *const crimes[] = {
        "UPDATE disputes SET amount = 499",
        "UPDATE disputes SET status = 'won'",
        "DELETE FROM postings WHERE transaction_id = 'txn_2'",
        "DELETE FROM postings WHERE transaction_id = 'txn_2' AND book = 'cards'",
    };
    struct dispute dispute = open_dispute();
    for (size_t i = 0; i < sizeof crimes / sizeof crimes[0]; i++) {
        cr_assert_eq(store_begin(store), ERR_OK);
        cr_assert_eq(stmt_run(store, crimes[i], ""), ERR_OK);
        cr_expect_gt(wrong(), 0, "%s", crimes[i]);
        store_rollback(store);
    }
    win(&dispute);
    cr_assert_eq(stmt_run(store, "UPDATE disputes SET status = 'lost'", ""), ERR_OK);
    cr_expect_gt(wrong(), 0);
    dispute_release(&dispute);
}
