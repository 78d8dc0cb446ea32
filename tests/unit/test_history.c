#include "history.h"
#include "past.h"

#include <criterion/criterion.h>
#include <string.h>

Test(order, the_same_seed_makes_the_same_orders)
{
    struct orders a = orders_make(7, 3);
    struct orders b = orders_make(7, 3);
    struct orders c = orders_make(8, 3);
    cr_assert_eq(a.count, 3);
    cr_expect_str_eq(a.items[0].id, "order_1");
    cr_expect_str_eq(a.items[2].id, "order_3");
    bool other = false;
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(a.items[i].amount, b.items[i].amount);
        other = other || a.items[i].amount != c.items[i].amount;
    }
    cr_expect(other, "another seed, other amounts");
    orders_release(&a);
    orders_release(&b);
    orders_release(&c);
}

Test(order, amounts_are_unlike_one_another)
{
    struct orders orders = orders_make(1, ORDERS_MOST);
    for (size_t i = 0; i < orders.count; i++) {
        cr_assert_geq(orders.items[i].amount, 1000);
        cr_assert_leq(orders.items[i].amount, 99999);
        const struct order *found = orders_with_amount(&orders, orders.items[i].amount, "usd");
        cr_assert_str_eq(found->id, orders.items[i].id);
    }
    cr_expect_null(orders_with_amount(&orders, orders.items[0].amount, "eur"));
    cr_expect_null(orders_with_amount(&orders, orders.items[0].amount, NULL));
    orders_release(&orders);
}

Test(order, is_found_by_id_alone)
{
    struct past past = past_new();
    cr_expect_not_null(orders_find(&past.orders, "order_1"));
    cr_expect_null(orders_find(&past.orders, "order_10"));
    cr_expect_null(orders_find(&past.orders, NULL));
    past_release(&past);
}

Test(order, survives_json)
{
    struct orders orders = orders_make(3, 2);
    struct json *json = orders_to_json(&orders);
    struct orders back;
    cr_assert_eq(orders_from_json(json, &back), ERR_OK);
    cr_assert_eq(back.count, 2);
    cr_expect_str_eq(back.items[1].id, "order_2");
    cr_expect_eq(back.items[1].amount, orders.items[1].amount);
    json_free(json);
    orders_release(&orders);
    orders_release(&back);
}

Test(history, numbers_its_events)
{
    struct history history = {0};
    for (uint64_t i = 1; i <= 100; i++) {
        const struct event *event = history_add(&history, event_new(EVENT_INVOKE, i, 0));
        cr_assert_eq(event->seq, i);
        cr_assert_eq(history.events[i - 1].request, i);
    }
    history_release(&history);
}

Test(history, finds_the_next_of_a_kind_and_an_order)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", NULL, "f");
    past_invoke(&past, 2, "order_2", NULL, "f");
    past_heal(&past);
    past_invoke(&past, 3, "order_1", NULL, "f");
    const struct event *first = history_next(&past.history, NULL, EVENT_INVOKE, "order_1");
    const struct event *second = history_next(&past.history, first, EVENT_INVOKE, "order_1");
    cr_assert_eq(first->request, 1);
    cr_assert_eq(second->request, 3);
    cr_expect_null(history_next(&past.history, second, EVENT_INVOKE, "order_1"));
    cr_expect_eq(history_count(&past.history, EVENT_INVOKE, NULL), 3);
    cr_expect_eq(history_count(&past.history, EVENT_INVOKE, "order_1"), 2);
    cr_expect_eq(history_count(&past.history, EVENT_INVOKE, "order_3"), 0);
    past_release(&past);
}

Test(history, pairs_requests_with_their_answers)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", NULL, "f");
    past_invoke(&past, 2, "order_1", NULL, "f");
    past_answer(&past, EVENT_INFO, 2, 503, NULL);
    cr_expect_eq(history_invoke(&past.history, 2)->seq, 2);
    cr_expect_eq(history_answer(&past.history, 2)->seq, 3);
    cr_expect_null(history_answer(&past.history, 1));
    cr_expect_null(history_invoke(&past.history, 3));
    past_release(&past);
}

