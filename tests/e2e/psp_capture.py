"""Payments in two steps: what is authorized moves no money; what is captured does, once, all of it or a
part; what is canceled never will."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, PspTest, main  # noqa: E402

MANUAL = PAYMENT + [("capture_method", "manual")]
INTENTS = "/v1/payment_intents"


class Steps(PspTest):
    def create(self, path, params="", status=200, key=None):
        return self.json(self.pay(key, params, path), status)

    def refused(self, path, params, code, param=None):
        error = self.create(path, params, 400)["error"]
        self.assertEqual((error.get("code"), error.get("param")), (code, param))
        return error

    def effects(self):
        return [entry for entry in self.psp.journal(self.account) if entry["kind"] == "effect"]


class Intents(Steps):
    def authorize(self, params=()):
        intent = self.create(INTENTS, MANUAL + list(params))
        self.assertEqual((intent["status"], intent["capture_method"]),
                         ("requires_capture", "manual"))
        self.assertEqual((intent["amount_capturable"], intent["amount_received"]), (2000, 0))
        return intent, f"{INTENTS}/{intent['id']}"

    def charge(self, intent):
        return self.json(self.get("/v1/charges/" + intent["latest_charge"]))

    def test_all_of_it(self):
        intent, path = self.authorize([("metadata[order_id]", "order 7")])
        charge = self.charge(intent)
        self.assertEqual((charge["status"], charge["paid"], charge["captured"],
                          charge["amount_captured"], charge["balance_transaction"]),
                         ("succeeded", True, False, 0, None))
        self.assertEqual(self.effects(), [])
        self.assertCharges(0)
        done = self.create(path + "/capture")
        self.assertEqual((done["status"], done["amount_capturable"], done["amount_received"]),
                         ("succeeded", 0, 2000))
        charge = self.charge(intent)
        self.assertEqual((charge["captured"], charge["amount_captured"], charge["refunded"]),
                         (True, 2000, False))
        self.assertTrue(charge["balance_transaction"])
        effect, = self.effects()
        self.assertEqual(effect["data"], {"object": "capture", "id": charge["id"], "amount": 2000,
                                          "currency": "usd", "payment_intent": intent["id"],
                                          "charge": charge["id"]})
        self.assertEqual(effect["order"], "order 7")  # though the capture did not name it
        self.assertCharges(1)

    def test_a_part(self):
        intent, path = self.authorize()
        self.refused(path + "/capture", "amount_to_capture=2001", "amount_too_large",
                     "amount_to_capture")
        for amount in ("0", "-1", "x"):
            self.refused(path + "/capture", f"amount_to_capture={amount}",
                         "parameter_invalid_integer", "amount_to_capture")
        done = self.create(path + "/capture", "amount_to_capture=1500")
        self.assertEqual((done["status"], done["amount"], done["amount_received"]),
                         ("succeeded", 2000, 1500))
        charge = self.charge(intent)
        self.assertEqual((charge["amount"], charge["amount_captured"], charge["amount_refunded"],
                          charge["refunded"]), (2000, 1500, 500, False))
        self.refused("/v1/refunds", f"charge={charge['id']}&amount=1501", None, "amount")
        refund = self.create("/v1/refunds", f"payment_intent={intent['id']}")
        self.assertEqual(refund["amount"], 1500)
        self.assertTrue(self.charge(intent)["refunded"])
        self.assertCharges(1)

    def test_once(self):
        _, path = self.authorize()
        first = self.pay("key", "", path + "/capture")
        self.assertFirst(first)
        self.assertReplay(self.pay("key", "", path + "/capture"), first)
        error = self.refused(path + "/capture", "", "payment_intent_unexpected_state")
        self.assertEqual(error["payment_intent"]["status"], "succeeded")
        self.assertEqual(len(self.effects()), 1)

    def test_what_was_not_authorized(self):
        for params in (PAYMENT, "amount=1&currency=usd", "amount=1&currency=usd&"
                       "capture_method=manual&payment_method=pm_card_visa"):
            path = f"{INTENTS}/{self.create(INTENTS, params)['id']}/capture"
            self.refused(path, "", "payment_intent_unexpected_state")
        self.assertEqual(self.pay(None, "", INTENTS + "/pi_1/capture").status, 404)
        self.create(INTENTS, "amount=1&currency=usd&capture_method=never", 400)

    def test_canceled(self):
        intent, path = self.authorize()
        self.refused(path + "/cancel", "cancellation_reason=bored", None, "cancellation_reason")
        gone = self.create(path + "/cancel", "cancellation_reason=abandoned")
        self.assertEqual((gone["status"], gone["cancellation_reason"], gone["amount_capturable"],
                          gone["amount_received"]), ("canceled", "abandoned", 0, 0))
        self.assertEqual(gone["canceled_at"], gone["created"])
        charge = self.charge(intent)
        self.assertEqual((charge["captured"], charge["amount_captured"], charge["refunded"],
                          charge["amount_refunded"]), (False, 0, True, 2000))
        self.refused(path + "/capture", "", "payment_intent_unexpected_state")
        self.assertEqual(self.pay(None, f"charge={charge['id']}", "/v1/refunds").status, 400)
        self.assertEqual(self.effects(), [])
        self.assertCharges(0)

    def test_declined(self):
        error = self.create(INTENTS, [("payment_method", "pm_card_chargeDeclined")] + [
            pair for pair in MANUAL if pair[0] != "payment_method"], 402)["error"]
        self.assertEqual(error["payment_intent"]["status"], "requires_payment_method")

    def test_nobody_there_to_authenticate(self):
        params = "amount=1&currency=usd&confirm=true&payment_method=pm_card_authenticationRequired"
        for how in ("off_session=true", "error_on_requires_action=true", "off_session=recurring"):
            error = self.create(INTENTS, params + "&" + how, 402)["error"]
            self.assertEqual(error["decline_code"], "authentication_required")


class Charges(Steps):
    def authorize(self):
        charge = self.create("/v1/charges", "amount=900&currency=usd&source=tok_visa&capture=false")
        self.assertEqual((charge["status"], charge["captured"], charge["amount_captured"]),
                         ("succeeded", False, 0))
        return f"/v1/charges/{charge['id']}/capture"

    def test_capture(self):
        path = self.authorize()
        self.assertCharges(0)
        done = self.create(path)
        self.assertEqual((done["captured"], done["amount_captured"]), (True, 900))
        self.refused(path, "", "charge_already_captured")
        self.assertEqual([effect["data"]["object"] for effect in self.effects()], ["capture"])
        self.assertCharges(1)

    def test_a_part(self):
        path = self.authorize()
        self.refused(path, "amount=901", "amount_too_large", "amount")
        self.refused(path, "amuont=1", "parameter_unknown", "amuont")
        self.assertEqual(self.create(path, "amount=1")["amount_captured"], 1)

    def test_what_cannot_be_captured(self):
        self.assertEqual(self.pay(None, "", "/v1/charges/ch_1/capture").status, 404)
        paid = self.create("/v1/charges", "amount=900&currency=usd")["id"]
        self.refused(f"/v1/charges/{paid}/capture", "", "charge_already_captured")
        error = self.create("/v1/charges", "amount=9&currency=usd&source=tok_chargeDeclined", 402)
        self.refused(f"/v1/charges/{error['error']['charge']}/capture", "", None)
        intent = self.create(INTENTS, MANUAL)
        self.refused(f"/v1/charges/{intent['latest_charge']}/capture", "", None)
        self.assertCharges(1)

    def test_a_refund_releases_what_was_not_captured(self):
        path = self.authorize()
        charge = path.split("/")[3]
        self.refused("/v1/refunds", f"charge={charge}&amount=899", None)
        refund = self.create("/v1/refunds", f"charge={charge}")
        self.assertEqual((refund["amount"], refund["status"], refund["balance_transaction"]),
                         (900, "succeeded", None))
        shown = self.json(self.get(f"/v1/charges/{charge}"))
        self.assertEqual((shown["captured"], shown["refunded"], shown["amount_refunded"]),
                         (False, True, 900))
        self.refused(path, "", None)
        self.refused("/v1/refunds", f"charge={charge}", None)
        self.assertEqual(self.effects(), [])
        self.assertCharges(0)


class Forgotten(Steps):
    """Nobody captures for seven days."""

    def test_an_authorization_ends(self):
        intent = self.create(INTENTS, MANUAL)
        charge = self.create("/v1/charges", "amount=9&currency=usd&capture=false")["id"]
        captured = self.create(INTENTS, MANUAL)["id"]
        self.create(f"{INTENTS}/{captured}/capture")
        self.psp.advance("167h")
        self.assertEqual(self.json(self.get(f"{INTENTS}/{intent['id']}")), intent)
        self.psp.advance("1h")
        gone = self.json(self.get(f"{INTENTS}/{intent['id']}"))
        self.assertEqual((gone["status"], gone["cancellation_reason"], gone["amount_capturable"]),
                         ("canceled", "automatic", 0))
        self.assertTrue(gone["canceled_at"] > gone["created"])
        self.refused(f"{INTENTS}/{intent['id']}/capture", "", "payment_intent_unexpected_state")
        self.assertTrue(self.json(self.get(f"/v1/charges/{charge}"))["refunded"])
        self.assertEqual(self.json(self.get(f"{INTENTS}/{captured}"))["status"], "succeeded")
        self.assertCharges(1)


del Steps  # has no tests of its own


if __name__ == "__main__":
    main()
