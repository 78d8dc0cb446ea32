/* For every invariant: a history that breaks it, one that keeps it, and one where it cannot tell.
 */
#include "asked.h"

#include <criterion/criterion.h>

/* --- charged_once ----------------------------------------------------------------------------- */

Test(charged_once, holds_for_one_charge_or_none)
{
    struct past past = past_new();
    cr_expect_eq(ask(INVARIANT_charged_once, &past), HOLDS);
    past_invoke(&past, 1, "order_1", "k", "f");
    past_charge(&past, 1, "ch_1");
    past_refund(&past, "ch_1", 100);
    cr_expect_eq(ask(INVARIANT_charged_once, &past), HOLDS);
    forget(&past);
}

Test(charged_once, is_violated_where_the_second_charge_is_made)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", NULL, "f");
    past_charge(&past, 1, "ch_1");
    past_invoke(&past, 2, "order_1", NULL, "f");
    past_charge(&past, 2, "ch_2");
    cr_assert_eq(ask(INVARIANT_charged_once, &past), VIOLATED);
    cr_expect_str_eq(findings.items[0].order, "order_1");
    cr_expect_eq(findings.items[0].seq, 4);
    cr_expect(says("charged twice, as ch_1 and as ch_2"));
    cr_expect(says("neither request carried an idempotency key"));
    past_charge(&past, 2, "ch_3");
    ask(INVARIANT_charged_once, &past);
    cr_expect(says("charged 3 times"));
    forget(&past);
}

Test(charged_once, says_what_the_keys_had_to_do_with_it)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "a", "f");
    past_charge(&past, 1, "ch_1");
    past_invoke(&past, 2, "order_1", "b", "f");
    past_charge(&past, 2, "ch_2");
    cr_assert_eq(ask(INVARIANT_charged_once, &past), VIOLATED);
    cr_expect(says("a new idempotency key"));
    forget(&past);

    past = past_new();
    past_invoke(&past, 1, "order_1", "a", "f");
    past_charge(&past, 1, "ch_1");
    past.now_ms += INT64_C(25) * 3600 * 1000;
    past_invoke(&past, 2, "order_1", "a", "f");
    past_charge(&past, 2, "ch_2");
    cr_assert_eq(ask(INVARIANT_charged_once, &past), VIOLATED);
    cr_expect(says("a key lives for 24 h only"));
    forget(&past);
}

Test(charged_once, a_refund_does_not_undo_it)
{
    struct past past = past_new();
    past_charge(&past, 1, "ch_1");
    past_charge(&past, 2, "ch_2");
    past_refund(&past, "ch_2", 4217);
    cr_assert_eq(ask(INVARIANT_charged_once, &past), VIOLATED);
    cr_expect(says("a refund came later"));
    forget(&past);
}

Test(charged_once, counts_an_authorization_when_it_is_captured)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "a", "f");
    past_invoke(&past, 2, "order_1", "b", "g");
    cr_expect_eq(ask(INVARIANT_charged_once, &past), HOLDS);
    past_capture(&past, 2, "ch_1", 4217);
    cr_expect_eq(ask(INVARIANT_charged_once, &past), HOLDS);
    past_charge(&past, 3, "ch_2");
    cr_assert_eq(ask(INVARIANT_charged_once, &past), VIOLATED);
    cr_expect(says("charged twice, as ch_1 and as ch_2"));
    forget(&past);
}

Test(charged_once, cannot_tell_whose_a_charge_is)
{
    struct past past = past_new();
    past_charge_of(&past, 1, NULL, "ch_1", 5, "usd");
    cr_assert_eq(ask(INVARIANT_charged_once, &past), CANNOT_TELL);
    cr_expect(says("belongs to no order"));
    forget(&past);
}

/* --- charge_matches_order --------------------------------------------------------------------- */

Test(charge_matches_order, holds_for_the_right_amount_and_currency)
{
    struct past past = past_new();
    past_charge(&past, 1, "ch_1");
    cr_expect_eq(ask(INVARIANT_charge_matches_order, &past), HOLDS);
    forget(&past);
}

