"""The resources as clients see them: refusals as in STRIPE_FACTS §4, lists, expansion, test cards, and
accounts that do not see one another."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, PspTest, main  # noqa: E402
from raw_http import request  # noqa: E402

CHARGE = "amount=1000&currency=usd"


class Objects(PspTest):
    def create(self, path, params, status=200):
        return self.json(self.pay(None, params, path), status)

    def refused(self, path, params, status, code, param=None):
        error = self.error(self.pay("key", params, path), status)
        self.assertEqual(error["type"], "invalid_request_error")
        self.assertEqual((error.get("code"), error.get("param")), (code, param))
        self.assertTrue(error["message"])


class Errors(Objects):
    """The table of cases."""

    def test_unknown_members_and_what_has_none(self):
        intents, customers = "/v1/payment_intents", "/v1/customers"
        for path, params, param in (
                (intents, CHARGE + "&shipping[foo]=1", "shipping[foo]"),
                (intents, CHARGE + "&payment_method_options[foo]=1", "payment_method_options[foo]"),
                (intents, CHARGE + "&payment_method_data[foo]=1", "payment_method_data[foo]"),
                (intents, CHARGE + "&automatic_payment_methods[on]=1", "automatic_payment_methods[on]"),
                (intents, CHARGE + "&automatic_payment_methods[]=1", "automatic_payment_methods[]"),
                (intents, CHARGE + "&expand[a]=customer", "expand[a]"),
                (intents, CHARGE + "&payment_method_types[0][a]=card", "payment_method_types[0][a]"),
                (customers, "address[foo]=1", "address[foo]")):
            self.refused(path, params, 400, "parameter_unknown", param)
        for path, params, param in ((customers, "name[x]=1", "name"), (customers, "email[]=1", "email"),
                                    (intents, CHARGE + "&amount[x]=1", "amount"),
                                    (intents, CHARGE + "&description[0]=a", "description"),
                                    ("/v1/refunds", "charge[]=ch_1", "charge")):
            self.refused(path, params, 400, None, param)
        error = self.error(self.get("/v1/charges?limit[]=1"), 400)
        self.assertEqual(error["param"], "limit")
        self.create(intents, CHARGE + "&payment_method_options[card][request_three_d_secure]=any"
                    "&shipping[name]=A&shipping[address][line1]=x&payment_method_types[0]=card"
                    "&expand[0]=customer")
        self.assertCharges(0)

    def test_unknown_url(self):
        error = self.error(self.get("/v1/unicorns"), 404)
        self.assertEqual(error["type"], "invalid_request_error")
        self.assertNotIn("code", error)

    def test_missing_object(self):
        for path, param in (("payment_intents/pi_1", "intent"), ("charges/ch_1", "charge"),
                            ("refunds/re_1", "refund"), ("customers/cus_1", "id"),
                            ("customers/ch_1", "id"), ("charges/nonsense", "charge"),
                            ("setup_intents/seti_1", "intent"), ("disputes/du_1", "dispute"),
                            ("payment_methods/pm_1", "payment_method"),
                            ("checkout/sessions/cs_1", "session"),
                            ("webhook_endpoints/we_1", "webhook_endpoint")):
            error = self.error(self.get("/v1/" + path), 404)
            self.assertEqual((error["code"], error["param"]), ("resource_missing", param))
            self.refused("/v1/" + path, "", 404, "resource_missing", param)
        for path in ("events/evt_1", "balance_transactions/txn_1"):
            self.assertEqual(self.error(self.get("/v1/" + path), 404)["param"], "id")
        for verb in ("confirm", "cancel", "capture"):
            self.refused(f"/v1/payment_intents/pi_1/{verb}", "", 404, "resource_missing", "intent")
        self.refused("/v1/refunds", "charge=ch_1", 404, "resource_missing", "charge")
        self.refused("/v1/refunds", "payment_intent=pi_1", 404, "resource_missing",
                     "payment_intent")
        for path in ("/v1/charges", "/v1/payment_intents"):
            self.refused(path, CHARGE + "&customer=cus_1", 400, "resource_missing", "customer")

    def test_unknown_parameter(self):
        for path in ("/v1/charges", "/v1/payment_intents", "/v1/customers", "/v1/refunds"):
            self.refused(path, "amuont=1", 400, "parameter_unknown", "amuont")
            self.refused(path, "x[y]=1", 400, "parameter_unknown", "x[y]")
            error = self.error(self.get(path + "?filter=1"), 400)
            self.assertEqual((error["code"], error["param"]), ("parameter_unknown", "filter"))

    def test_missing_parameter(self):
        for path in ("/v1/charges", "/v1/payment_intents"):
            self.refused(path, "currency=usd", 400, "parameter_missing", "amount")
            self.refused(path, "amount=1", 400, "parameter_missing", "currency")
        self.refused("/v1/refunds", "", 400, "parameter_missing", "charge")
        self.refused("/v1/payment_intents", CHARGE + "&confirm=true", 400, "parameter_missing",
                     "payment_method")

    def test_not_an_integer(self):
        for path in ("/v1/charges", "/v1/payment_intents"):
            for amount in ("x", "1.5", "1e3", "0x10", "%201", "1%20", "%2B1", "-", "99999999999999999999",
                           "0", "-1", "100000000", "1_000", "1,000", "٣"):
                self.refused(path, f"amount={amount}&currency=usd", 400,
                             "parameter_invalid_integer", "amount")
            self.create(path, "amount=99999999&currency=usd")
            self.create(path, "amount=1&currency=usd")

    def test_empty(self):
        for path in ("/v1/charges", "/v1/payment_intents"):
            self.refused(path, "amount=&currency=usd", 400, "parameter_invalid_empty", "amount")
            self.refused(path, "amount=1&currency=", 400, "parameter_invalid_empty", "currency")

    def test_currencies(self):
        for currency in ("xxx", "us", "usdd", "u d", "$$$"):
            self.refused("/v1/charges", [("amount", "1"), ("currency", currency)], 400, None,
                         "currency")
        self.assertEqual(self.create("/v1/charges", "amount=1&currency=EUR")["currency"], "eur")

    def test_declined(self):
        declines = [("chargeDeclined", "card_declined", "generic_decline"),
                    ("chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"),
                    ("chargeDeclinedLostCard", "card_declined", "lost_card"),
                    ("chargeDeclinedStolenCard", "card_declined", "stolen_card"),
                    ("chargeDeclinedExpiredCard", "expired_card", "expired_card"),
                    ("chargeDeclinedIncorrectCvc", "incorrect_cvc", "incorrect_cvc"),
                    ("chargeDeclinedProcessingError", "processing_error", "processing_error")]
        for name, code, decline_code in declines:
            params = CHARGE + f"&confirm=true&payment_method=pm_card_{name}"
            error = self.create("/v1/payment_intents", params, 402)["error"]
            self.assertEqual((error["type"], error["code"], error["decline_code"]),
                             ("card_error", code, decline_code))
            intent = error["payment_intent"]
            self.assertEqual(intent["status"], "requires_payment_method")
            self.assertEqual(intent["last_payment_error"]["decline_code"], decline_code)
            self.assertEqual(intent, self.json(self.get("/v1/payment_intents/" + intent["id"])))
            charge = self.json(self.get("/v1/charges/" + error["charge"]))
            self.assertEqual((charge["status"], charge["paid"], charge["amount_captured"]),
                             ("failed", False, 0))
            error = self.create("/v1/charges", CHARGE + f"&source=tok_{name}", 402)["error"]
            self.assertEqual((error["type"], error["code"], error["decline_code"]),
                             ("card_error", code, decline_code))
        self.assertCharges(0)

    def test_bad_transition(self):
        paid = self.create("/v1/payment_intents", PAYMENT)["id"]
        for verb in ("confirm", "cancel"):
            answer = self.pay("key " + verb, "", f"/v1/payment_intents/{paid}/{verb}")
            error = self.error(answer, 400)
            self.assertEqual(error["code"], "payment_intent_unexpected_state")
            self.assertEqual(error["payment_intent"]["status"], "succeeded")
        self.assertCharges(1)

    def test_a_source_that_names_no_card_is_not_charged_to_the_default_one(self):
        for source in ("source[card][number]=4242424242424242", "source[object]=card",
                       "card[exp_month]=12", "source[]=tok_visa"):
            self.refused("/v1/charges", CHARGE + "&" + source, 400, "parameter_missing", "source")
        self.refused("/v1/charges", CHARGE + "&card[num]=4000000000000002", 400,
                     "parameter_unknown", "card[num]")
        self.create("/v1/charges", CHARGE + "&source[object]=card&source[number]=4242424242424242"
                                            "&source[exp_month]=12&source[exp_year]=2030")
        self.assertCharges(1)


class Metadata(Objects):
    def test_limits(self):
        for count, status in ((50, 200), (51, 400)):
            params = [(f"metadata[k{i}]", "v") for i in range(count)]
            self.assertEqual(self.pay(None, params, "/v1/customers").status, status)
        for length, status in ((40, 200), (41, 400)):
            params = [("metadata[" + "é" * length + "]", "v")]
            self.assertEqual(self.pay(None, params, "/v1/customers").status, status)
        for length, status in ((500, 200), (501, 400)):
            params = [("metadata[k]", "é" * length)]
            self.assertEqual(self.pay(None, params, "/v1/customers").status, status)

    def test_shapes(self):
        for params in ("metadata=x", "metadata[a][b]=x", "metadata[]=x"):
            self.assertEqual(self.pay(None, params, "/v1/customers").status, 400)
        self.assertEqual(self.create("/v1/customers", "metadata=")["metadata"], {})

    def test_on_every_object(self):
        data = "metadata[order_id]=6735"
        intent = self.create("/v1/payment_intents", PAYMENT + [("metadata[order_id]", "6735")])
        charge = self.json(self.get("/v1/charges/" + intent["latest_charge"]))
        refund = self.create("/v1/refunds", f"charge={charge['id']}&{data}")
        customer = self.create("/v1/customers", data)
        for made in (intent, charge, refund, customer):
            self.assertEqual(made["metadata"], {"order_id": "6735"})


class Payments(Objects):
    def test_life_of_an_intent(self):
        intent = self.create("/v1/payment_intents", CHARGE)
        self.assertEqual(intent["status"], "requires_payment_method")
        path = f"/v1/payment_intents/{intent['id']}"
        declined = self.create(path + "/confirm", "payment_method=pm_card_chargeDeclined", 402)
        self.assertEqual(declined["error"]["payment_intent"]["status"], "requires_payment_method")
        paid = self.create(path + "/confirm", "payment_method=pm_card_visa")
        self.assertEqual((paid["status"], paid["amount_received"]), ("succeeded", 1000))
        self.assertEqual(self.json(self.get(path)), paid)
        charges = self.json(self.get(f"/v1/charges?payment_intent={intent['id']}"))["data"]
        self.assertEqual([charge["status"] for charge in charges], ["succeeded", "failed"])
        self.assertCharges(1)

    def test_authentication(self):
        intent = self.create("/v1/payment_intents", CHARGE +
                             "&confirm=true&payment_method=pm_card_authenticationRequired")
        self.assertEqual(intent["status"], "requires_action")
        self.assertTrue(intent["next_action"])
        self.assertCharges(0)

    def test_cancel(self):
        intent = self.create("/v1/payment_intents", CHARGE + "&payment_method=pm_card_visa")
        self.assertEqual(intent["status"], "requires_confirmation")
        path = f"/v1/payment_intents/{intent['id']}"
        self.assertEqual(self.create(path + "/cancel", "")["status"], "canceled")
        self.refused(path + "/confirm", "payment_method=pm_card_visa", 400,
                     "payment_intent_unexpected_state")
        self.assertCharges(0)

    def test_refunds_never_exceed_the_charge(self):
        charge = self.create("/v1/charges", CHARGE)["id"]
        self.create("/v1/refunds", f"charge={charge}&amount=400")
        self.refused("/v1/refunds", f"charge={charge}&amount=601", 400, None, "amount")
        rest = self.create("/v1/refunds", f"charge={charge}&reason=duplicate")
        self.assertEqual((rest["amount"], rest["reason"]), (600, "duplicate"))
        error = self.error(self.pay(None, f"charge={charge}&amount=1", "/v1/refunds"), 400)
        self.assertEqual(error["code"], "charge_already_refunded")
        shown = self.json(self.get(f"/v1/charges/{charge}"))
        self.assertEqual((shown["amount_refunded"], shown["refunded"]), (1000, True))
        self.assertEqual(self.psp.ledger(self.account)["audit"]["wrong"], 0)

    def test_a_refund_by_intent(self):
        intent = self.create("/v1/payment_intents", PAYMENT)
        refund = self.create("/v1/refunds", f"payment_intent={intent['id']}")
        self.assertEqual((refund["charge"], refund["payment_intent"]),
                         (intent["latest_charge"], intent["id"]))
        unpaid = self.create("/v1/payment_intents", CHARGE)["id"]
        self.assertEqual(self.pay(None, f"payment_intent={unpaid}", "/v1/refunds").status, 400)

    def test_a_refund_by_charge_and_intent_that_belong_together(self):
        intent, other = self.json(self.pay()), self.json(self.pay())
        alone = self.create("/v1/charges", "amount=1000&currency=usd")["id"]
        for charge in (other["latest_charge"], alone):
            self.refused("/v1/refunds", f"charge={charge}&payment_intent={intent['id']}", 400, None,
                         "charge")
        refund = self.create("/v1/refunds", f"charge={intent['latest_charge']}"
                                            f"&payment_intent={intent['id']}")
        self.assertEqual(refund["charge"], intent["latest_charge"])
        self.assertEqual(self.json(self.get("/v1/refunds"))["data"], [refund])

    def test_a_declined_charge_gives_nothing_back(self):
        error = self.create("/v1/charges", CHARGE + "&source=tok_chargeDeclined", 402)["error"]
        self.assertEqual(self.pay(None, f"charge={error['charge']}", "/v1/refunds").status, 400)

    def test_accounts_do_not_see_one_another(self):
        charge = self.create("/v1/charges", CHARGE)["id"]
        intent = self.create("/v1/payment_intents", CHARGE)["id"]
        customer = self.create("/v1/customers", "")["id"]
        other = self.account + "other"
        for path in (f"/v1/charges/{charge}", f"/v1/payment_intents/{intent}",
                     f"/v1/customers/{customer}"):
            self.assertEqual(self.get(path).status, 200)
            self.assertEqual(self.get(path, other).status, 404)
        for path in ("/v1/charges", "/v1/payment_intents", "/v1/customers", "/v1/refunds"):
            self.assertEqual(self.json(self.get(path, other))["data"], [])
        self.account = other
        self.refused("/v1/refunds", f"charge={charge}", 404, "resource_missing", "charge")
        self.refused(f"/v1/payment_intents/{intent}/confirm", "payment_method=pm_card_visa", 404,
                     "resource_missing", "intent")
        self.refused("/v1/charges", CHARGE + f"&customer={customer}", 400, "resource_missing",
                     "customer")
        self.assertEqual(self.get(f"/v1/charges?starting_after={charge}").status, 400)
        self.assertEqual(self.psp.ledger(other)["charges"], [])


class Lists(Objects):
    """250 customers, made once."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with cls.psp.connect() as connection:
            cls.made = []
            for i in range(250):
                data = request("POST", "/v1/customers", "sk_test_lists", f"name=n{i}")
                cls.made.append(json.loads(connection.ask(data).body)["id"])
        cls.made.reverse()  # newest first, as lists have it

    def setUp(self):
        self.account = "sk_test_lists"

    def page(self, query=""):
        page = self.json(self.get("/v1/customers" + query))
        self.assertEqual((page["object"], page["url"]), ("list", "/v1/customers"))
        return [one["id"] for one in page["data"]], page["has_more"]

    def test_ten_is_the_default_and_newest_come_first(self):
        self.assertEqual(self.page(), (self.made[:10], True))

    def test_limit(self):
        self.assertEqual(self.page("?limit=1"), (self.made[:1], True))
        self.assertEqual(self.page("?limit=100"), (self.made[:100], True))
        for limit in ("0", "101", "-1", "x", "", "1.0"):
            error = self.error(self.get(f"/v1/customers?limit={limit}"), 400)
            self.assertEqual(error["param"], "limit")

    def test_all_the_way_down_and_up_again(self):
        for limit in (7, 10, 50, 100):
            down, more = self.page(f"?limit={limit}")
            while more:
                ids, more = self.page(f"?limit={limit}&starting_after={down[-1]}")
                self.assertTrue(ids)
                down += ids
            self.assertEqual(down, self.made)
            up, more = [down[-1]], True
            while more:
                ids, more = self.page(f"?limit={limit}&ending_before={up[0]}")
                self.assertTrue(ids)
                up = ids + up
            self.assertEqual(up, self.made)

    def test_the_ends(self):
        self.assertEqual(self.page(f"?starting_after={self.made[-1]}"), ([], False))
        self.assertEqual(self.page(f"?ending_before={self.made[0]}"), ([], False))
        self.assertEqual(self.page(f"?limit=2&starting_after={self.made[-3]}"),
                         (self.made[-2:], False))

    def test_what_comes_in_between_does_not_shift_pages(self):
        account = self.account
        self.account = "sk_test_shift"
        old = [self.create("/v1/customers", "")["id"] for _ in range(4)][::-1]
        first, _ = self.page("?limit=2")
        self.create("/v1/customers", "")
        self.assertEqual(first + self.page(f"?limit=2&starting_after={first[-1]}")[0], old)
        self.account = account

    def test_cursors_that_name_nothing_here_are_refused(self):
        charge = self.create("/v1/charges", CHARGE)["id"]
        for name in ("starting_after", "ending_before"):
            for cursor in ("cus_none", "nonsense", charge):
                with self.subTest(name=name, cursor=cursor):
                    error = self.error(self.get(f"/v1/customers?{name}={cursor}"), 400)
                    self.assertEqual((error["code"], error["param"]), ("resource_missing", name))
        both = f"?starting_after={self.made[0]}&ending_before={self.made[1]}"
        self.assertEqual(self.get("/v1/customers" + both).status, 400)

    def test_filters(self):
        self.account = "sk_test_filters"
        customer = self.create("/v1/customers", "")["id"]
        mine = [self.create("/v1/charges", CHARGE + f"&customer={customer}")["id"]
                for _ in range(3)][::-1]
        intent = self.create("/v1/payment_intents", PAYMENT + [("customer", customer)])
        self.create("/v1/charges", CHARGE)
        refunds = [self.create("/v1/refunds", f"charge={mine[0]}&amount=1")["id"]
                   for _ in range(2)][::-1]
        self.create("/v1/refunds", f"charge={mine[1]}")

        def ids(path):
            return [one["id"] for one in self.json(self.get(path))["data"]]
        self.assertEqual(ids(f"/v1/charges?customer={customer}"), [intent["latest_charge"]] + mine)
        self.assertEqual(ids(f"/v1/charges?customer={customer}&limit=1&starting_after={mine[0]}"),
                         mine[1:2])
        self.assertEqual(ids(f"/v1/charges?payment_intent={intent['id']}"),
                         [intent["latest_charge"]])
        self.assertEqual(ids(f"/v1/payment_intents?customer={customer}"), [intent["id"]])
        self.assertEqual(ids(f"/v1/refunds?charge={mine[0]}"), refunds)
        self.assertEqual(ids("/v1/charges?customer=cus_none"), [])


