"""The idempotency key, rule by rule: the table in STRIPE_FACTS §1, against the running server and
byte for byte where bytes are promised."""
import base64
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, PspTest, main  # noqa: E402
from raw_http import request  # noqa: E402

DECLINED = [("amount", "2000"), ("currency", "usd"), ("confirm", "true"),
            ("payment_method", "pm_card_chargeDeclined")]


class Header(PspTest):
    """What a key may look like, and which requests it matters for."""

    def test_255_characters_are_the_most(self):
        key = "k" * 255
        first = self.pay(key)
        self.assertFirst(first)
        self.assertEqual(first.header("idempotency-key"), key)
        self.assertReplay(self.pay(key), first)
        for wrong in ("k" * 256, "k" * 4000):
            self.assertEqual(self.error(self.pay(wrong), 400)["type"], "invalid_request_error")
        self.assertCharges(1)

    def test_an_empty_key_is_refused(self):
        for wrong in ("", " ", "\t "):
            self.assertEqual(self.error(self.pay(wrong), 400)["type"], "invalid_request_error")
        self.assertCharges(0)

    def test_no_key_is_validated_as_a_uuid(self):
        weird = ["a", "0", "order-4a6cf6a2-93d8-4c4e-8c1c-6fb6a5a3a1c5", "1706000000000000000_x9Zq1b",
                 "d41d8cd98f00b204e9800998ecf8427e", "with spaces in it", '"quoted"', "a+b/c==",
                 "%41%00", "{}[]();:'\\,", "-" * 40, "null", "ключ"]
        for key in weird:
            with self.subTest(key=key):
                first = self.pay(key)
                self.assertFirst(first)
                self.assertReplay(self.pay(key), first)
        self.assertCharges(len(weird))

    def test_keys_differ_by_case_and_by_any_character(self):
        for key in ("key", "KEY", "key.", "ke"):
            self.assertFirst(self.pay(key))
        self.assertCharges(4)

    def test_space_around_a_key_is_not_part_of_it(self):
        first = self.pay("key")
        self.assertReplay(self.pay("   key \t"), first)

    def test_the_name_of_the_header_has_no_case(self):
        headers = [("iDEMPOTENCY-kEY", "key")]
        first = self.pay(headers=headers)
        self.assertFirst(first)
        self.assertReplay(self.pay("key"), first)

    def test_without_a_key_every_request_is_a_first_one(self):
        for _ in range(2):
            answer = self.pay()
            self.assertEqual(answer.status, 200)
            for name in ("idempotency-key", "idempotent-replayed", "original-request"):
                self.assertIsNone(answer.header(name))
        self.assertCharges(2)

    def test_every_post_takes_a_key(self):
        intent = self.json(self.pay(params=[("amount", "100"), ("currency", "usd")]))["id"]
        other = self.json(self.pay(params=[("amount", "100"), ("currency", "usd")]))["id"]
        charge = self.json(self.pay(path="/v1/charges", params="amount=500&currency=usd"))["id"]
        posts = [
            ("/v1/payment_intents", PAYMENT),
            (f"/v1/payment_intents/{intent}/confirm", "payment_method=pm_card_visa"),
            (f"/v1/payment_intents/{other}/cancel", ""),
            ("/v1/charges", "amount=700&currency=eur&source=tok_visa"),
            ("/v1/refunds", f"charge={charge}&amount=100"),
            ("/v1/customers", "email=jenny@example.com"),
        ]
        for path, params in posts:
            with self.subTest(path=path):
                first = self.pay("key of " + path, params, path)
                self.assertFirst(first)
                self.assertReplay(self.pay("key of " + path, params, path), first)

    def test_on_get_and_delete_a_key_has_no_effect(self):
        headers = [("Idempotency-Key", "key")]
        intent = self.json(self.pay("other"))["id"]
        for path in ("/v1/payment_intents/" + intent, "/v1/charges"):
            for _ in range(2):
                answer = self.get(path, headers=headers)
                self.assertEqual(answer.status, 200)
                self.assertIsNone(answer.header("idempotent-replayed"))
        for _ in range(2):
            customer = self.json(self.pay(params="", path="/v1/customers"))["id"]
            answer = self.psp.ask("DELETE", "/v1/customers/" + customer, self.account,
                                  headers=headers)
            self.assertTrue(self.json(answer)["deleted"])
            self.assertIsNone(answer.header("idempotency-key"))
        self.assertFirst(self.pay("key"))

    def test_a_get_shows_today_whatever_key_it_carries(self):
        headers = [("Idempotency-Key", "list")]
        self.assertEqual(len(self.json(self.get("/v1/charges", headers=headers))["data"]), 0)
        self.pay("key")
        self.assertEqual(len(self.json(self.get("/v1/charges", headers=headers))["data"]), 1)


