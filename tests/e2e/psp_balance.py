"""The balance: what a merchant has, as the sum of movements that can each be looked at."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PspTest, main  # noqa: E402


class Balance(PspTest):
    def charge(self, amount=1000, currency="usd"):
        return self.json(self.pay(None, f"amount={amount}&currency={currency}&source=tok_visa",
                                  "/v1/charges"))

    def refund(self, charge, amount):
        return self.json(self.pay(None, f"charge={charge['id']}&amount={amount}", "/v1/refunds"))

    def balance(self):
        balance = self.json(self.get("/v1/balance"))
        self.assertEqual((balance["object"], balance["livemode"]), ("balance", False))
        self.assertEqual([one["currency"] for one in balance["pending"]],
                         [one["currency"] for one in balance["available"]])
        for one in balance["available"]:
            self.assertEqual(one["source_types"], {"card": one["amount"]})
        return {one["currency"]: one["amount"] for one in balance["available"]}

    def movements(self, query=""):
        return self.json(self.get("/v1/balance_transactions?" + query))["data"]

    def test_nothing_yet(self):
        self.assertEqual(self.balance(), {"usd": 0})
        self.assertEqual(self.movements(), [])

    def test_is_the_sum_of_what_moved_in_each_currency(self):
        first = self.charge()
        self.charge(50, "jpy")
        self.refund(first, 300)
        self.refund(first, 700)
        self.assertEqual(self.balance(), {"jpy": 50, "usd": 0})
        self.assertEqual([one["amount"] for one in self.movements()], [-700, -300, 50, 1000])
        self.assertEqual(sum(one["net"] for one in self.movements("currency=usd")), 0)

    def test_what_was_declined_moved_nothing(self):
        self.error(self.pay(None, "amount=5&currency=usd&source=tok_chargeDeclined",
                            "/v1/charges"), 402)
        self.assertEqual(self.balance(), {"usd": 0})
        self.assertEqual(self.movements(), [])

    def test_one_movement(self):
        charge = self.charge()
        movement = self.json(self.get("/v1/balance_transactions/" + charge["balance_transaction"]))
        self.assertEqual(movement, self.movements()[0])
        wanted = {"object": "balance_transaction", "amount": 1000, "net": 1000, "fee": 0,
                  "fee_details": [], "currency": "usd", "source": charge["id"], "type": "charge",
                  "reporting_category": "charge", "status": "available",
                  "created": charge["created"], "available_on": charge["created"]}
        self.assertEqual({name: movement[name] for name in wanted}, wanted)

    def test_is_expanded_both_ways(self):
        charge = self.charge()
        refund = self.refund(charge, 1)
        path = "/v1/charges/" + charge["id"] + "?expand[]=balance_transaction.source"
        expanded = self.json(self.get(path))["balance_transaction"]
        self.assertEqual(expanded["source"]["id"], charge["id"])
        path = "/v1/refunds/" + refund["id"] + "?expand[]=balance_transaction"
        self.assertEqual(self.json(self.get(path))["balance_transaction"]["amount"], -1)
        expanded = self.movements("expand[]=data.source")
        self.assertEqual([one["source"]["object"] for one in expanded], ["refund", "charge"])

    def test_filters(self):
        charge = self.charge()
        refund = self.refund(charge, 1)
        self.charge(7, "eur")
        for query, amounts in (("type=refund", [-1]), ("type=charge", [7, 1000]),
                               ("type=adjustment", []), ("source=" + refund["id"], [-1]),
                               ("currency=eur", [7]), ("source=ch_1", []),
                               (f"created[gt]={charge['created']}", []),
                               (f"created={charge['created']}", [7, -1, 1000])):
            self.assertEqual([one["amount"] for one in self.movements(query)], amounts, query)

    def test_pages_both_ways(self):
        for amount in range(1, 6):
            self.charge(amount)
        page = self.json(self.get("/v1/balance_transactions?limit=2"))
        self.assertEqual(([one["amount"] for one in page["data"]], page["has_more"]),
                         ([5, 4], True))
        older = self.movements("limit=2&starting_after=" + page["data"][1]["id"])
        self.assertEqual([one["amount"] for one in older], [3, 2])
        newer = self.movements("limit=2&ending_before=" + older[0]["id"])
        self.assertEqual([one["amount"] for one in newer], [5, 4])

    def test_refusals(self):
        for path, code in (("/v1/balance?x=1", "parameter_unknown"),
                           ("/v1/balance_transactions?x=1", "parameter_unknown"),
                           ("/v1/balance_transactions?limit=x", "parameter_invalid_integer")):
            self.assertEqual(self.error(self.get(path), 400)["code"], code)
        self.error(self.get("/v1/balance_transactions?type=gift"), 400)
        self.error(self.get("/v1/balance_transactions/txn_1"), 404)
        self.error(self.pay(None, "", "/v1/balance"), 405)

    def test_accounts_do_not_see_one_another(self):
        charge = self.charge()
        other = self.account + "b"
        self.assertEqual(self.json(self.get("/v1/balance_transactions", other))["data"], [])
        self.error(self.get("/v1/balance_transactions/" + charge["balance_transaction"], other),
                   404)


if __name__ == "__main__":
    main()
