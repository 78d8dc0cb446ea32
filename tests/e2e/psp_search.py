"""Search: the query language against live objects, pages, and what is refused."""
import os
import sys
from urllib.parse import quote

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, PspTest, main  # noqa: E402

INTENTS = "/v1/payment_intents"


class Search(PspTest):
    def create(self, path, params):
        return self.json(self.pay(None, params, path))["id"]

    def search(self, path, query, more=""):
        found = self.json(self.get(f"{path}/search?query={quote(query)}{more}"))
        self.assertEqual((found["object"], found["url"]), ("search_result", path + "/search"))
        self.assertEqual(found["has_more"], found["next_page"] is not None)
        return found

    def ids(self, path, query):
        return [one["id"] for one in self.search(path, query)["data"]]

    def test_payment_intents(self):
        paid = self.create(INTENTS, PAYMENT + [("metadata[order_id]", "6735")])
        open_ = self.create(INTENTS, "amount=5&currency=eur&metadata[order_id]=6735")
        other = self.create(INTENTS, PAYMENT)
        for query, wanted in (
                ("metadata['order_id']:'6735'", [open_, paid]),
                ("metadata['order_id']:'6735' AND status:'succeeded'", [paid]),
                ("metadata['order_id']:null", [other]),
                ("currency:'eur' OR metadata['order_id']:null", [other, open_]),
                ("amount>4 AND amount<6", [open_]), ("-status:'succeeded'", [open_]),
                ("metadata['order_id']:'none'", [])):
            self.assertEqual(self.ids(INTENTS, query), wanted, query)
        self.account += "other"
        self.assertEqual(self.ids(INTENTS, "metadata['order_id']:'6735'"), [])

    def test_charges_and_customers(self):
        charge = self.create("/v1/charges", "amount=7&currency=usd&metadata[a]=b")
        self.create("/v1/charges", "amount=8&currency=usd")
        self.assertEqual(self.ids("/v1/charges", "amount:7 AND refunded:'false'"), [charge])
        self.assertEqual(self.ids("/v1/charges", "metadata['a']:'b'"), [charge])
        jenny = self.create("/v1/customers", "name=Jenny+Rosen&email=jenny@example.com")
        self.create("/v1/customers", "name=Somebody")
        self.assertEqual(self.ids("/v1/customers", "name~'rosen'"), [jenny])
        self.assertEqual(self.ids("/v1/customers", "email:'JENNY@example.com'"), [jenny])

    def test_pages(self):
        made = [self.create("/v1/customers", f"name=n{i}&metadata[odd]={i % 2}")
                for i in range(230)]
        wanted = made[1::2][::-1]
        found, page = [], ""
        while True:
            answer = self.search("/v1/customers", "metadata['odd']:'1'", "&limit=23" + page)
            found += [one["id"] for one in answer["data"]]
            if not answer["has_more"]:
                break
            self.assertEqual(len(answer["data"]), 23)
            page = "&page=" + answer["next_page"]
        self.assertEqual(found, wanted)

    def test_expand(self):
        customer = self.create("/v1/customers", "name=n")
        self.create(INTENTS, f"amount=5&currency=usd&customer={customer}")
        found = self.search(INTENTS, f"customer:'{customer}'", "&expand[]=data.customer")
        self.assertEqual(found["data"][0]["customer"]["name"], "n")

    def test_what_is_refused(self):
        path = INTENTS + "/search"
        self.assertEqual(self.error(self.get(path), 400)["param"], "query")
        for query in ("", "status", "status:'a", "nothing:'a'", "status>'a'"):
            error = self.error(self.get(f"{path}?query={quote(query)}"), 400)
            self.assertEqual(error["param"], "query")
        for more, param in (("limit=0", "limit"), ("page=pi_1", "page"), ("starting_after=pi_1",
                            "starting_after"), ("expand[]=customer", "expand")):
            error = self.error(self.get(f"{path}?query=amount:1&{more}"), 400)
            self.assertEqual(error["param"], param)


class Lag(PspTest):
    OPTIONS = ("--quiet", "--clock", "manual", "--list-lag", "30s")

    def test_a_search_lags_as_lists_do(self):
        made = self.json(self.pay(None, "amount=5&currency=usd"))["id"]
        for wanted in ([], [made]):
            found = self.json(self.get(INTENTS + "/search?query=amount:5"))["data"]
            self.assertEqual([one["id"] for one in found], wanted)
            self.psp.advance("31s")


if __name__ == "__main__":
    main()
