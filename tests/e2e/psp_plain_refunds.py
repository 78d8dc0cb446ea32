"""The plain face gives money back: in parts, once per key, and with a status that is true."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import main, new_account  # noqa: E402
from psp_plain import Plain  # noqa: E402


class Refunds(Plain):
    def paid(self):
        return "/payments/" + self.json(self.post(), 201)["id"]

    def refund(self, path, key=None, **body):
        return self.send("POST", path + "/refunds", body, key)

    def test_in_parts_until_nothing_is_left(self):
        path = self.paid()
        part = self.json(self.refund(path, amount=500, reason="broken", metadata={"a": "b"}), 201)
        self.assertEqual((part["amount"], part["currency"], part["status"], part["payment_id"]),
                         (500, "EUR", "SUCCESS", path.rsplit("/", 1)[1]))
        self.assertEqual((part["reason"], part["metadata"]), ("broken", {"a": "b"}))
        self.refused(self.refund(path, amount=1501), 400, "invalid_request", "amount")
        rest = self.json(self.refund(path), 201)
        self.assertEqual(rest["amount"], 1500)
        self.assertEqual(self.look(path)["amount_refunded"], 2000)
        self.refused(self.refund(path), 400, "charge_already_refunded")
        self.assertEqual(self.look(path + "/refunds"),
                         {"data": [rest, part], "next_cursor": None})
        page = self.look(path + "/refunds?limit=1")
        self.assertEqual((page["data"], page["next_cursor"]), ([rest], rest["id"]))
        page = self.look(path + "/refunds?limit=1&cursor=" + rest["id"])
        self.assertEqual((page["data"], page["next_cursor"]), ([part], None))
        self.assertCharges(1)  # the books are audited on the way

    def test_its_status_says_what_becomes_of_it(self):
        for card, status, stages in (("pendingRefund", 202, ("PROCESSING", "SUCCESS")),
                                     ("refundFail", 201, ("SUCCESS", "FAILED"))):
            change = {"payment_method": "pm_card_" + card, "operation_id": card}
            path = "/payments/" + self.json(self.post(change), 201)["id"]
            made = self.json(self.refund(path), status)
            self.assertEqual(made["status"], stages[0])
            self.psp.advance("1m")
            shown, = self.look(path + "/refunds")["data"]
            self.assertEqual((shown["id"], shown["status"]), (made["id"], stages[1]))
        self.assertCharges(2)

    def test_one_that_the_other_face_cancels_has_failed(self):
        change = {"payment_method": "pm_card_pendingRefund"}
        path = "/payments/" + self.json(self.post(change), 201)["id"]
        made = self.json(self.refund(path), 202)
        self.json(self.pay(None, "", f"/v1/refunds/{made['id']}/cancel"))
        self.assertEqual(self.look(path + "/refunds")["data"][0]["status"], "FAILED")
        self.assertEqual(self.look(path)["amount_refunded"], 0)

    def test_the_other_face_sees_them(self):
        path = self.paid()
        made = self.json(self.refund(path, amount=500), 201)
        other = self.json(self.get("/v1/refunds/" + made["id"]))
        self.assertEqual((other["amount"], other["charge"]), (500, made["payment_id"]))

    def test_a_key_means_one_refund_in_every_manner_of_replay(self):
        for dialect in ("stripe", "modern-treasury"):
            self.psp.control("PUT", "dialect", {"name": dialect})
            path = self.paid()
            made = self.json(self.refund(path, "k" + dialect, amount=500), 201)
            again = self.json(self.refund(path, "k" + dialect, amount=500), 201)
            self.assertEqual(again, made)
            self.assertEqual(self.look(path)["amount_refunded"], 500)
            self.account = new_account()
        self.psp.control("PUT", "dialect", {"name": "paypal"})
        self.addCleanup(self.psp.control, "PUT", "dialect", {"name": "stripe"})
        path, header = self.paid(), [("PayPal-Request-Id", "k")]
        made, again = (self.json(self.send("POST", path + "/refunds", {"amount": 5},
                                           headers=header), 201) for _ in range(2))
        self.assertEqual(again, made)

    def test_what_is_wrong(self):
        path = self.paid()
        for body, code, field in (({"amount": 0}, "parameter_invalid_integer", "amount"),
                                  ({"amount": 1.5}, "parameter_invalid_integer", "amount"),
                                  ({"currency": "EUR"}, "parameter_unknown", "currency")):
            self.refused(self.refund(path, **body), 400, code, field)
        self.refused(self.refund("/payments/ch_no"), 404, "resource_missing", "id")
        self.refused(self.send("GET", "/payments/ch_no/refunds"), 404, "resource_missing", "id")
        self.refused(self.send("GET", path + "/refunds?cursor=re_no"), 400, "resource_missing",
                     "cursor")
        stripe = self.json(self.pay(path="/v1/charges",
                                    params=[("amount", "5"), ("currency", "usd")]))
        self.refused(self.refund("/payments/" + stripe["id"]), 404, "resource_missing", "id")


if __name__ == "__main__":
    main()
