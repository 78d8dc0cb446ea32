"""Braintree's face, read by Braintree's own library for Python (Debian's python3-braintree, not a line
of it changed), which sends and reads XML; and what no library sends, by hand."""
import decimal
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import raw_http  # noqa: E402
from mockpsp_process import PspTest, main  # noqa: E402

try:
    import braintree
    from braintree.exceptions.authentication_error import AuthenticationError
    from braintree.exceptions.not_found_error import NotFoundError
    from braintree.exceptions.server_error import ServerError
    from braintree.exceptions.too_many_requests_error import TooManyRequestsError
except ImportError:
    print("skipped: no python3-braintree")
    sys.exit(77)

TRANSACTIONS = "/merchants/m/transactions"
XML = "application/xml; charset=utf-8"
CODES = braintree.ErrorCodes.Transaction


class Library(PspTest):
    def setUp(self):
        super().setUp()
        self.gateway = self.gateway_of(self.account)

    def gateway_of(self, private_key):
        where = braintree.Environment("mockpsp", "127.0.0.1", str(self.psp.port), "", False, None, "",
                                      "")
        return braintree.BraintreeGateway(braintree.Configuration(where, "m", "public", private_key))

    def sale(self, **more):
        return self.gateway.transaction.sale({
            "amount": "12.34", "payment_method_nonce": "fake-valid-nonce", "order_id": "order_1",
            "options": {"submit_for_settlement": True}, **more})

    def test_a_sale_is_charged(self):
        result = self.sale(amount=decimal.Decimal("12.34"), order_id="<ä> & \"1\"")
        self.assertTrue(result.is_success)
        made = result.transaction
        self.assertEqual((made.status, made.type, made.amount, made.currency_iso_code),
                         (braintree.Transaction.Status.SubmittedForSettlement, "sale",
                          decimal.Decimal("12.34"), "USD"))
        self.assertEqual((made.processor_response_code, made.processor_response_text),
                         ("1000", "Approved"))
        self.assertEqual(made.order_id, "<ä> & \"1\"")
        self.assertGreater(made.created_at.year, 2000)
        charge, = self.psp.charges(self.account)
        self.assertEqual((charge["amount"], charge["currency"]), (1234, "usd"))
        found = self.gateway.transaction.find(made.id)
        self.assertEqual((found.id, found.amount, found.created_at),
                         (made.id, made.amount, made.created_at))
        answered = [entry["data"] for entry in self.psp.journal(self.account)
                    if entry["kind"] == "ok"]
        self.assertEqual([data["id"] for data in answered], [made.id, made.id])

    def test_a_decline_is_told_with_the_transaction(self):
        for nonce, code in (("fake-processor-declined-visa-nonce", "2000"),
                            ("tok_chargeDeclinedInsufficientFunds", "2001"),
                            ("tok_chargeDeclinedExpiredCard", "2004")):
            with self.subTest(nonce=nonce):
                result = self.sale(payment_method_nonce=nonce)
                self.assertFalse(result.is_success)
                self.assertEqual(len(result.errors), 0)
                self.assertEqual(result.transaction.status,
                                 braintree.Transaction.Status.ProcessorDeclined)
                self.assertEqual(result.transaction.processor_response_code, code)
                self.assertEqual(result.message, result.transaction.processor_response_text)
                found = self.gateway.transaction.find(result.transaction.id)
                self.assertEqual(found.processor_response_code, code)
        self.assertCharges(0)

    def test_what_is_wrong_is_named(self):
        for more, attribute, code in (
                ({"amount": "12.345"}, "amount", CODES.AmountIsInvalid),
                ({"amount": "1e2"}, "amount", CODES.AmountIsInvalid),
                ({"amount": ""}, "amount", CODES.AmountIsInvalid),
                ({"amount": "99999999999999999999"}, "amount", CODES.AmountIsInvalid),
                ({"options": {"submit_for_settlement": False}}, "submit_for_settlement",
                 "parameter_invalid"),
                ({"options": {}}, "submit_for_settlement", "parameter_invalid")):
            with self.subTest(more=more):
                result = self.sale(**more)
                self.assertFalse(result.is_success)
                error, = result.errors.for_object("transaction").on(attribute)
                self.assertEqual((error.code, error.message), (code, result.message))
                self.assertIsNone(result.transaction)
        result = self.gateway.transaction.create({
            "type": "credit", "amount": "1.00", "payment_method_nonce": "fake-valid-nonce",
            "options": {"submit_for_settlement": True}})
        self.assertEqual(result.errors.deep_errors[0].code, CODES.TypeIsInvalid)
        self.assertCharges(0)

    def test_exceptions_are_those_of_the_library(self):
        with self.assertRaises(NotFoundError):
            self.gateway.transaction.find("none")
        with self.assertRaises(AuthenticationError):
            self.gateway_of("private").transaction.find("none")
        with self.assertRaises(AuthenticationError):
            self.gateway_of("sk_" + "live_1").transaction.find("none")
        for status, expected in ((500, ServerError), (429, TooManyRequestsError)):
            self.psp.faults(("received", {"kind": "respond", "status": status}), account=self.account)
            with self.assertRaises(expected):
                self.sale()
        self.assertCharges(0)

    def test_a_lost_answer_and_another_try_charge_twice(self):
        """There is no idempotency key at Braintree: its duplicate checking goes by the clock."""
        self.psp.faults({"on": "POST *", "nth": 1, "at": "after_commit", "act": {"kind": "drop"}},
                        account=self.account)
        with self.assertRaises(Exception):
            self.sale()
        self.assertTrue(self.sale().is_success)
        self.assertCharges(2)


