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

    def changed(self, path, params):
        """previous_attributes of the update that PARAMS is."""
        self.json(self.pay(params=params, path=path))
        event = self.events()[-1]
        self.assertTrue(event["type"].endswith(".updated"), event["type"])
        return event["data"]["previous_attributes"]

    def test_an_update_says_what_it_has_changed(self):
        customer = self.json(self.pay(params="name=A&metadata[a]=1&metadata[b]=2&address[city]=x"
                                      "&address[line1]=l", path="/v1/customers"))["id"]
        path = "/v1/customers/" + customer
        self.assertEqual(self.changed(path, "name=B&email=b@x.org"), {"name": "A", "email": None})
        self.assertEqual(self.changed(path, "metadata[a]=3&metadata[b]=&metadata[c]=4"),
                         {"metadata": {"a": "1", "b": "2", "c": None}})
        self.assertEqual(self.changed(path, "address[city]=y"), {"address": {"city": "x"}})
        self.assertEqual(self.changed(path, "name=B"), {})
        charge = self.json(self.pay(params="amount=9&currency=usd", path="/v1/charges"))["id"]
        self.assertEqual(self.changed("/v1/charges/" + charge, "description=d"),
                         {"description": None})
        method = self.json(self.pay(params="customer=" + customer,
                                    path="/v1/payment_methods/pm_card_visa/attach"))["id"]
        self.assertEqual(self.changed("/v1/payment_methods/" + method, "metadata[a]=1"),
                         {"metadata": {"a": None}})
        refund = self.json(self.pay(params="charge=" + charge, path="/v1/refunds"))["id"]
        self.assertEqual(self.changed("/v1/refunds/" + refund, "metadata[a]=1"),
                         {"metadata": {"a": None}})
        self.assertNotIn("previous_attributes", self.events()[0]["data"])

    def test_what_time_has_changed_is_said_too(self):
        paid = self.json(self.pay(params="amount=9&currency=usd&confirm=true"
                                  "&payment_method=pm_card_pendingRefund"))["id"]
        self.json(self.pay(params="payment_intent=" + paid, path="/v1/refunds"))
        self.psp.advance("2m")
        event = self.events()[-1]
        self.assertEqual((event["type"], event["data"]["previous_attributes"]["status"]),
                         ("refund.updated", "pending"))
        paid = self.json(self.pay(params="amount=9&currency=usd&confirm=true&expand[]=latest_charge"
                                  "&payment_method=pm_card_createDispute"))
        dispute = paid["latest_charge"]["dispute"]
        changed = self.changed("/v1/disputes/" + dispute, "evidence[customer_name]=A&submit=false")
        self.assertEqual(changed["evidence"], {"customer_name": None})
        self.json(self.pay(params="", path=f"/v1/disputes/{dispute}/close"))
        closed = self.events()[-1]
        self.assertEqual(closed["type"], "charge.dispute.closed")
        self.assertNotIn("previous_attributes", closed["data"])

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
