"""The foreign faces beyond what ../../shared/captures sends: what became of it, exact amounts, how a
payment is found again, where the key may be, what is refused. The money is checked in the books."""
import base64
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import raw_http  # noqa: E402
from mockpsp_process import PspTest, main  # noqa: E402

MOLLIE = "/v2/payments"
YOOKASSA = "/v3/payments"


def mollie(value="20.00", currency="EUR", **more):
    return {"amount": {"value": value, "currency": currency}, "description": "order_1", **more}


class Foreign(PspTest):
    def setUp(self):
        super().setUp()
        self.psp.control("PUT", "dialect", {"name": "stripe"})

    def send(self, path, body, headers=None):
        """As the account; or with HEADERS that say who it is, in place of that."""
        payload = json.dumps(body).encode()
        account = self.account if headers is None else None
        head = raw_http.request("POST", path, account, headers=[
            ("Content-Type", "application/json"), ("Content-Length", str(len(payload))),
            *(headers or ())])
        with self.psp.connect() as connection:
            return connection.ask(head + payload)

    def refused(self, answer, code, field):
        said = self.json(answer, 400)
        self.assertEqual((said["code"], said.get("field")), (code, field), said)
        self.assertCharges(0)

    def charge(self):
        charges = self.psp.charges(self.account)
        self.assertEqual(len(charges), 1)
        return charges[0]

    def test_decimals_are_exact_in_every_currency(self):
        for value, currency, minor, shown in (
                ("0.01", "EUR", 1, "0.01"), ("19.99", "USD", 1999, "19.99"),
                ("20", "EUR", 2000, "20.00"), ("20.5", "EUR", 2050, "20.50"),
                ("500", "JPY", 500, "500"), ("1.234", "KWD", 1234, "1.234"),
                ("999999.99", "EUR", 99999999, "999999.99"), ("4.35", "usd", 435, "4.35")):
            with self.subTest(value=value, currency=currency):
                self.setUp()
                said = self.json(self.send(MOLLIE, mollie(value, currency)), 201)
                self.assertEqual(said["amount"],
                                 {"value": shown, "currency": currency.upper()})
                charge = self.charge()
                self.assertEqual((charge["amount"], charge["currency"]), (minor, currency.lower()))

    def test_amounts_that_are_none_are_refused(self):
        for value, currency in (("20.001", "EUR"), ("500.00", "JPY"), ("1000000.00", "EUR"),
                                ("99999999999999999999999", "EUR"), ("0.00", "EUR"), ("-1.00", "EUR"),
                                ("1e3", "EUR"), ("1,00", "EUR"), ("20.", "EUR"), (".5", "EUR"),
                                ("", "EUR"), (" 1", "EUR")):
            with self.subTest(value=value, currency=currency):
                self.refused(self.send(MOLLIE, mollie(value, currency)), "parameter_invalid",
                             "amount[value]")
        self.refused(self.send(MOLLIE, mollie(currency="QQQ")), "parameter_invalid",
                     "amount[currency]")
        self.refused(self.send(MOLLIE, {"amount": {"currency": "EUR"}}), "parameter_missing",
                     "amount[value]")
        self.refused(self.send("/v2/checkout/orders", {"intent": "CAPTURE"}), "parameter_missing",
                     "purchase_units[0][amount][currency_code]")
        self.refused(self.send("/v1/orders", {"amount": 20.5, "currency": "INR"}),
                     "parameter_invalid", "amount")

    def test_a_number_of_json_is_exact_too(self):
        said = self.json(self.send("/v1/payments", {"transaction_amount": 4.35}), 201)
        self.assertEqual(said["transaction_amount"], 4.35)
        self.assertEqual(self.charge()["amount"], 435)

    def test_what_was_made_is_found_by_its_id_where_it_was_made(self):
        for path, body in ((MOLLIE, mollie()),
                           (YOOKASSA, mollie(capture=True)),
                           ("/v1/payments", {"transaction_amount": 20}),
                           ("/v1/orders", {"amount": 2000, "currency": "INR"}),
                           ("/v2/checkout/orders", {"intent": "CAPTURE", "purchase_units": [
                               {"amount": {"currency_code": "JPY", "value": "2000"}}]}),
                           ("/payments", {"source": {"type": "token", "token": "tok_x"},
                                          "amount": 2000, "currency": "USD"})):
            with self.subTest(path=path):
                made = json.loads(self.send(path, body).body)
                self.assertEqual(self.json(self.get(f"{path}/{made['id']}")), made)
                other = MOLLIE if path != MOLLIE else YOOKASSA
                missing = self.json(self.get(f"{other}/{made['id']}"), 404)
                self.assertEqual(missing["code"], "resource_missing")
                self.json(self.get(f"{path}/{made['id']}", account="sk_test_somebody_else"), 404)
                self.json(self.get(path + "/none"), 404)

    def test_a_refusal_of_the_issuer_is_said_as_it_is_there(self):
        number = {"number": "4000000000009995"}
        for path, body, status, word in (
                ("/v71/payments", {"amount": {"value": 1, "currency": "EUR"},
                                   "paymentMethod": {"type": "scheme", **number}}, 200,
                 ("resultCode", "Refused")),
                (YOOKASSA, mollie(capture=True, payment_method_data={"card": number}), 200,
                 ("status", "canceled")),
                ("/payments", {"source": {"type": "card", **number}, "amount": 1,
                               "currency": "USD"}, 201, ("status", "Declined")),
                (MOLLIE, mollie(cardToken="tok_chargeDeclined"), 201, ("status", "failed"))):
            with self.subTest(path=path):
                said = self.json(self.send(path, body), status)
                self.assertEqual(said[word[0]], word[1])
        said = self.json(self.send(MOLLIE, {"source_id": "cnon:card-nonce-declined",
                                            "amount_money": {"amount": 1, "currency": "USD"}}), 402)
        self.assertEqual(said["payment"]["status"], "FAILED")
        self.assertCharges(0)

    def test_a_fault_may_say_no_as_well(self):
        self.psp.faults(("received", {"kind": "decline", "code": "insufficient_funds"}),
                        account=self.account)
        self.assertEqual(self.json(self.send(MOLLIE, mollie()), 201)["status"], "failed")
        self.assertCharges(0)

    def test_money_that_takes_its_time(self):
        body = {"payments": {"amount": "2000", "currency": "GBP",
                             "links": {"mandate": "pm_usBankAccount_success"}}}
        made = self.json(self.send("/payments", body), 201)["payments"]
        self.assertEqual(made["status"], "pending_submission")
        self.assertCharges(0)
        self.psp.advance("2m")
        now = self.json(self.get("/payments/" + made["id"]))["payments"]
        self.assertEqual(now["status"], "confirmed")
        self.assertCharges(1)

    def test_a_number_that_is_no_test_card_is_refused_and_not_kept(self):
        number = "4111111111111111"
        answer = self.send("/v71/payments", {"amount": {"value": 1, "currency": "EUR"},
                                             "paymentMethod": {"number": number}})
        self.refused(answer, "resource_missing", "paymentMethod[number]")
        self.assertNotIn(number, json.dumps(self.psp.journal(self.account)))

    def test_a_replay_of_the_latest_state_is_in_the_same_words(self):
        self.psp.control("PUT", "dialect", json.dumps(
            {"carrier": "field", "key": "once", "replay": "latest"}))
        body = mollie(cardToken="pm_usBankAccount_success", once="key")
        first = self.json(self.send(MOLLIE, body), 201)
        self.assertEqual(first["status"], "pending")
        self.psp.advance("2m")
        self.assertEqual(self.json(self.send(MOLLIE, body), 201), {**first, "status": "paid"})
        self.assertCharges(1)

    def test_a_key_is_required_where_it_is_there(self):
        self.psp.control("PUT", "dialect", {"name": "yookassa"})
        self.assertIn("Idempotence-Key",
                      self.json(self.send(YOOKASSA, mollie(capture=True)), 400)["message"])
        self.assertCharges(0)

    def test_any_text_may_be_a_reference(self):
        for text in ('a, "b": $id \\', "ü,{", "$"):
            said = self.json(self.send("/v71/payments", {
                "amount": {"value": 1, "currency": "EUR"}, "reference": text}), 200)
            self.assertEqual(said["merchantReference"], text)

    def test_what_has_no_value_is_left_out(self):
        said = self.json(self.send("/v71/payments", {"amount": {"value": 1, "currency": "EUR"}}))
        self.assertEqual(set(said), {"pspReference", "resultCode", "amount"})

    def test_a_reset_forgets_it(self):
        made = self.json(self.send(MOLLIE, mollie()), 201)
        self.psp.control("POST", "reset", None, self.account)
        self.json(self.get(f"{MOLLIE}/{made['id']}"), 404)

    def test_two_steps_are_refused(self):
        for path, body, field in (
                (YOOKASSA, mollie(capture=False), "capture"), (YOOKASSA, mollie(), "capture"),
                (MOLLIE, mollie(captureMode="manual"), "captureMode"),
                (MOLLIE, {"autocomplete": False, "amount_money": {"amount": 1, "currency": "USD"}},
                 "autocomplete")):
            with self.subTest(path=path, field=field):
                self.refused(self.send(path, body), "parameter_invalid", field)

    def test_the_key_may_be_where_their_libraries_put_it(self):
        def basic(user, password):
            text = base64.b64encode(f"{user}:{password}".encode()).decode()
            return [("Authorization", "Basic " + text)]
        for headers in (basic("54401", self.account), basic(self.account, "x"),
                        [("X-API-Key", self.account)], [("Authorization", "Bearer " + self.account)]):
            self.json(self.send(MOLLIE, mollie(), headers), 201)
        self.assertCharges(4)
        for headers in ([("X-API-Key", "k")], basic("a", "b"), []):
            self.assertEqual(self.json(self.send(MOLLIE, mollie(), headers), 401)["code"],
                             "unauthorized")
        live = "sk_" + "live_abc"
        for headers in ([("X-API-Key", live)], basic("54401", live), basic(live, self.account)):
            self.json(self.send(MOLLIE, mollie(), headers), 401)
        # Elsewhere they mean nothing.
        self.json(self.psp.ask("GET", "/v1/charges", None, None, None,
                               [("X-API-Key", self.account)]), 401)

    def test_the_journal_knows_order_and_money(self):
        made = self.json(self.send(MOLLIE, mollie()), 201)
        self.get(f"{MOLLIE}/{made['id']}")
        entries = self.psp.journal(self.account)
        invoked = [entry for entry in entries if entry["kind"] == "invoke"]
        self.assertEqual([entry["order"] for entry in invoked], ["order_1", "order_1"])
        seen = invoked[0]["data"]
        self.assertEqual((seen["amount"], seen["currency"], seen["pays"]), (2000, "eur", True))
        self.assertEqual([entry["order"] for entry in entries if entry["kind"] == "effect"],
                         ["order_1"])

    def test_the_plain_face_stays_what_it_was(self):
        body = {"amount": 5, "currency": "eur", "operation_id": "op",
                "source": {"type": "card", "number": "4242424242424242"}}
        self.assertEqual(self.json(self.send("/payments", body), 201)["status"], "SUCCESS")
        self.assertEqual(self.send("/payments", body).status, 409)
        self.assertCharges(1)


if __name__ == "__main__":
    main()
