"""Checkout Sessions: what is asked of the customer, the page filled in through the control plane, and
the end of a page that nobody fills in."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import Mockpsp, PspTest, main  # noqa: E402

URLS = [("success_url", "https://x.org/good"), ("cancel_url", "https://x.org/back")]


def item(number, unit, quantity, currency="usd", name="thing"):
    root = f"line_items[{number}]"
    return [(f"{root}[price_data][currency]", currency), (f"{root}[quantity]", str(quantity)),
            (f"{root}[price_data][unit_amount]", str(unit)),
            (f"{root}[price_data][product_data][name]", name)]


PAGE = [("mode", "payment")] + item(0, 1000, 2) + URLS


class Checkout(PspTest):
    def create(self, params, status=200, path=""):
        return self.json(self.pay(None, params, "/v1/checkout/sessions" + path), status)

    def show(self, path, status=200):
        return self.json(self.get("/v1/" + path), status)

    def session(self, *more):
        return self.create(PAGE + list(more))

    def complete(self, session, status=200, **how):
        answer = self.psp.ask("POST", f"/_mock/checkout/sessions/{session['id']}/complete",
                              self.account, how)
        return self.json(answer, status)

    def events(self):
        """The types of all events of the account, oldest first."""
        return [event["type"] for event in self.show("events?limit=100")["data"]][::-1]

    def effects(self):
        return [entry for entry in self.psp.journal(self.account) if entry["kind"] == "effect"]

    def refused(self, params, code, param, path=""):
        error = self.create(params, 400, path)["error"]
        self.assertEqual((error["type"], error.get("code"), error.get("param")),
                         ("invalid_request_error", code, param))


class Paying(Checkout):
    def test_paid(self):
        made = self.session(("client_reference_id", "order_1"), ("metadata[a]", "1"),
                            ("payment_intent_data[metadata][b]", "2"),
                            ("payment_intent_data[description]", "d"))
        self.assertRegex(made["id"], "^cs_test_")
        self.assertEqual((made["object"], made["status"], made["payment_status"], made["mode"]),
                         ("checkout.session", "open", "unpaid", "payment"))
        self.assertEqual((made["amount_total"], made["currency"], made["payment_intent"]),
                         (2000, "usd", None))
        self.assertIn(made["id"], made["url"])
        self.assertEqual(made["expires_at"], made["created"] + 86400)
        done = self.complete(made, outcome="paid")
        self.assertEqual((done["status"], done["payment_status"], done["url"], done["metadata"]),
                         ("complete", "paid", None, {"a": "1"}))
        shown = self.show(f"checkout/sessions/{made['id']}?expand[]=payment_intent.latest_charge")
        intent = shown["payment_intent"]
        self.assertEqual((intent["status"], intent["amount_received"], intent["metadata"],
                          intent["description"]), ("succeeded", 2000, {"b": "2"}, "d"))
        self.assertEqual(intent["latest_charge"]["amount"], 2000)
        self.assertCharges(1)
        self.complete(made, 400, outcome="paid")
        self.assertCharges(1)
        self.assertEqual(self.events(), ["payment_intent.created", "charge.succeeded",
                                         "payment_intent.succeeded",
                                         "checkout.session.completed"])
        event = self.show("events?type=checkout.session.completed")["data"][0]
        self.assertEqual(event["data"]["object"], done)

    def test_whose_order_the_effect_is(self):
        for more, order in (([("client_reference_id", "order_1")], "order_1"),
                            ([("client_reference_id", "x"), ("metadata[order_id]", "order_2")],
                             "order_2"),
                            ([], None)):
            self.complete(self.session(*more), outcome="paid")
            effect = self.effects()[-1]
            self.assertEqual((effect.get("order"), effect.get("request", 0)), (order, 0))
            self.assertEqual((effect["data"]["object"], effect["data"]["amount"]), ("charge", 2000))

    def test_declined_and_tried_again(self):
        made = self.session()
        declined = self.complete(made, outcome="declined")
        self.assertEqual((declined["status"], declined["payment_status"]), ("open", "unpaid"))
        intent = self.show("payment_intents/" + declined["payment_intent"])
        self.assertEqual((intent["status"], intent["last_payment_error"]["decline_code"]),
                         ("requires_payment_method", "generic_decline"))
        self.assertCharges(0)
        self.complete(made, outcome="declined", payment_method="pm_card_chargeDeclinedLostCard")
        done = self.complete(made, outcome="paid", payment_method="pm_card_amex")
        self.assertEqual((done["status"], done["payment_intent"]), ("complete", intent["id"]))
        charges = self.show("charges?payment_intent=" + intent["id"])["data"]
        self.assertEqual([charge["status"] for charge in charges],
                         ["succeeded", "failed", "failed"])
        self.assertCharges(1)

    def test_an_intent_that_was_canceled_behind_the_page(self):
        made = self.session()
        intent = self.complete(made, outcome="declined")["payment_intent"]
        self.json(self.pay(None, "", f"/v1/payment_intents/{intent}/cancel"))
        self.complete(made, 400, outcome="paid")
        self.assertCharges(0)

    def test_its_intent_is_the_pages_while_it_is_open(self):
        made, other = self.session(), self.session()
        intent = self.complete(made, outcome="declined")["payment_intent"]
        spare = self.complete(other, outcome="declined")["payment_intent"]
        path = "/v1/payment_intents/"
        for params, verb in (("payment_method=pm_card_visa", "/confirm"), ("amount=1", ""),
                             ("metadata[a]=1", "")):
            error = self.error(self.pay(None, params, path + intent + verb), 400)
            self.assertEqual((error["type"], error["code"], error["payment_intent"]["id"]),
                             ("invalid_request_error", "payment_intent_unexpected_state", intent))
        self.assertCharges(0)
        self.assertEqual(self.complete(made, outcome="paid")["payment_status"], "paid")
        self.assertEqual(self.show("payment_intents/" + intent)["amount_received"], 2000)
        self.json(self.pay(None, "metadata[a]=1", path + intent))
        self.create("", 200, f"/{other['id']}/expire")
        self.json(self.pay(None, "payment_method=pm_card_visa", path + spare + "/confirm"))
        self.assertCharges(2)

    def test_authorized_only(self):
        made = self.session(("payment_intent_data[capture_method]", "manual"))
        done = self.complete(made, outcome="paid")
        self.assertEqual((done["status"], done["payment_status"]), ("complete", "unpaid"))
        self.assertEqual(self.effects(), [])
        path = f"/v1/payment_intents/{done['payment_intent']}/capture"
        self.assertEqual(self.json(self.pay(None, "", path))["status"], "succeeded")
        self.assertCharges(1)
        after = self.show("checkout/sessions/" + made["id"])
        self.assertEqual((after["status"], after["payment_status"]), ("complete", "paid"))
        self.assertNotIn("checkout.session.async_payment_succeeded", self.events())

    def test_a_bank_takes_its_time(self):
        types = [("payment_method_types[]", "card"), ("payment_method_types[]", "us_bank_account")]
        for method, status, event in (
                ("pm_usBankAccount_success", "paid", "succeeded"),
                ("pm_usBankAccount_accountClosed", "unpaid", "failed")):
            with self.subTest(method=method):
                self.setUp()
                made = self.session(*types)
                self.assertEqual(made["payment_method_types"], ["card", "us_bank_account"])
                done = self.complete(made, outcome="paid", payment_method=method)
                self.assertEqual((done["status"], done["payment_status"]), ("complete", "unpaid"))
                self.assertCharges(0)
                self.psp.advance("2m")
                after = self.show("checkout/sessions/" + made["id"])
                self.assertEqual((after["status"], after["payment_status"]), ("complete", status))
                self.assertCharges(int(status == "paid"))
                self.assertEqual(self.events()[-1], "checkout.session.async_payment_" + event)
                told = self.show("events?limit=1")["data"][0]["data"]["object"]
                self.assertEqual(told, after)
                self.complete(made, 400, outcome="paid")

    def test_only_what_the_page_takes(self):
        bank, card = {"payment_method": "pm_usBankAccount_success"}, {"payment_method": "pm_card_visa"}
        self.complete(self.session(), 400, outcome="paid", **bank)
        banks = self.session(("payment_method_types[0]", "us_bank_account"))
        self.complete(banks, 400, outcome="paid", **card)
        self.complete(banks, 400, outcome="declined", **bank)
        self.assertEqual(self.complete(banks, outcome="paid", **bank)["status"], "complete")

    def test_saves_the_card(self):
        customer = self.json(self.pay(None, "", "/v1/customers"))["id"]
        made = self.session(("customer", customer),
                            ("payment_intent_data[setup_future_usage]", "off_session"))
        done = self.complete(made, outcome="paid")
        saved = self.show(f"customers/{customer}/payment_methods")["data"]
        intent = self.show("payment_intents/" + done["payment_intent"])
        self.assertEqual([one["id"] for one in saved], [intent["payment_method"]])

    def test_the_control_plane_refuses(self):
        made = self.session()
        for how in ({}, {"outcome": "maybe"}, {"outcome": "paid", "payment_method": "pm_1"},
                    {"outcome": "paid", "payment_method": "pm_card_chargeDeclined"},
                    {"outcome": "declined", "payment_method": "pm_card_visa"}):
            self.complete(made, 400, **how)
        self.complete({"id": "cs_test_1"}, 404, outcome="paid")
        self.account += "other"
        self.complete(made, 404, outcome="paid")

    def test_without_an_account_it_finds_the_owner(self):
        made = self.session()
        answer = self.psp.ask("POST", f"/_mock/checkout/sessions/{made['id']}/complete", None,
                              {"outcome": "paid"})
        self.assertEqual(self.json(answer)["status"], "complete")
        self.assertCharges(1)


class Setup(Checkout):
    def test_saves_a_card(self):
        customer = self.json(self.pay(None, "", "/v1/customers"))["id"]
        made = self.create([("mode", "setup"), ("customer", customer), ("currency", "usd"),
                            ("setup_intent_data[metadata][a]", "1")] + URLS)
        self.assertEqual((made["payment_status"], made["amount_total"]),
                         ("no_payment_required", None))
        self.assertEqual(self.complete(made, outcome="declined")["status"], "open")
        done = self.complete(made, outcome="paid", payment_method="pm_card_authenticationRequired")
        self.assertEqual(done["status"], "complete")
        setup = self.show(f"setup_intents/{done['setup_intent']}?expand[]=payment_method")
        self.assertEqual((setup["status"], setup["metadata"]), ("succeeded", {"a": "1"}))
        self.assertEqual(setup["payment_method"]["customer"], customer)
        self.assertCharges(0)

    def test_a_setup_intent_is_authenticated(self):
        for outcome, status in (("succeeded", "succeeded"), ("failed", "requires_payment_method")):
            made = self.json(self.pay(None, "confirm=true&payment_method="
                                      "pm_card_authenticationRequired", "/v1/setup_intents"))
            path = f"/_mock/setup_intents/{made['id']}/complete"
            self.assertEqual(self.psp.ask("POST", path, self.account, {}).status, 400)
            done = self.json(self.psp.ask("POST", path, self.account, {"outcome": outcome}))
            self.assertEqual(done["status"], status)
            self.assertEqual(done, self.show("setup_intents/" + made["id"]))
            again = self.psp.ask("POST", path, self.account, {"outcome": outcome})
            self.assertEqual(again.status, 400)
        self.assertEqual(done["last_setup_error"]["code"], "setup_intent_authentication_failure")
        missing = self.psp.ask("POST", "/_mock/setup_intents/seti_1/complete", self.account,
                               {"outcome": "failed"})
        self.assertEqual(missing.status, 404)


class Ending(Checkout):
    def test_expired_by_the_merchant(self):
        made = self.session()
        path = f"/{made['id']}/expire"
        self.assertEqual(self.create("", 200, path)["status"], "expired")
        self.refused("", None, None, path)
        self.complete(made, 400, outcome="paid")
        self.assertEqual(self.events(), ["checkout.session.expired"])

    def test_expired_by_time(self):
        soon = self.psp.advance("1ms") // 1000 + 1801
        made = self.session(("expires_at", str(soon)))
        later = self.session()
        self.psp.advance("1799s")
        self.assertEqual(self.show("checkout/sessions/" + made["id"])["status"], "open")
        self.psp.advance("3s")
        gone = self.show("checkout/sessions/" + made["id"])
        self.assertEqual((gone["status"], gone["url"]), ("expired", None))
        self.complete(made, 400, outcome="paid")
        self.assertEqual(self.show("checkout/sessions/" + later["id"])["status"], "open")
        self.psp.advance("25h")
        self.assertEqual(self.show("checkout/sessions/" + later["id"])["status"], "expired")
        self.assertEqual(self.events(), ["checkout.session.expired"] * 2)
        self.assertCharges(0)

    def test_a_restart_forgets_nothing(self):
        psp = Mockpsp("--quiet", "--clock", "manual", "--db", "psp.db")
        try:
            made = self.json(psp.ask("POST", "/v1/checkout/sessions", self.account, PAGE))
            psp.kill()
            psp.restart()
            psp.advance("25h")
            shown = psp.ask("GET", "/v1/checkout/sessions/" + made["id"], self.account)
            self.assertEqual(self.json(shown)["status"], "expired")
        finally:
            psp.clean()


class Asking(Checkout):
    def test_line_items(self):
        params = [("mode", "payment")] + URLS
        for number in range(12):
            params += item(number, number, 2, "EUR", f"n{number}")
        made = self.create(params + [("expand[]", "line_items")])
        self.assertEqual((made["amount_total"], made["currency"]), (132, "eur"))
        items = made["line_items"]["data"]
        self.assertEqual([one["description"] for one in items], [f"n{i}" for i in range(12)])
        self.assertEqual((items[3]["amount_total"], items[3]["quantity"],
                          items[3]["price"]["unit_amount"]), (6, 2, 3))
        path = f"checkout/sessions/{made['id']}/line_items"
        page = self.show(path)
        self.assertEqual((page["object"], page["has_more"], page["url"]), ("list", True, "/v1/" + path))
        self.assertEqual(page["data"], items[:10])
        rest = self.show(f"{path}?starting_after={items[9]['id']}")
        self.assertEqual((rest["data"], rest["has_more"]), (items[10:], False))
        back = self.show(f"{path}?ending_before={items[9]['id']}&limit=3")
        self.assertEqual((back["data"], back["has_more"]), (items[6:9], True))
        self.assertEqual(self.show(f"{path}?starting_after=li_1", 400)["error"]["param"],
                         "starting_after")
        both = f"starting_after={items[1]['id']}&ending_before={items[9]['id']}"
        self.assertEqual(self.show(f"{path}?{both}", 400)["error"]["param"], "ending_before")
        self.assertNotIn("line_items", self.show("checkout/sessions/" + made["id"]))

    def test_the_currency_may_be_said_once_more(self):
        self.assertEqual(self.session(("currency", "USD"))["currency"], "usd")

    def test_refusals(self):
        for params, code, param in (
                (PAGE[1:], "parameter_missing", "mode"),
                ([("mode", "subscription")] + PAGE[1:], None, "mode"),
                (PAGE[:5], "parameter_missing", "success_url"),
                ([("mode", "payment")] + URLS, "parameter_missing", "line_items"),
                (PAGE + [("x", "1")], "parameter_unknown", "x"),
                (PAGE + [("line_items[1][price]", "price_1")], "resource_missing",
                 "line_items[1][price]"),
                (PAGE + [("line_items[0][x]", "1")], "parameter_unknown", "line_items[0][x]"),
                (PAGE + [("line_items[1][quantity]", "1")], "parameter_missing",
                 "line_items[1][price_data][currency]"),
                (PAGE + item(2, 1, 1), None, "line_items"),
                (PAGE + item(1, 1, 1, "eur"), None, "line_items[1][price_data][currency]"),
                (PAGE + item(1, 1, 0), "parameter_invalid_integer", "line_items[1][quantity]"),
                (PAGE + item(1, "1.5", 1), "parameter_invalid_integer",
                 "line_items[1][price_data][unit_amount]"),
                (PAGE + item(1, 99999999, 999999), "amount_too_large", "line_items"),
                ([("mode", "payment")] + item(0, 0, 1) + URLS, "amount_too_small", "line_items"),
                ([("mode", "setup")] + PAGE[1:], None, "line_items"),
                (PAGE + [("customer", "cus_1")], "resource_missing", "customer"),
                (PAGE + [("expires_at", "1")], "parameter_invalid_integer", "expires_at"),
                (PAGE + [("payment_intent_data[x]", "1")], "parameter_unknown",
                 "payment_intent_data[x]"),
                (PAGE + [("currency", "eur")], None, "currency"),
                (PAGE + [("currency", "qqq")], None, "currency"),
                (PAGE + [("payment_method_types[]", "card"), ("payment_method_types[]", "ideal")],
                 None, "payment_method_types[]"),
                (PAGE + [("payment_method_types[0]", "us_bank_account"),
                         ("payment_intent_data[capture_method]", "manual")], None,
                 "payment_method_types[0]"),
                (PAGE + [("setup_intent_data[metadata][a]", "1")], None, "setup_intent_data"),
                ([("mode", "setup"), ("payment_intent_data[description]", "d")] + URLS, None,
                 "payment_intent_data"),
                (PAGE + [("expand[]", "x")], None, "expand")):
            self.refused(params, code, param)
        self.show("checkout/sessions/cs_test_1", 404)
        self.show("checkout/sessions?expand[]=data.line_items", 400)
        self.show("checkout/sessions/cs_test_1/line_items", 404)

    def test_the_words_of_its_intent_have_the_limits_of_an_intent(self):
        root = "payment_intent_data[metadata]"
        many = [(f"{root}[k{number}]", "1") for number in range(50)]
        fits = [("payment_intent_data[description]", "ä" * 1000),
                (f"{root}[{'ä' * 40}]", "ä" * 500)]
        for params, param in ((many + [(root + "[k50]", "1")], root),
                              ([(f"{root}[{'k' * 41}]", "1")], root),
                              ([(root + "[k]", "v" * 501)], root + "[k]"),
                              ([(root + "[k][l]", "v")], root), ([(root, "v")], root),
                              ([("payment_intent_data[description]", "d" * 1001)],
                               "payment_intent_data[description]"),
                              ([("payment_intent_data[receipt_email]", "e" * 513)],
                               "payment_intent_data[receipt_email]")):
            self.refused(PAGE + params, None, param)
        made = self.session(*many[:49], *fits)
        paid = self.complete(made, outcome="paid")
        intent = self.show("payment_intents/" + paid["payment_intent"])
        self.assertEqual((len(intent["metadata"]), intent["metadata"]["ä" * 40]), (50, "ä" * 500))
        self.assertEqual(intent["description"], "ä" * 1000)
        self.refused([("mode", "setup"), ("setup_intent_data[metadata][k]", "v" * 501)] + URLS,
                     None, "setup_intent_data[metadata][k]")

    def test_lists_and_words(self):
        customer = self.json(self.pay(None, "", "/v1/customers"))["id"]
        made = [self.session(("customer", customer)), self.session(("customer_email", "a@x.org"))]
        self.complete(made[0], outcome="paid")
        listed = self.show("checkout/sessions")["data"]
        self.assertEqual([one["id"] for one in listed], [made[1]["id"], made[0]["id"]])
        intent = listed[1]["payment_intent"]
        for query, found in ((f"customer={customer}", made[0]), ("status=open", made[1]),
                             (f"payment_intent={intent}", made[0])):
            listed = self.show("checkout/sessions?" + query)["data"]
            self.assertEqual([one["id"] for one in listed], [found["id"]], query)
        changed = self.create("metadata[a]=1", 200, "/" + made[1]["id"])
        self.assertEqual((changed["metadata"], changed["customer_email"]), ({"a": "1"}, "a@x.org"))
        self.refused("amount=1", "parameter_unknown", "amount", "/" + made[1]["id"])

    def test_an_answer_is_replayed(self):
        first = self.pay("key", PAGE, "/v1/checkout/sessions")
        self.assertReplay(self.pay("key", PAGE, "/v1/checkout/sessions"), first)
        self.assertEqual(len(self.show("checkout/sessions")["data"]), 1)


if __name__ == "__main__":
    main()
