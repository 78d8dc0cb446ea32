"""Events: what happened can be read again, once per thing that happened, for thirty days."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, PspTest, main  # noqa: E402
from raw_http import NoAnswer  # noqa: E402


class Events(PspTest):
    def events(self, query="limit=100", account=None):
        """Oldest first."""
        return self.json(self.get("/v1/events?" + query, account))["data"][::-1]

    def types(self, query="limit=100"):
        return [event["type"] for event in self.events(query)]

    def test_a_payment_is_told_of_with_the_request_that_made_it(self):
        paid = self.pay(key="key_1")
        intent = self.json(paid)
        self.assertEqual(self.types(), ["payment_intent.created", "charge.succeeded",
                                        "payment_intent.succeeded"])
        created, charged, succeeded = self.events()
        self.assertEqual(created["data"]["object"]["status"], "requires_confirmation")
        self.assertEqual(succeeded["data"]["object"], intent)
        self.assertEqual(charged["data"]["object"],
                         self.json(self.get("/v1/charges/" + intent["latest_charge"])))
        for event in created, charged, succeeded:
            self.assertEqual(event["request"], {"id": paid.header("request-id"),
                                                "idempotency_key": "key_1"})
            self.assertEqual((event["object"], event["livemode"], event["pending_webhooks"]),
                             ("event", False, 0))
            self.assertEqual(self.json(self.get("/v1/events/" + event["id"])), event)

    def test_no_key_is_null(self):
        self.json(self.pay())
        self.assertIsNone(self.events()[0]["request"]["idempotency_key"])

    def test_a_replay_and_a_refusal_tell_nothing(self):
        self.json(self.pay(key="key_1"))
        before = self.types()
        self.pay(key="key_1")
        self.error(self.pay(params=[("amount", "x"), ("currency", "usd")]), 400)
        self.assertEqual(self.types(), before)

    def test_what_was_rolled_back_did_not_happen(self):
        self.psp.faults(("before_commit", {"kind": "respond", "status": 500}),
                        account=self.account)
        self.assertEqual(self.pay().status, 500)
        self.assertEqual(self.types(), [])

    def test_what_stands_is_told_though_nobody_was_answered(self):
        self.psp.faults(("after_commit", "drop"), account=self.account)
        with self.assertRaises(NoAnswer):
            self.pay()
        self.assertIn("payment_intent.succeeded", self.types())

    def test_each_way_a_payment_can_go(self):
        def confirmed(method):
            return [("amount", "2000"), ("currency", "usd"), ("payment_method", method),
                    ("confirm", "true")]
        self.error(self.pay(params=confirmed("pm_card_chargeDeclined")), 402)
        self.assertEqual(self.types()[-2:], ["charge.failed", "payment_intent.payment_failed"])
        intent = self.json(self.pay(params=confirmed("pm_card_authenticationRequired")))
        self.assertEqual(self.types()[-1], "payment_intent.requires_action")
        self.json(self.pay(params=[], path=f"/v1/payment_intents/{intent['id']}/cancel"))
        self.assertEqual(self.types()[-1], "payment_intent.canceled")
        intent = self.json(self.pay())
        self.json(self.pay(params=[("payment_intent", intent["id"])], path="/v1/refunds"))
        refunded, refund = self.events()[-2:]
        self.assertEqual((refunded["type"], refund["type"]), ("charge.refunded", "refund.created"))
        self.assertTrue(refunded["data"]["object"]["refunded"])
        self.assertEqual(refund["data"]["object"]["charge"], refunded["data"]["object"]["id"])
        customer = self.json(self.pay(params=[("email", "a@b.test")], path="/v1/customers"))
        self.assertEqual(self.events()[-1]["data"]["object"], customer)

    def test_filters_by_type(self):
        self.json(self.pay())
        self.assertEqual(self.types("type=charge.succeeded"), ["charge.succeeded"])
        self.assertEqual(self.types("type=payment_intent.*"),
                         ["payment_intent.created", "payment_intent.succeeded"])
        self.assertEqual(self.types("types[]=charge.succeeded&types[]=payment_intent.created"),
                         ["payment_intent.created", "charge.succeeded"])
        self.assertEqual(self.types("type=refund.created"), [])
        self.error(self.get("/v1/events?type=%5Bc%5Dharge"), 400)
        self.error(self.get("/v1/events?type="), 400)
        both = "type=charge.succeeded&types[]=refund.created"
        self.assertEqual(self.error(self.get("/v1/events?" + both), 400)["param"], "types")
        self.assertEqual(self.error(self.get("/v1/events?colour=red"), 400)["code"],
                         "parameter_unknown")

    def test_pages_in_both_directions(self):
        for _ in range(2):
            self.json(self.pay())
        everything = [event["id"] for event in self.events()][::-1]
        page = self.json(self.get("/v1/events?limit=4"))
        self.assertEqual([event["id"] for event in page["data"]], everything[:4])
        self.assertTrue(page["has_more"])
        page = self.json(self.get(f"/v1/events?limit=4&starting_after={everything[3]}"))
        self.assertEqual([event["id"] for event in page["data"]], everything[4:])
        self.assertFalse(page["has_more"])
        page = self.json(self.get(f"/v1/events?limit=2&ending_before={everything[4]}"))
        self.assertEqual([event["id"] for event in page["data"]], everything[2:4])

    def test_another_account_sees_nothing_of_it(self):
        self.json(self.pay())
        event = self.events()[0]["id"]
        other = self.account + "other"
        self.assertEqual(self.events(account=other), [])
        self.assertEqual(self.error(self.get("/v1/events/" + event, other), 404)["code"],
                         "resource_missing")

    def test_thirty_days_and_no_longer(self):
        self.json(self.pay())
        event = self.events()[0]["id"]
        self.psp.advance("29d")
        self.assertEqual(len(self.events()), 3)
        self.psp.advance("25h")
        self.assertEqual(self.events(), [])
        self.error(self.get("/v1/events/" + event), 404)

    def test_a_reset_forgets_and_ids_do_not_come_again(self):
        self.json(self.pay())
        before = {event["id"] for event in self.events()}
        self.psp.control("POST", "reset", account=self.account)
        self.assertEqual(self.events(), [])
        self.json(self.pay(params=PAYMENT))
        self.assertFalse(before & {event["id"] for event in self.events()})


if __name__ == "__main__":
    main()