Test(history, takes_the_last_claim)
{
    struct past past = past_new();
    cr_expect_null(history_last_claim(&past.history, "order_1"));
    past_claim(&past, "unknown", NULL);
    past_claim(&past, "succeeded", "pi_1");
    cr_expect_str_eq(event_string(history_last_claim(&past.history, "order_1"), "outcome"),
                     "succeeded");
    past_release(&past);
}

Test(history, a_charge_stands_until_all_of_it_is_refunded)
{
    struct past past = past_new();
    past_charge(&past, 1, "ch_1");
    past_refund(&past, "ch_2", 4217);
    const struct event *charge = history_next_charge(&past.history, NULL, "order_1");
    cr_expect_eq(history_refunded(&past.history, charge), 0, "another charge's refund");
    past_refund(&past, "ch_1", 4216);
    charge = history_next_charge(&past.history, NULL, "order_1");
    cr_expect(history_stands(&past.history, charge));
    past_refund(&past, "ch_1", 1);
    charge = history_next_charge(&past.history, NULL, "order_1");
    cr_expect_eq(history_refunded(&past.history, charge), 4217);
    cr_expect_not(history_stands(&past.history, charge));
    cr_expect_null(history_next_charge(&past.history, charge, NULL), "a refund is no charge");
    past_release(&past);
}

Test(history, survives_json)
{
    struct past past = past_new();
    past_invoke(&past, 1, "order_1", "key", "f");
    past_charge(&past, 1, "ch_1");
    struct json *json = history_to_json(&past.history);
    struct history back;
    cr_assert_eq(history_from_json(json, &back), ERR_OK);
    cr_assert_eq(back.count, 2);
    cr_expect_eq(back.events[1].seq, 2);
    cr_expect_eq(back.events[1].at_ms, past.history.events[1].at_ms);
    cr_expect_str_eq(event_string(&back.events[0], "key"), "key");
    history_release(&back);
    json_push(json, json_string("no event"));
    cr_expect_eq(history_from_json(json, &back), ERR_INVALID);
    cr_expect_eq(back.count, 0);
    json_free(json);
    past_release(&past);
}

Test(history, knows_what_the_provider_declined)
{
    struct past past = past_new();
    past_answer(&past, EVENT_FAIL, 1, 400, NULL);
    past_answer(&past, EVENT_OK, 2, 200, NULL);
    cr_expect_not(history_declined(&past.history, "order_1"));
    past_answer(&past, EVENT_FAIL, 3, 402, NULL);
    cr_expect(history_declined(&past.history, "order_1"));
    cr_expect_not(history_declined(&past.history, "order_2"));
    past_release(&past);

    /* at a bank, or by whoever asks later */
    past = past_new();
    json_set_string(past_add(&past, EVENT_OK, 1, "order_1"), "decline_code", "lost_card");
    cr_expect(history_declined(&past.history, "order_1"));
    past_release(&past);
}

/* Numbers of requests come in no order when two providers have counted, and may be far apart. */
Test(history, finds_what_belongs_to_a_request_among_many)
{
    struct history history = {0};
    for (uint64_t i = 1; i <= 1000; i++) {
        uint64_t request = i % 2 == 0 ? i : i << 40;
        history_add(&history, (struct event){.kind = EVENT_INVOKE, .request = request});
        history_add(&history, (struct event){.kind = EVENT_EFFECT, .request = request});
        if (i % 3 != 0)
            history_add(&history, (struct event){.kind = EVENT_OK, .request = request});
        history_add(&history, (struct event){.kind = EVENT_INFO, .request = request});
    }
    for (uint64_t i = 1; i <= 1000; i++) {
        uint64_t request = i % 2 == 0 ? i : i << 40;
        const struct event *invoke = history_invoke(&history, request);
        const struct event *answer = history_answer(&history, request);
        cr_assert(invoke != NULL && invoke->kind == EVENT_INVOKE && invoke->request == request);
        cr_assert(answer != NULL && answer->request == request);
        cr_expect_eq(answer->kind, i % 3 != 0 ? EVENT_OK : EVENT_INFO);
    }
    cr_expect_null(history_invoke(&history, 1));
    cr_expect_null(history_invoke(&history, 0));
    history_release(&history);
}
