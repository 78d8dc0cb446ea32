/* The two invariants about what a client claims: a history that breaks each, one that keeps it, and
 * one where it cannot tell. */
#include "asked.h"

#include <criterion/criterion.h>

/* --- success_is_charged ----------------------------------------------------------------------- */

Test(success_is_charged, holds_when_the_charge_is_there)
{
    struct past past = past_new();
    past_charge(&past, 1, "ch_1");
    past_claim(&past, "succeeded", NULL);
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), HOLDS);
    past_claim(&past, "succeeded", "pi_1");
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), HOLDS, "by its intent");
    past_claim(&past, "succeeded", "ch_1");
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), HOLDS, "by its charge");
    past_claim(&past, "failed", NULL);
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), HOLDS, "another invariant's business");
    forget(&past);
}

Test(success_is_charged, is_violated_when_nothing_was_charged)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", NULL, "f");
    past_claim(&past, "succeeded", NULL);
    cr_assert_eq(ask(INVARIANT_success_is_charged, &past), VIOLATED);
    cr_expect_eq(findings.items[0].seq, 2);
    cr_expect(says("nothing was charged"));
    forget(&past);
}

Test(success_is_charged, is_violated_when_it_was_refunded_or_is_another_payment)
{
    struct past past = past_new();
    past_charge(&past, 1, "ch_1");
    past_claim(&past, "succeeded", "pi_9");
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), VIOLATED);
    cr_expect(says("its charge is another one"));
    past_refund(&past, "ch_1", 4217);
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), VIOLATED);
    cr_expect(says("was refunded"));
    forget(&past);
}

Test(success_is_charged, is_asked_of_every_claim)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "k", "f");
    past_claim(&past, "succeeded", NULL);
    past_charge(&past, 2, "ch_1");
    past_claim(&past, "succeeded", "ch_1");
    cr_assert_eq(ask(INVARIANT_success_is_charged, &past), VIOLATED);
    cr_expect_eq(findings.items[0].seq, 2);
    cr_expect(says("the client called order_1 paid, but nothing was charged by then"));
    past_claim(&past, "failed", NULL);
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), VIOLATED, "taken back or not");
    forget(&past);

    past = past_new();
    past_charge(&past, 1, "ch_1");
    past_claim(&past, "succeeded", "ch_1");
    past_refund(&past, "ch_1", 4217);
    past_claim(&past, "failed", NULL);
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), HOLDS, "it was refunded after that");
    forget(&past);
}

Test(success_is_charged, what_a_bank_settles_later_was_not_known)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "k", "f");
    past_claim(&past, "succeeded", NULL);
    past_charge(&past, 0, "ch_1");
    cr_assert_eq(ask(INVARIANT_success_is_charged, &past), VIOLATED);
    cr_expect(says("nothing was charged by then"));
    past_claim(&past, "succeeded", NULL);
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), VIOLATED, "the first claim was a guess");
    forget(&past);

    past = past_new();
    past_invoke(&past, 1, "order_1", "k", "f");
    past_charge(&past, 0, "ch_1");
    past_claim(&past, "succeeded", NULL);
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), HOLDS);
    forget(&past);
}

Test(success_is_charged, cannot_tell_without_a_claim_or_a_call)
{
    struct past past = past_new();
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), CANNOT_TELL);
    past_claim(&past, "succeeded", NULL);
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), CANNOT_TELL);
    cr_expect(says("never called this provider"));
    forget(&past);
}

Test(success_is_charged, by_a_capture_and_not_by_an_authorization)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "a", "f"); /* authorizes: no effect */
    past_claim(&past, "succeeded", "pi_1");
    cr_assert_eq(ask(INVARIANT_success_is_charged, &past), VIOLATED);
    cr_expect(says("nothing was charged"));
    past_capture(&past, 2, "ch_1", 4217);
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), HOLDS);
    past_refund(&past, "ch_1", 4217);
    cr_assert_eq(ask(INVARIANT_success_is_charged, &past), VIOLATED);
    cr_expect(says("its charge was refunded"));
    past_refund_as(&past, "refund_reversal", "ch_1", 4217);
    cr_expect_eq(ask(INVARIANT_success_is_charged, &past), HOLDS);
    forget(&past);
}

/* --- failure_is_not_charged ------------------------------------------------------------------- */

Test(failure_is_not_charged, holds_when_no_charge_stands)
{
    struct past past = past_new();
    past_claim(&past, "failed", NULL);
    cr_expect_eq(ask(INVARIANT_failure_is_not_charged, &past), HOLDS);
    past_charge(&past, 1, "ch_1");
    past_refund(&past, "ch_1", 4217);
    cr_expect_eq(ask(INVARIANT_failure_is_not_charged, &past), HOLDS, "refunded");
    forget(&past);
}

Test(failure_is_not_charged, is_violated_by_a_charge_before_or_after_the_claim)
{
    struct past past = past_new();
    past_charge(&past, 1, "ch_1");
    past_claim(&past, "failed", NULL);
    cr_assert_eq(ask(INVARIANT_failure_is_not_charged, &past), VIOLATED);
    cr_expect_eq(findings.items[0].seq, 2, "the claim came later");
    forget(&past);

    past = past_new();
    past_claim(&past, "failed", NULL);
    past_charge(&past, 1, "ch_1");
    cr_assert_eq(ask(INVARIANT_failure_is_not_charged, &past), VIOLATED);
    cr_expect_eq(findings.items[0].seq, 2, "the charge came later");
    past_claim(&past, "succeeded", NULL);
    cr_expect_eq(ask(INVARIANT_failure_is_not_charged, &past), HOLDS, "the last claim counts");
    forget(&past);
}

Test(failure_is_not_charged, is_asked_of_every_claim)
{
    struct past past = past_new();
    past_charge(&past, 1, "ch_1");
    past_claim(&past, "failed", NULL);
    past_claim(&past, "succeeded", NULL);
    cr_assert_eq(ask(INVARIANT_failure_is_not_charged, &past), VIOLATED);
    cr_expect_eq(findings.count, 1);
    cr_expect_eq(findings.items[0].seq, 2, "where it was made");
    cr_expect(says("the client called order_1 failed and not paid, but it was charged as ch_1 by "
                   "then"));
    past_refund(&past, "ch_1", 4217);
    cr_expect_eq(ask(INVARIANT_failure_is_not_charged, &past), VIOLATED, "it stood by then");
    forget(&past);

    past = past_new();
    past_charge(&past, 1, "ch_1");
    past_refund(&past, "ch_1", 4217);
    past_claim(&past, "failed", NULL);
    past_claim(&past, "unknown", NULL);
    cr_expect_eq(ask(INVARIANT_failure_is_not_charged, &past), HOLDS, "it had been refunded");
    forget(&past);
}

Test(failure_is_not_charged, cannot_tell_without_a_claim)
{
    struct past past = past_new();
    cr_expect_eq(ask(INVARIANT_failure_is_not_charged, &past), CANNOT_TELL);
    forget(&past);
}
