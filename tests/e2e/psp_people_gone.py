"""Customers who are deleted while something of theirs is under way: nothing is made for them, whether a
request was being worked on or a bank took its time."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import main, new_account  # noqa: E402
from psp_people import People  # noqa: E402
from raw_http import request  # noqa: E402

BANK = "payment_method=pm_usBankAccount_success"


class Gone(People):
    def deleted_meanwhile(self, prepare, path, params):
        """The answer to a request whose customer is deleted after its check. PREPARE gives what
        fills the braces of PATH and PARAMS; a slow machine holds the request for longer."""
        for ms in (150, 600, 2400, 9600):
            self.account = new_account()
            customer = self.create("customers")["id"]
            words = {"customer": customer, **prepare(customer)}
            self.psp.faults({"on": "POST *", "nth": 1, "at": "before_commit",
                             "act": {"kind": "delay", "ms": ms}}, account=self.account)
            with self.psp.connect() as connection:
                connection.send(request("POST", "/v1/" + path.format(**words), self.account,
                                        params.format(**words), None))
                self.psp.wait_for_fault(self.account, "before_commit")
                self.delete("customers/" + customer)
                answer = connection.answer()
            if self.deleted_first():
                return answer
        return self.fail("no delay was long enough")

    def deleted_first(self):
        """Whether the DELETE was answered before the request that was held."""
        entries = self.psp.journal(self.account)
        held = next(entry["request"] for entry in entries if entry["kind"] == "fault")
        ends = [entry["request"] for entry in entries if entry["kind"] in ("ok", "fail")]
        return ends[-1] == held

    def test_between_the_check_and_the_use(self):
        card = "payment_method=pm_card_visa"
        money = "amount=5&currency=usd&customer={customer}"
        for path, params, prepare in (
                ("charges", money, lambda _: {}),
                ("payment_intents", f"{money}&{card}&confirm=true", lambda _: {}),
                ("payment_intents/{intent}/confirm", card, lambda customer: {
                    "intent": self.create("payment_intents", money.format(customer=customer))["id"]}),
                ("setup_intents", f"customer={{customer}}&{card}&confirm=true", lambda _: {}),
                ("setup_intents/{intent}/confirm", card, lambda customer: {
                    "intent": self.create("setup_intents", "customer=" + customer)["id"]}),
                ("payment_methods/pm_card_visa/attach", "customer={customer}", lambda _: {}),
                ("checkout/sessions", "mode=setup&success_url=https://x.org&currency=usd"
                                      "&customer={customer}", lambda _: {})):
            with self.subTest(path):
                error = self.error(self.deleted_meanwhile(prepare, path, params), 400)
                self.assertEqual((error["code"], error["param"]),
                                 ("resource_missing", "customer"))
                self.assertEqual(self.ids("payment_methods"), [])
                self.assertCharges(0)

    def test_while_a_bank_takes_its_time(self):
        customer = self.create("customers")["id"]
        self.create("payment_intents", f"amount=5&currency=usd&customer={customer}&confirm=true&"
                                       f"setup_future_usage=off_session&{BANK}")
        self.delete("customers/" + customer)
        self.psp.advance("1h")
        self.assertCharges(1)
        self.assertEqual(self.ids("payment_methods?customer=" + customer), [])
        self.assertNotIn("payment_method.attached", self.events())


class Detached(People):
    """A payment method that is taken from its customer stays away, whatever ends afterwards."""

    def attached(self, card):
        customer = self.create("customers")["id"]
        return customer, self.create(f"payment_methods/{card}/attach", "customer=" + customer)["id"]

    def detach(self, method):
        self.create(f"payment_methods/{method}/detach")

    def stays_away(self, customer, method):
        self.assertIsNone(self.show("payment_methods/" + method)["customer"])
        self.assertEqual(self.ids(f"customers/{customer}/payment_methods"), [])
        self.assertEqual(self.events().count("payment_method.attached"), 1)
        self.refused(f"payment_methods/{method}/attach", "customer=" + customer, None,
                     "payment_method")

    def test_while_a_bank_takes_its_time(self):
        customer, method = self.attached("pm_usBankAccount_success")
        self.create("payment_intents", f"amount=5&currency=usd&customer={customer}&confirm=true&"
                                       f"setup_future_usage=off_session&payment_method={method}")
        self.detach(method)
        self.psp.advance("1h")
        self.assertCharges(1)
        self.stays_away(customer, method)

    def test_while_the_customer_authenticates(self):
        customer, method = self.attached("pm_card_authenticationRequired")
        made = self.create("setup_intents", f"customer={customer}&confirm=true&"
                                            f"payment_method={method}")
        self.assertEqual(made["status"], "requires_action")
        self.detach(method)
        self.psp.control("POST", f"setup_intents/{made['id']}/complete", {"outcome": "succeeded"},
                         self.account)
        self.stays_away(customer, method)

    def test_one_that_was_never_attached_is_saved_once_the_money_comes(self):
        customer = self.create("customers")["id"]
        paid = self.create("payment_intents", f"amount=5&currency=usd&customer={customer}&"
                                              f"confirm=true&setup_future_usage=off_session&{BANK}")
        self.assertEqual(self.ids(f"customers/{customer}/payment_methods"), [])
        self.psp.advance("1h")
        self.assertEqual(self.ids(f"customers/{customer}/payment_methods"),
                         [paid["payment_method"]])


if __name__ == "__main__":
    main()