class Headers(PspTest):
    """The headers of a first answer and of a replay."""

    def test_a_first_answer(self):
        answer = self.pay("key", headers=[("Stripe-Version", "2020-08-27")])
        self.assertRegex(answer.header("request-id"), r"^req_[A-Za-z0-9]{14,}$")
        self.assertEqual(answer.header("original-request"), answer.header("request-id"))
        self.assertEqual(answer.header("idempotency-key"), "key")
        self.assertEqual(answer.header("stripe-version"), "2020-08-27")
        self.assertEqual(answer.header("cache-control"), "no-cache, no-store")
        self.assertEqual(answer.header("content-type"), "application/json")
        self.assertEqual(answer.header("stripe-should-retry"), "false")
        self.assertIsNone(answer.header("idempotent-replayed"))

    def test_a_default_version_and_no_refusal_of_an_unknown_one(self):
        self.assertRegex(self.pay().header("stripe-version"), r"^\d{4}-\d\d-\d\d$")
        answer = self.pay(headers=[("Stripe-Version", "2099-01-01.acacia; beta=v1")])
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.header("stripe-version"), "2099-01-01.acacia; beta=v1")

    def test_every_replay_has_a_request_id_of_its_own(self):
        first = self.pay("key")
        seen = {first.header("request-id")}
        for _ in range(5):
            again = self.pay("key")
            self.assertReplay(again, first)
            seen.add(again.header("request-id"))
        self.assertEqual(len(seen), 6)

    def test_should_retry_is_false_when_final_and_absent_when_nobody_knows(self):
        self.assertEqual(self.pay("a", DECLINED).header("stripe-should-retry"), "false")
        self.psp.faults(("received", {"kind": "respond", "status": 503}), account=self.account)
        self.assertIsNone(self.pay("b").header("stripe-should-retry"))

    def test_a_fault_may_script_it(self):
        act = {"kind": "respond", "status": 500, "headers": {"Stripe-Should-Retry": "true"}}
        self.psp.faults(("received", act), account=self.account)
        self.assertEqual(self.pay("b").header("stripe-should-retry"), "true")


class Stored(PspTest):
    """What a key remembers, and what it does not."""

    def test_success(self):
        first = self.pay("key")
        self.assertFirst(first)
        for _ in range(3):
            self.assertReplay(self.pay("key"), first)
        self.assertCharges(1)

    def test_a_replay_is_of_that_day_not_of_today(self):
        first = self.pay("key", "amount=500&currency=usd", "/v1/charges")
        charge = self.json(first)["id"]
        self.json(self.pay("refund", f"charge={charge}", "/v1/refunds"))
        self.assertReplay(self.pay("key", "amount=500&currency=usd", "/v1/charges"), first)
        self.assertTrue(self.json(self.get("/v1/charges/" + charge))["refunded"])

    def test_a_declined_card(self):
        first = self.pay("key", DECLINED)
        self.assertFirst(first, 402)
        self.assertReplay(self.pay("key", DECLINED), first)
        self.assertCharges(0)
        self.assertEqual(len(self.psp.ledger(self.account)["charges"]), 1)

    def test_a_refusal_of_the_object_itself(self):
        charge = self.json(self.pay(path="/v1/charges", params="amount=500&currency=usd"))["id"]
        self.json(self.pay(None, f"charge={charge}", "/v1/refunds"))
        again = self.pay("key", f"charge={charge}", "/v1/refunds")
        self.assertEqual(self.error(again, 400)["code"], "charge_already_refunded")
        self.assertReplay(self.pay("key", f"charge={charge}", "/v1/refunds"), again)

    def test_parameters_refused_before_execution_are_not(self):
        refused = [("currency=usd", "parameter_missing"), ("amount=x&currency=usd",
                   "parameter_invalid_integer"), ("amount=&currency=usd", "parameter_invalid_empty"),
                   ("amount=1&currency=usd&amuont=2", "parameter_unknown")]
        for params, code in refused:
            for _ in range(2):
                answer = self.pay("key", params)
                self.assertEqual(self.error(answer, 400)["code"], code)
                self.assertIsNone(answer.header("idempotent-replayed"))
        self.assertFirst(self.pay("key"))

    def test_a_missing_object_is_not(self):
        path = "/v1/payment_intents/pi_none/confirm"
        self.assertEqual(self.error(self.pay("key", "", path), 404)["code"], "resource_missing")
        self.assertFirst(self.pay("key"))

    def test_a_401_is_not(self):
        for account in ("sk_nobody", "pk_test_1", ""):
            answer = self.psp.ask("POST", "/v1/payment_intents", account, PAYMENT, "key")
            self.assertEqual(self.error(answer, 401)["type"], "invalid_request_error")
        self.assertEqual(self.psp.ask("POST", "/v1/payment_intents", None, PAYMENT, "key").status,
                         401)
        self.assertFirst(self.pay("key"))

    def test_an_unknown_url_is_not(self):
        self.assertEqual(self.pay("key", path="/v1/nothing").status, 404)
        self.assertFirst(self.pay("key"))

    def test_a_429_before_the_key_is_looked_up_is_not(self):
        act = {"kind": "respond", "status": 429, "headers": {"Retry-After": "1"}}
        self.psp.faults({"on": "POST *", "nth": 1, "at": "received", "act": act},
                        account=self.account)
        answer = self.pay("key")
        self.assertEqual(self.error(answer, 429)["code"], "rate_limit")
        self.assertEqual(answer.header("retry-after"), "1")
        first = self.pay("key")
        self.assertFirst(first)
        self.psp.faults(("received", act), account=self.account)
        self.assertEqual(self.pay("key").status, 429)  # says nothing of the first attempt
        self.psp.no_faults(self.account)
        self.assertReplay(self.pay("key"), first)


