"""Payments whose end comes later: bank accounts that settle on the provider's clock, one way or the
other, over a restart too, and customers who authenticate, or do not."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import Mockpsp, PspTest, main, new_account, wait_until  # noqa: E402

INTENTS = "/v1/payment_intents"
BANK = "amount=700&currency=usd&confirm=true&metadata[order_id]=order+7&payment_method=" \
       "pm_usBankAccount_"
ACTION = "amount=700&currency=usd&confirm=true&metadata[order_id]=order+7&payment_method=" \
         "pm_card_authenticationRequired"


class Later(PspTest):
    def create(self, path, params="", status=200):
        return self.json(self.pay(None, params, path), status)

    def shown(self, intent):
        return self.json(self.get(f"{INTENTS}/{intent['id']}"))

    def charge(self, intent):
        return self.json(self.get("/v1/charges/" + self.shown(intent)["latest_charge"]))

    def effects(self):
        return [entry for entry in self.psp.journal(self.account) if entry["kind"] == "effect"]

    def events(self):
        return [event["type"] for event in self.json(self.get("/v1/events"))["data"]][::-1]

    def complete(self, intent, outcome, status=200, account=None):
        return self.json(self.psp.ask("POST", f"/_mock/payment_intents/{intent['id']}/complete",
                                      account, f"outcome={outcome}"), status)


class Banks(Later):
    def test_one_that_pays(self):
        for method in ("success", "processing_success"):
            self.account = new_account()
            intent = self.create(INTENTS, BANK + method)
            self.assertEqual((intent["status"], intent["amount_received"],
                              intent["payment_method_types"]),
                             ("processing", 0, ["us_bank_account"]))
            charge = self.charge(intent)
            self.assertEqual((charge["status"], charge["paid"], charge["amount_captured"],
                              charge["balance_transaction"]), ("pending", False, 0, None))
            self.psp.advance("59s")
            self.assertEqual(self.shown(intent), intent)
            self.assertEqual(self.effects(), [])
            self.psp.advance("1s")
            paid = self.shown(intent)
            self.assertEqual((paid["status"], paid["amount_received"]), ("succeeded", 700))
            charge = self.charge(intent)
            self.assertEqual((charge["status"], charge["paid"], charge["captured"],
                              charge["amount_captured"]), ("succeeded", True, True, 700))
            self.assertEqual(charge["payment_method_details"]["type"], "us_bank_account")
            effect, = self.effects()
            self.assertNotIn("request", effect)
            self.assertEqual(effect["order"], "order 7")
            self.assertEqual(effect["data"], {"object": "charge", "id": charge["id"], "amount": 700,
                                              "currency": "usd", "payment_intent": intent["id"]})
            self.assertCharges(1)
            self.assertEqual(self.events(), ["payment_intent.created", "charge.pending",
                                             "payment_intent.processing", "charge.succeeded",
                                             "payment_intent.succeeded"])
            self.psp.advance("1h")
            self.assertEqual(len(self.effects()), 1)

    def test_one_that_does_not(self):
        for method, reason in (("processing_failure", "debit_not_authorized"),
                               ("accountClosed", "account_closed"),
                               ("insufficientFunds", "insufficient_funds")):
            intent = self.create(INTENTS, BANK + method)
            self.assertEqual(intent["status"], "processing")
            self.psp.advance("1m")
            failed = self.shown(intent)
            self.assertEqual((failed["status"], failed["amount_received"],
                              failed["payment_method"]), ("requires_payment_method", 0, None))
            self.assertEqual(failed["last_payment_error"]["decline_code"], reason)
            charge = self.charge(intent)
            self.assertEqual((charge["status"], charge["paid"], charge["captured"],
                              charge["failure_code"]), ("failed", False, False, reason))
            again = self.create(f"{INTENTS}/{intent['id']}/confirm", "payment_method=pm_card_visa")
            self.assertEqual((again["status"], again["last_payment_error"]), ("succeeded", None))
        self.assertCharges(3)

    def test_nothing_can_be_done_while_it_is_processing(self):
        intent = self.create(INTENTS, BANK + "success")
        for verb in ("confirm", "cancel", "capture"):
            error = self.create(f"{INTENTS}/{intent['id']}/{verb}", "", 400)["error"]
            self.assertEqual(error["code"], "payment_intent_unexpected_state")
        self.create("/v1/refunds", f"payment_intent={intent['id']}", 400)
        self.create("/v1/refunds", f"charge={intent['latest_charge']}", 400)

    def test_one_that_never_ends_until_somebody_says_so(self):
        for outcome, status in (("succeeded", "succeeded"), ("failed", "requires_payment_method")):
            intent = self.create(INTENTS, BANK + "processing")
            self.psp.advance("48h")
            self.assertEqual(self.shown(intent)["status"], "processing")
            self.assertEqual(self.complete(intent, outcome)["status"], status)
            self.assertEqual(self.shown(intent)["status"], status)
        self.assertCharges(1)

    def test_a_charge_without_an_intent(self):
        charge = self.create("/v1/charges", "amount=9&currency=usd&"
                                            "payment_method=pm_usBankAccount_success")
        self.assertEqual(charge["status"], "pending")
        self.assertCharges(0)
        self.psp.advance("1m")
        self.assertEqual(self.json(self.get("/v1/charges/" + charge["id"]))["status"], "succeeded")
        self.assertCharges(1)

    def test_the_plain_face(self):
        payment = self.create("/payments", "amount=700&currency=usd&operation_id=op-1&"
                                           "payment_method=pm_usBankAccount_success", 202)
        self.assertEqual(payment["status"], "PROCESSING")
        self.psp.advance("1m")
        found = self.json(self.get("/payments/operations/op-1"))
        self.assertEqual((found["id"], found["status"]), (payment["id"], "SUCCESS"))

    def test_not_in_two_steps(self):
        self.create(INTENTS, BANK + "success&capture_method=manual", 400)
        self.create("/v1/charges", "amount=9&currency=usd&capture=false&"
                                   "payment_method=pm_usBankAccount_success", 400)
        intent = self.create(INTENTS, "amount=9&currency=usd&capture_method=manual")
        self.create(f"{INTENTS}/{intent['id']}/confirm",
                    "payment_method=pm_usBankAccount_success", 400)


class Customers(Later):
    def test_who_authenticate(self):
        intent = self.create(INTENTS, ACTION)
        self.assertEqual(intent["status"], "requires_action")
        done = self.complete(intent, "succeeded", account=self.account)
        self.assertEqual((done["status"], done["amount_received"]), ("succeeded", 700))
        effect, = self.effects()
        self.assertNotIn("request", effect)
        self.assertEqual((effect["order"], effect["data"]["object"]), ("order 7", "charge"))
        self.assertCharges(1)
        self.complete(intent, "succeeded", 400)

    def test_who_do_not(self):
        intent = self.create(INTENTS, ACTION)
        failed = self.complete(intent, "failed")
        self.assertEqual((failed["status"], failed["last_payment_error"]["code"]),
                         ("requires_payment_method", "payment_intent_authentication_failure"))
        self.assertCharges(0)
        path = f"{INTENTS}/{intent['id']}/confirm"
        self.create(path, "payment_method=pm_card_authenticationRequired")
        self.assertEqual(self.complete(intent, "succeeded")["status"], "succeeded")
        self.assertCharges(1)

    def test_whose_money_is_only_set_aside(self):
        intent = self.create(INTENTS, ACTION + "&capture_method=manual")
        done = self.complete(intent, "succeeded")
        self.assertEqual((done["status"], done["amount_capturable"]), ("requires_capture", 700))
        self.assertCharges(0)

    def test_what_cannot_be_completed(self):
        intent = self.create(INTENTS, "amount=9&currency=usd")
        self.complete(intent, "succeeded", 400)
        self.complete({"id": "pi_1"}, "succeeded", 404)
        action = self.create(INTENTS, ACTION)
        self.complete(action, "succeeded", 404, account=new_account())
        for outcome in ("", "perhaps"):
            self.complete(action, outcome, 400)
        self.assertEqual(self.shown(action)["status"], "requires_action")


class Refunds(Later):
    def pay_and_refund(self, card, amount=900):
        charge = self.create("/v1/charges", f"amount=900&currency=usd&source=tok_{card}&"
                                            "metadata[order_id]=order+7")["id"]
        return charge, self.create("/v1/refunds", f"charge={charge}&amount={amount}")

    def refund(self, refund):
        return self.json(self.get("/v1/refunds/" + refund["id"]))

    def given_back(self, charge):
        return self.json(self.get("/v1/charges/" + charge))["amount_refunded"]

    def test_one_that_takes_its_time(self):
        charge, refund = self.pay_and_refund("pendingRefund")
        self.assertEqual((refund["status"], self.given_back(charge)), ("pending", 900))
        self.psp.advance("1m")
        self.assertEqual(self.refund(refund)["status"], "succeeded")
        error = self.create(f"/v1/refunds/{refund['id']}/cancel", "", 400)["error"]
        self.assertEqual(error["type"], "invalid_request_error")
        self.assertEqual(self.given_back(charge), 900)
        self.assertCharges(1)

    def test_one_that_is_canceled(self):
        charge, refund = self.pay_and_refund("pendingRefund", 400)
        gone = self.create(f"/v1/refunds/{refund['id']}/cancel")
        self.assertEqual(gone["status"], "canceled")
        self.assertTrue(gone["failure_balance_transaction"])
        self.assertEqual(self.given_back(charge), 0)
        self.psp.advance("1h")
        self.assertEqual(self.refund(refund), gone)
        self.create(f"/v1/refunds/{refund['id']}/cancel", "", 400)
        effect = self.effects()[-1]
        self.assertEqual((effect["data"]["object"], effect["data"]["charge"],
                          effect["data"]["amount"], effect["order"]),
                         ("refund_reversal", charge, 400, "order 7"))
        self.assertEqual(self.create("/v1/refunds", f"charge={charge}")["amount"], 900)
        self.assertCharges(1)

    def test_one_that_comes_back(self):
        charge, refund = self.pay_and_refund("refundFail")
        self.assertEqual(refund["status"], "succeeded")
        self.psp.advance("1m")
        failed = self.refund(refund)
        self.assertEqual((failed["status"], failed["failure_reason"]),
                         ("failed", "expired_or_canceled_card"))
        self.assertEqual(self.given_back(charge), 0)
        self.assertEqual(self.events()[-2:], ["refund.failed", "refund.updated"])
        self.assertNotIn("request", self.effects()[-1])
        self.assertCharges(1)

    def test_one_that_is_done_or_is_not_there(self):
        _, refund = self.pay_and_refund("visa")
        self.create(f"/v1/refunds/{refund['id']}/cancel", "", 400)
        self.create("/v1/refunds/re_1/cancel", "", 404)


class Restarts(unittest.TestCase):
    def start(self, clock):
        psp = Mockpsp("--quiet", "--clock", clock, "--db", "psp.db")
        self.addCleanup(psp.clean)
        return psp

    def status(self, psp, intent):
        return json.loads(psp.ask("GET", f"{INTENTS}/{intent}", "sk_test_a").body)["status"]

    def test_it_settles_once_whatever_dies_in_between(self):
        psp = self.start("manual")
        intents = []
        for _ in range(5):
            intents.append(json.loads(psp.ask("POST", INTENTS, "sk_test_a", BANK + "success").body)
                           ["id"])
            psp.kill()
            psp.restart()
        self.assertEqual({self.status(psp, intent) for intent in intents}, {"processing"})
        psp.advance("1m")
        psp.kill()
        psp.restart()
        self.assertEqual({self.status(psp, intent) for intent in intents}, {"succeeded"})
        self.assertEqual(len(psp.charges("sk_test_a")), 5)
        charges = [entry["data"]["id"] for entry in psp.journal("sk_test_a")
                   if entry["kind"] == "effect"]
        self.assertEqual((len(charges), len(set(charges))), (5, 5))

    def test_a_clock_that_goes_by_itself(self):
        psp = self.start("real")
        first, second = [json.loads(psp.ask("POST", INTENTS, "sk_test_a", BANK + "success").body)
                         ["id"] for _ in range(2)]
        psp.advance("59900ms")
        wait_until(lambda: self.status(psp, first) == "succeeded", "it settles by a timer")
        wait_until(lambda: self.status(psp, second) == "succeeded", "it settles by a timer")
        third = json.loads(psp.ask("POST", INTENTS, "sk_test_a", BANK + "success").body)["id"]
        psp.advance("59900ms")
        psp.kill()
        psp.restart()
        wait_until(lambda: self.status(psp, third) == "succeeded", "it settles after the restart")
        self.assertEqual(len(psp.charges("sk_test_a")), 3)


del Later  # has no tests of its own


if __name__ == "__main__":
    main()