Test(charge_matches_order, is_violated_by_another_amount_or_currency)
{
    struct past past = past_new();
    past_charge_of(&past, 1, "order_1", "ch_1", 4218, "usd");
    past_charge_of(&past, 2, "order_1", "ch_2", 4217, "eur");
    cr_assert_eq(ask(INVARIANT_charge_matches_order, &past), VIOLATED);
    cr_assert_eq(findings.count, 2);
    cr_expect_eq(findings.items[0].seq, 1);
    cr_expect_eq(findings.items[1].seq, 2);
    cr_expect(says("order for 4217 usd, but ch_1 charged 4218 usd"));
    cr_expect(says("ch_2 charged 4217 eur"));
    forget(&past);
}

Test(charge_matches_order, looks_at_what_was_captured)
{
    struct past past = past_new();
    past_capture(&past, 1, "ch_1", 4217);
    cr_expect_eq(ask(INVARIANT_charge_matches_order, &past), HOLDS);
    past_capture(&past, 2, "ch_2", 4000);
    cr_assert_eq(ask(INVARIANT_charge_matches_order, &past), VIOLATED);
    cr_expect(says("ch_2 charged 4000 usd"));
    forget(&past);
}

Test(charge_matches_order, cannot_tell_without_an_amount)
{
    struct past past = past_new();
    struct json *data = past_add(&past, EVENT_EFFECT, 1, "order_1");
    json_set_string(data, "object", "charge");
    cr_expect_eq(ask(INVARIANT_charge_matches_order, &past), CANNOT_TELL);
    forget(&past);
}

/* --- settles ---------------------------------------------------------------------------------- */

Test(settles, holds_when_the_client_comes_to_know)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", NULL, "f");
    past_claim(&past, "unknown", NULL);
    past_heal(&past);
    past_claim(&past, "failed", NULL);
    cr_expect_eq(ask(INVARIANT_settles, &past), HOLDS);
    forget(&past);
}

Test(settles, is_violated_by_unknown_after_the_faults)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", NULL, "f");
    past_heal(&past);
    past_claim(&past, "unknown", NULL);
    cr_assert_eq(ask(INVARIANT_settles, &past), VIOLATED);
    cr_expect_eq(findings.items[0].seq, 3);
    forget(&past);
}

Test(settles, cannot_tell_while_faults_go_on)
{
    struct past past = past_new();
    cr_expect_eq(ask(INVARIANT_settles, &past), CANNOT_TELL, "no claim");
    past_claim(&past, "unknown", NULL);
    cr_expect_eq(ask(INVARIANT_settles, &past), CANNOT_TELL, "no call");
    past_invoke(&past, 1, "order_1", NULL, "f");
    cr_expect_eq(ask(INVARIANT_settles, &past), CANNOT_TELL, "not healed");
    past_heal(&past);
    cr_expect_eq(ask(INVARIANT_settles, &past), CANNOT_TELL, "not run again");
    forget(&past);
}

/* --- key_means_one_request -------------------------------------------------------------------- */

Test(key_means_one_request, holds_for_the_same_request_again)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "k", "f");
    past_invoke(&past, 2, "order_1", "k", "f");
    past_invoke(&past, 3, "order_1", "other", "g");
    past_invoke(&past, 4, "order_1", NULL, "h");
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), HOLDS);
    forget(&past);
}

Test(key_means_one_request, is_violated_by_another_request)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "k", "f");
    past_invoke(&past, 2, "order_2", "k", "g");
    cr_assert_eq(ask(INVARIANT_key_means_one_request, &past), VIOLATED);
    cr_expect_eq(findings.items[0].seq, 2);
    cr_expect_str_eq(findings.items[0].order, "order_2");
    cr_expect(says("with other parameters"));
    past_answer(&past, EVENT_FAIL, 2, 400, NULL);
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), VIOLATED,
                 "that the provider noticed does not make it right");
    past_invoke(&past, 3, "order_1", "k", "f");
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), VIOLATED);
    cr_expect_eq(findings.count, 1, "the key still means the first request");
    forget(&past);
}

Test(key_means_one_request, a_key_lives_for_a_day_and_then_begins_anew)
{
    struct past past = past_new();
    int64_t start = past.now_ms;
    past_invoke(&past, 1, "order_1", "k", "f");
    past.now_ms = start + INT64_C(86400000) - 1;
    past_invoke(&past, 2, "order_1", "k", "g");
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), VIOLATED, "a millisecond early");
    forget(&past);

    past = past_new();
    past_invoke(&past, 1, "order_1", "k", "f");
    past.now_ms = start + INT64_C(86400000);
    past_invoke(&past, 2, "order_1", "k", "g");
    past_invoke(&past, 3, "order_1", "k", "g");
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), HOLDS, "a life of its own");
    past_invoke(&past, 4, "order_1", "k", "f");
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), VIOLATED, "in the second life");
    forget(&past);

    past = past_new();
    past_invoke(&past, 1, "order_1", "k", "f");
    past_answer(&past, EVENT_FAIL, 1, 402, NULL);
    past_invoke(&past, 2, "order_1", "k", "g");
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), VIOLATED, "a decline was executed");
    forget(&past);
}