class ServerError(PspTest):
    """A 500 that the key remembers, and one that only the wire has seen."""

    def fault(self, at, store):
        act = {"kind": "respond", "status": 500, "store": store}
        self.psp.faults({"on": "POST *", "nth": 1, "at": at, "act": act}, account=self.account)

    def test_stored_over_an_effect_that_stands(self):
        for at in ("after_commit", "responding"):
            with self.subTest(at=at):
                self.fault(at, True)
                before = len(self.psp.charges(self.account))
                first = self.pay("key " + at)
                self.assertFirst(first, 500)
                self.assertIsNone(first.header("stripe-should-retry"))
                self.assertReplay(self.pay("key " + at), first)
                self.assertCharges(before + 1)

    def test_stored_over_none(self):
        self.fault("before_commit", True)
        first = self.pay("key")
        self.assertFirst(first, 500)
        self.assertReplay(self.pay("key"), first)
        self.assertCharges(0)

    def test_of_the_wire_only(self):
        for at, before in (("received", 0), ("before_commit", 0), ("after_commit", 1),
                           ("responding", 1)):
            with self.subTest(at=at):
                self.fault(at, False)
                charges = len(self.psp.charges(self.account))
                self.assertEqual(self.pay("key " + at).status, 500)
                self.assertCharges(charges + before)
                answer = self.pay("key " + at)
                self.assertEqual(answer.status, 200)
                self.assertEqual(answer.header("idempotent-replayed"), "true" if before else None)
                self.assertCharges(charges + 1)

    def test_a_stored_500_lives_24_hours_and_then_the_key_is_new(self):
        self.fault("after_commit", True)
        first = self.pay("key")
        self.psp.advance("23h")
        self.assertReplay(self.pay("key"), first)
        self.psp.advance("1h")
        self.assertFirst(self.pay("key"))
        self.assertCharges(2)

    def test_a_body_of_its_own_is_replayed_byte_for_byte(self):
        body = '{"error":  {"type":"api_error"}}\n\t\u00e9 no JSON at all'
        act = {"kind": "respond", "status": 502, "body": body, "store": True}
        self.psp.faults({"on": "POST *", "nth": 1, "at": "before_commit", "act": act},
                        account=self.account)
        first = self.pay("key")
        self.assertEqual(first.body, body.encode())
        self.assertReplay(self.pay("key"), first)

    def test_nothing_can_be_stored_before_the_key_is_claimed(self):
        answer = self.psp.ask("PUT", "/_mock/faults", self.account,
                              b'[{"at":"received","act":{"kind":"respond","status":500,'
                              b'"store":true}}]')
        self.assertIn("store makes no sense at received", self.error(answer, 400)["message"])


class Lifetime(PspTest):
    """24 hours from first use, on the provider's clock; and whose key it is."""

    def test_exactly_24_hours(self):
        first = self.pay("key")
        self.psp.advance("86399999ms")
        self.assertReplay(self.pay("key"), first)
        self.psp.advance("1ms")
        second = self.pay("key")
        self.assertFirst(second)
        self.assertNotEqual(second.body, first.body)
        self.assertCharges(2)

    def test_a_replay_does_not_make_it_younger(self):
        first = self.pay("key")
        self.psp.advance("12h")
        self.assertReplay(self.pay("key"), first)
        self.psp.advance("12h")
        self.assertFirst(self.pay("key"))

    def test_after_24_hours_it_may_mean_another_request(self):
        self.pay("key")
        self.psp.advance("24h")
        other = "amount=999&currency=eur&source=tok_visa"
        first = self.pay("key", other, "/v1/charges")
        self.assertFirst(first)
        self.assertReplay(self.pay("key", other, "/v1/charges"), first)
        self.assertEqual(self.error(self.pay("key"), 400)["type"], "idempotency_error")

    def test_two_accounts_never_meet(self):
        first = self.pay("key")
        other = self.pay("key", account=self.account + "other")
        self.assertFirst(other)
        self.assertNotEqual(first.body, other.body)
        self.assertReplay(self.pay("key"), first)
        self.assertReplay(self.pay("key", account=self.account + "other"), other)

    def test_a_connected_account_is_an_account_of_its_own(self):
        first = self.pay("key")
        connected = [("Stripe-Account", "acct_1")]
        other = self.pay("key", headers=connected)
        self.assertFirst(other)
        self.assertReplay(self.pay("key", headers=connected), other)
        self.assertReplay(self.pay("key"), first)

    def test_bearer_and_basic_are_the_same_account(self):
        first = self.pay("key")
        basic = "Basic " + base64.b64encode((self.account + ":").encode()).decode()
        data = request("POST", "/v1/payment_intents", None, PAYMENT, "key",
                       [("Authorization", basic)])
        with self.psp.connect() as connection:
            self.assertReplay(connection.ask(data), first)


if __name__ == "__main__":
    main()