class ByHand(PspTest):
    def send(self, body, media_type="application/xml", headers=()):
        payload = body if isinstance(body, bytes) else body.encode()
        head = raw_http.request("POST", TRANSACTIONS, self.account, headers=[
            ("Content-Type", media_type), ("Content-Length", str(len(payload))), *headers])
        with self.psp.connect() as connection:
            return connection.ask(head + payload)

    def sale(self, inner="", amount="1.00"):
        return (f"<transaction><amount>{amount}</amount><type>sale</type>{inner}<options>"
                "<submit-for-settlement>true</submit-for-settlement></options></transaction>")

    def refused(self, body, says, status=422):
        answer = self.send(body)
        self.assertEqual(answer.status, status, answer.body)
        self.assertEqual(answer.header("content-type"), XML)
        self.assertIn(says, answer.body.decode())
        self.assertCharges(0)

    def test_dashes_and_underscores_are_the_same(self):
        self.assertEqual(self.send(self.sale("<order-id>o</order-id>")).status, 201)
        self.assertEqual(self.send(self.sale("<order_id>o</order_id>"), "text/xml").status, 201)
        self.assertEqual({entry["order"] for entry in self.psp.journal(self.account)
                          if entry["kind"] == "effect"}, {"o"})

    def test_documents_that_are_none_are_refused(self):
        self.refused("<transaction>", "Invalid XML: no element found")
        self.refused("amount=1", "Invalid XML")
        self.refused("<a>" * 17 + "</a>" * 17, "nest too deep")
        self.refused("<a><b><c><d><e><f><g>1</g></f></e></d></c></b></a>", "may nest 5 deep")
        self.refused("<a>" + "<b type='array'>" + "<c/>" * 1001 + "</b></a>", "More than 1000")
        self.refused('<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>'
                     "<transaction><amount>&c;</amount></transaction>", "document types")
        self.refused("<x/>", "Missing required param: transaction[amount]")

    def test_a_live_key_cannot_hide_in_it(self):
        hidden = "&#115;k_" + "live_abc"
        answer = self.send(self.sale(f"<order-id>{hidden}</order-id>"))
        self.assertEqual(answer.status, 401)
        self.assertNotIn("live_abc", str(self.psp.journal(self.account)))
        self.assertCharges(0)

    def test_a_key_replays_it_in_xml(self):
        key = [("Idempotency-Key", "k")]
        first = self.send(self.sale(), headers=key)
        again = self.send(self.sale(), headers=key)
        self.assertReplay(again, first)
        self.assertIn(b"<status>submitted_for_settlement</status>", again.body)
        self.assertCharges(1)

    def test_a_fault_says_what_it_wants(self):
        for body, media_type, sent in (
                ('{"transaction":{"id":"x"}}', XML, b"<id>x</id>"), ("<html>", XML, b"<html>"),
                ("oops", "application/json", b"oops")):
            self.psp.faults(("received", {"kind": "respond", "status": 201, "body": body}),
                            account=self.account)
            answer = self.send(self.sale())
            self.assertIn(sent, answer.body)
            self.assertEqual(answer.header("content-type"), media_type)


if __name__ == "__main__":
    main()