Test(key_means_one_request, accounts_and_methods_and_refused_requests_are_kept_apart)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "k", "f");
    past_answer(&past, EVENT_FAIL, 1, 400, "invalid_request_error");
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), HOLDS, "refused and given up");
    past_invoke(&past, 2, "order_1", "k", "g");
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), HOLDS, "the first was refused");
    struct json *data = past_add(&past, EVENT_INVOKE, 3, "order_1");
    json_set_string(data, "account", "sk_test_b");
    json_set_string(data, "method", "POST");
    json_set_string(data, "key", "k");
    json_set_string(data, "fingerprint", "h");
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), HOLDS, "another account");
    data = past_add(&past, EVENT_INVOKE, 4, "order_1");
    json_set_string(data, "account", "sk_test_a");
    json_set_string(data, "method", "DELETE");
    json_set_string(data, "key", "k");
    json_set_string(data, "fingerprint", "h");
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), HOLDS, "keys mean nothing there");
    forget(&past);
}

Test(key_means_one_request, cannot_tell_without_fingerprints)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "k", NULL);
    cr_expect_eq(ask(INVARIANT_key_means_one_request, &past), CANNOT_TELL);
    forget(&past);
}

/* --- all of them ------------------------------------------------------------------------------ */

Test(invariant, has_a_name_that_can_be_read_back)
{
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        enum invariant back;
        cr_expect(invariant_parse(invariant_name((enum invariant)i), &back));
        cr_expect_eq(back, (enum invariant)i);
        cr_expect_gt(strlen(invariant_demands((enum invariant)i)), 10);
    }
    enum invariant none;
    cr_expect_not(invariant_parse("charged_never", &none));
    cr_expect_not(invariant_parse(NULL, &none));
}

static int found_of(const struct findings *all, int invariant)
{
    int found = 0;
    for (size_t i = 0; i < all->count; i++)
        found += (int)all->items[i].invariant == invariant;
    return found;
}

Test(invariant, that_is_left_out_finds_nothing_and_all_others_do)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", NULL, NULL);
    past_charge_of(&past, 1, "order_1", "ch_1", 1, "usd");
    past_invoke(&past, 2, "order_1", "k", NULL);
    past_charge(&past, 2, "ch_2");
    struct findings all = {0};
    invariant_check_all(&past.history, &past.orders, 0, &all);
    int left_out = 0;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        struct findings others = {0};
        invariant_check_all(&past.history, &past.orders, 1U << i, &others);
        for (int j = 0; j < INVARIANT_COUNT; j++)
            cr_expect_eq(found_of(&others, j), j == i ? 0 : found_of(&all, j));
        left_out += found_of(&all, i) > 0;
        findings_release(&others);
    }
    cr_expect_geq(left_out, 4);
    findings_release(&all);
    forget(&past);
}

Test(findings, survive_json)
{
    struct past past = past_new();
    past_charge(&past, 1, "ch_1");
    past_charge(&past, 2, "ch_2");
    struct findings all = {0};
    invariant_check_all(&past.history, &past.orders, 0, &all);
    struct json *json = findings_to_json(&all);
    struct findings back;
    cr_assert_eq(findings_from_json(json, &back), ERR_OK);
    cr_assert_eq(back.count, all.count);
    for (size_t i = 0; i < all.count; i++) {
        cr_expect_eq(back.items[i].invariant, all.items[i].invariant);
        cr_expect_eq(back.items[i].violated, all.items[i].violated);
        cr_expect_eq(back.items[i].seq, all.items[i].seq);
        cr_expect_str_eq(back.items[i].sentence, all.items[i].sentence);
    }
    cr_expect_eq(findings_first_violation(&back)->invariant, INVARIANT_charged_once);
    json_free(json);
    findings_release(&all);
    findings_release(&back);
    forget(&past);
}
