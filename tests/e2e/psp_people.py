"""Customers and what belongs to them: payment methods, setup intents, checkout sessions; and the
filters of lists by time."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PspTest, main  # noqa: E402


class People(PspTest):
    def create(self, path, params="", status=200):
        return self.json(self.pay(None, params, "/v1/" + path), status)

    def show(self, path, status=200):
        return self.json(self.get("/v1/" + path), status)

    def ids(self, path):
        return [item["id"] for item in self.show(path)["data"]]

    def refused(self, path, params, code, param, status=400):
        error = self.error(self.pay(None, params, "/v1/" + path), status)
        self.assertEqual((error["type"], error.get("code"), error.get("param")),
                         ("invalid_request_error", code, param))


class Times(People):
    def test_lists_by_time(self):
        made = []
        for _ in range(3):
            made.append(self.create("customers"))
            self.psp.advance("10s")
        ids = [customer["id"] for customer in made]
        middle = made[1]["created"]
        for query, expected in ((f"created={middle}", ids[1:2]),
                                (f"created[gt]={middle}", ids[2:]),
                                (f"created[gte]={middle}", ids[1:]),
                                (f"created[lt]={middle}", ids[:1]),
                                (f"created[lte]={middle}", ids[:2]),
                                (f"created[gt]={middle - 10}&created[lt]={middle + 10}", ids[1:2]),
                                (f"created[gt]={middle}&created[lt]={middle}", [])):
            self.assertEqual(self.ids("customers?" + query), expected[::-1], query)
        for query, code, param in (("created=x", "parameter_invalid_integer", "created"),
                                   ("created[lt]=-1", "parameter_invalid_integer", "created[lt]"),
                                   ("created[le]=1", "parameter_unknown", "created[le]")):
            error = self.error(self.get("/v1/customers?" + query), 400)
            self.assertEqual((error["code"], error["param"]), (code, param))

    def test_every_list_takes_them(self):
        self.create("charges", "amount=1000&currency=usd")
        for path in ("payment_intents", "charges", "refunds", "customers", "events"):
            self.assertEqual(self.ids(path + "?created[lt]=1000"), [])


if __name__ == "__main__":
    main()