class Expand(Objects):
    def setUp(self):
        super().setUp()
        self.customer = self.create("/v1/customers", "name=jenny")
        self.intent = self.create("/v1/payment_intents",
                                  PAYMENT + [("customer", self.customer["id"])])
        self.path = "/v1/payment_intents/" + self.intent["id"]

    def test_four_levels(self):
        found = self.json(self.get(self.path + "?expand[]=latest_charge.payment_intent"
                                               ".latest_charge.customer"))
        charge = found["latest_charge"]
        self.assertEqual(charge["payment_intent"]["id"], found["id"])
        self.assertEqual(charge["payment_intent"]["latest_charge"]["customer"], self.customer)
        five = "latest_charge.payment_intent.latest_charge.payment_intent.customer"
        self.assertEqual(self.error(self.get(self.path + "?expand[]=" + five), 400)["param"],
                         "expand")

    def test_several_paths_that_share_a_part(self):
        found = self.json(self.get(self.path + "?expand[]=latest_charge&expand[]=customer"
                                               "&expand[]=latest_charge.customer"))
        self.assertEqual(found["customer"], self.customer)
        self.assertEqual(found["latest_charge"]["customer"], self.customer)

    def test_in_a_post_and_its_replay(self):
        params = PAYMENT + [("expand[]", "latest_charge")]
        first = self.pay("key", params)
        self.assertEqual(self.json(first)["latest_charge"]["object"], "charge")
        self.assertReplay(self.pay("key", params), first)

    def test_in_lists_with_data_in_front(self):
        found = self.json(self.get("/v1/payment_intents?expand[]=data.customer"))
        self.assertEqual(found["data"][0]["customer"], self.customer)
        self.assertEqual(self.get("/v1/payment_intents?expand[]=customer").status, 400)
        self.assertEqual(self.get("/v1/payment_intents?expand[]=data").status, 400)

    def test_null_stays_null(self):
        intent = self.create("/v1/payment_intents", CHARGE + "&expand[]=customer"
                                                             "&expand[]=latest_charge.customer")
        self.assertEqual((intent["customer"], intent["latest_charge"]), (None, None))

    def test_refunds(self):
        refund = self.create("/v1/refunds", f"payment_intent={self.intent['id']}"
                                            "&expand[]=charge.customer&expand[]=payment_intent")
        self.assertEqual(refund["charge"]["customer"], self.customer)
        self.assertEqual(refund["charge"]["amount_refunded"], 2000)
        self.assertEqual(refund["payment_intent"]["id"], self.intent["id"])

    def test_what_cannot_be_expanded(self):
        for path in ("amount", "status", "nothing", "", ".", "customer.", ".customer",
                     "customer..name", "latest_charge.amount", "data.customer"):
            with self.subTest(path=path):
                answer = self.get(self.path + "?expand[]=" + path)
                self.assertEqual(self.error(answer, 400)["param"], "expand")


del Objects  # has no tests of its own


if __name__ == "__main__":
    main()
