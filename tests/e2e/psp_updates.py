"""Changing what is there: PaymentIntents while nothing is on its way, charges and refunds in what is not
money, metadata merged key by key."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, PspTest, main  # noqa: E402

INTENTS = "/v1/payment_intents"


class Updates(PspTest):
    def create(self, path, params="", status=200, key=None):
        return self.json(self.pay(key, params, path), status)

    def refused(self, path, params, status, code, param=None):
        error = self.create(path, params, status)["error"]
        self.assertEqual((error.get("code"), error.get("param")), (code, param))

    def merges(self, path):
        """metadata as on every object: added, changed, unset, all unset."""
        for params, wanted in (("metadata[a]=1&metadata[b]=2", {"a": "1", "b": "2"}),
                               ("metadata[b]=3&metadata[c]=4", {"a": "1", "b": "3", "c": "4"}),
                               ("metadata[a]=", {"b": "3", "c": "4"}), ("", {"b": "3", "c": "4"}),
                               ("metadata=", {}), ("metadata[d]=5", {"d": "5"})):
            self.assertEqual(self.create(path, params)["metadata"], wanted)
            self.assertEqual(self.json(self.get(path))["metadata"], wanted)
        self.refused(path, [("metadata[" + "k" * 41 + "]", "v")], 400, None, "metadata")
        self.refused(path, "amuont=1", 400, "parameter_unknown", "amuont")


class Intents(Updates):
    def test_what_can_change_before_it_is_confirmed(self):
        customer = self.create("/v1/customers", "name=n")["id"]
        intent = self.create(INTENTS, "amount=1000&currency=usd&description=d")
        path = f"{INTENTS}/{intent['id']}"
        changed = self.create(path, f"amount=1200&currency=EUR&customer={customer}&description="
                                    "&receipt_email=a@example.com&expand[]=customer")
        self.assertEqual((changed["amount"], changed["currency"], changed["customer"]["id"],
                          changed["description"], changed["receipt_email"], changed["status"]),
                         (1200, "eur", customer, None, "a@example.com", "requires_payment_method"))
        ready = self.create(path, "payment_method=pm_card_visa")
        self.assertEqual((ready["status"], ready["payment_method"]),
                         ("requires_confirmation", "pm_card_visa"))
        paid = self.create(path + "/confirm")
        self.assertEqual((paid["status"], paid["amount_received"], paid["currency"]),
                         ("succeeded", 1200, "eur"))
        charge = self.json(self.get("/v1/charges/" + paid["latest_charge"]))
        self.assertEqual((charge["receipt_email"], charge["customer"]), ("a@example.com", customer))
        self.assertCharges(1)

    def test_what_can_change_afterwards(self):
        intent = self.create(INTENTS, PAYMENT)
        path = f"{INTENTS}/{intent['id']}"
        for params in ("amount=1", "currency=eur", "payment_method=pm_card_visa",
                       "capture_method=manual", "amount=2000&description=x"):
            error = self.create(path, params, 400)["error"]
            self.assertEqual(error["code"], "payment_intent_unexpected_state")
        self.assertIsNone(self.json(self.get(path))["description"])
        self.assertEqual(self.create(path, "description=x")["description"], "x")
        self.assertEqual(self.create(path, "")["amount"], 2000)

    def test_what_is_only_shown_again(self):
        given = ("amount=1000&currency=usd&shipping[name]=A&shipping[address][line1]=x&"
                 "statement_descriptor=SHOP&statement_descriptor_suffix=1")
        intent = self.create(INTENTS, given + "&automatic_payment_methods[enabled]=true")
        self.assertEqual((intent["shipping"], intent["statement_descriptor"],
                          intent["statement_descriptor_suffix"], intent["automatic_payment_methods"]),
                         ({"name": "A", "address": {"line1": "x"}}, "SHOP", "1",
                          {"allow_redirects": "always", "enabled": True}))
        path = f"{INTENTS}/{intent['id']}"
        changed = self.create(path, "shipping[phone]=1&statement_descriptor=")
        self.assertEqual((changed["shipping"], changed["statement_descriptor"]),
                         ({"name": "A", "address": {"line1": "x"}, "phone": "1"}, None))
        paid = self.create(path + "/confirm", "payment_method=pm_card_visa&shipping=")
        self.assertEqual((paid["shipping"], paid["statement_descriptor_suffix"]), (None, "1"))
        self.assertEqual(self.json(self.get(path)), paid)
        plain = self.create(INTENTS, "amount=1000&currency=usd")
        self.assertEqual((plain["shipping"], plain["automatic_payment_methods"]), (None, None))
        for params, param in (("statement_descriptor=" + "x" * 23, "statement_descriptor"),
                              ("payment_method_types[]=foo", "payment_method_types[]"),
                              ("automatic_payment_methods[enabled]=maybe",
                               "automatic_payment_methods[enabled]"),
                              ("automatic_payment_methods[enabled]=true&payment_method_types[]=card",
                               "payment_method_types")):
            self.refused(INTENTS, "amount=1000&currency=usd&" + params, 400, None, param)
        self.refused("/v1/setup_intents", "payment_method_types[]=foo", 400, None,
                     "payment_method_types[]")

    def test_only_what_its_types_allow(self):
        money = "amount=1000&currency=usd&payment_method_types[]=us_bank_account"
        self.refused(INTENTS, money + "&payment_method=pm_card_visa", 400, None, "payment_method")
        intent = self.create(INTENTS, money + "&payment_method_types[]=link")
        self.assertEqual(intent["payment_method_types"], ["us_bank_account", "link"])
        path = f"{INTENTS}/{intent['id']}"
        self.refused(path, "payment_method=pm_card_visa", 400, None, "payment_method")
        self.refused(path + "/confirm", "payment_method=pm_card_visa", 400, None, "payment_method")
        self.create(path, "payment_method_types[]=card")
        paid = self.create(path + "/confirm", "payment_method=pm_card_visa")
        self.assertEqual((paid["status"], paid["payment_method_types"]), ("succeeded", ["card"]))
        self.assertCharges(1)

    def test_metadata(self):
        self.merges(f"{INTENTS}/{self.create(INTENTS, 'amount=1&currency=usd')['id']}")
        self.merges(f"{INTENTS}/{self.create(INTENTS, PAYMENT)['id']}")

    def test_another_card_in_place_of_one_that_wants_action(self):
        intent = self.create(INTENTS, "amount=9&currency=usd&confirm=true&"
                                      "payment_method=pm_card_authenticationRequired")
        path = f"{INTENTS}/{intent['id']}"
        self.assertEqual(self.create(path, "amount=10")["status"], "requires_action")
        self.assertEqual(self.create(path, "payment_method=pm_card_visa")["status"],
                         "requires_confirmation")
        self.assertEqual(self.create(path + "/confirm")["amount_received"], 10)

    def test_what_is_refused(self):
        path = f"{INTENTS}/{self.create(INTENTS, 'amount=1&currency=usd')['id']}"
        self.refused(path, "amount=0", 400, "parameter_invalid_integer", "amount")
        self.refused(path, "amount=", 400, "parameter_invalid_empty", "amount")
        self.refused(path, "currency=xxx", 400, None, "currency")
        self.refused(path, "customer=cus_1", 400, "resource_missing", "customer")
        self.refused(path, "payment_method=pm_1", 400, "resource_missing", "payment_method")
        self.refused(path, "confirm=true", 400, "parameter_unknown", "confirm")
        self.refused(path, "capture_method=manual&payment_method=pm_usBankAccount_success", 400,
                     None, "capture_method")
        self.refused(INTENTS + "/pi_1", "amount=1", 404, "resource_missing", "intent")
        self.assertEqual(self.json(self.get(path))["amount"], 1)

    def test_under_a_key(self):
        path = f"{INTENTS}/{self.create(INTENTS, 'amount=1&currency=usd')['id']}"
        self.create(path, "amount=x", 400, "key")  # refused before execution: not remembered
        first = self.pay("key", "amount=5", path)
        self.assertFirst(first)
        self.create(path, "amount=6")
        self.assertReplay(self.pay("key", "amount=5", path), first)
        self.assertEqual(self.json(self.get(path))["amount"], 6)


class Charges(Updates):
    def test_what_is_not_money(self):
        charge = self.create("/v1/charges", "amount=9&currency=usd")
        path = f"/v1/charges/{charge['id']}"
        self.merges(path)
        changed = self.create(path, "description=d&receipt_email=a@example.com")
        self.assertEqual((changed["description"], changed["receipt_email"], changed["amount"]),
                         ("d", "a@example.com", 9))
        self.refused(path, "amount=1", 400, "parameter_unknown", "amount")
        self.refused("/v1/charges/ch_1", "description=d", 404, "resource_missing", "charge")

    def test_refunds_under_the_charge(self):
        charge = self.create("/v1/charges", "amount=900&currency=usd")["id"]
        refund = self.create(f"/v1/charges/{charge}/refunds", "amount=300")
        self.assertEqual((refund["charge"], refund["amount"]), (charge, 300))
        self.assertEqual(self.create(f"/v1/charges/{charge}/refunds")["amount"], 600)
        self.refused(f"/v1/charges/{charge}/refunds", "", 400, "charge_already_refunded")
        self.refused("/v1/charges/ch_1/refunds", "", 404, "resource_missing", "charge")


class Refunds(Updates):
    def test_metadata_and_nothing_else(self):
        charge = self.create("/v1/charges", "amount=9&currency=usd")["id"]
        path = f"/v1/refunds/{self.create('/v1/refunds', f'charge={charge}')['id']}"
        self.merges(path)
        self.refused(path, "amount=1", 400, "parameter_unknown", "amount")
        self.refused("/v1/refunds/re_1", "", 404, "resource_missing", "refund")


del Updates  # has no tests of its own


if __name__ == "__main__":
    main()
