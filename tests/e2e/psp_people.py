"""Customers and what belongs to them: payment methods, setup intents, checkout sessions; and the
filters of lists by time."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PspTest, main, new_account  # noqa: E402
from raw_http import request  # noqa: E402


class People(PspTest):
    def create(self, path, params="", status=200):
        return self.json(self.pay(None, params, "/v1/" + path), status)

    def show(self, path, status=200):
        return self.json(self.get("/v1/" + path), status)

    def delete(self, path, status=200):
        return self.json(self.psp.ask("DELETE", "/v1/" + path, self.account), status)

    def events(self):
        """The types of all events of the account, oldest first."""
        return [event["type"] for event in self.show("events?limit=100")["data"]][::-1]

    def declined(self, path, params, decline_code):
        error = self.error(self.pay(None, params, "/v1/" + path), 402)
        self.assertEqual((error["type"], error["decline_code"]), ("card_error", decline_code))
        return error

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


class Customers(People):
    def test_update(self):
        made = self.create("customers", "email=a@x.org&name=A&metadata[a]=1&metadata[b]=2"
                                        "&address[city]=Bern&address[country]=CH")
        path = "customers/" + made["id"]
        changed = self.create(path, "email=b@x.org&name=&metadata[b]=&metadata[c]=3&description=d"
                                    "&address[city]=Basel&shipping[address][line1]=x&phone=1")
        self.assertEqual((changed["email"], changed["name"], changed["phone"]),
                         ("b@x.org", None, "1"))
        self.assertEqual(changed["metadata"], {"a": "1", "c": "3"})
        self.assertEqual(changed["address"], {"city": "Basel", "country": "CH"})
        self.assertEqual(changed["shipping"], {"address": {"line1": "x"}})
        self.assertEqual(self.show(path), changed)
        self.assertEqual(self.create(path, "metadata=&address=")["metadata"], {})
        self.assertIsNone(self.show(path)["address"])
        self.assertEqual(self.events(), ["customer.created"] + ["customer.updated"] * 2)

    def test_update_refuses(self):
        path = "customers/" + self.create("customers")["id"]
        self.refused(path, "amount=1", "parameter_unknown", "amount")
        self.refused(path, "address[x]=1", "parameter_unknown", "address[x]")
        self.refused(path, "invoice_settings[x]=1", "parameter_unknown", "invoice_settings[x]")
        self.refused(path, "name=" + "x" * 257, None, "name")
        self.refused("customers/cus_1", "name=x", "resource_missing", "id", 404)
        for i in range(5):
            self.create(path, [(f"metadata[{i}x{j}]", "v") for j in range(10)])
        self.refused(path, "metadata[one_more]=v", None, "metadata")
        self.create(path, "metadata[0x0]=&metadata[one_more]=v")

    def test_delete(self):
        made = self.create("customers", "email=a@x.org&source=tok_visa")
        path = "customers/" + made["id"]
        gone = {"id": made["id"], "object": "customer", "deleted": True}
        self.assertEqual(self.delete(path), gone)
        self.assertEqual(self.show(path), gone)
        self.delete(path, 404)
        self.delete("customers/cus_1", 404)
        self.assertEqual(self.ids("customers"), [])
        self.refused(path, "name=x", "resource_missing", "id", 404)
        self.refused("charges", f"amount=1000&currency=usd&customer={made['id']}",
                     "resource_missing", "customer")
        self.show(path + "/payment_methods", 404)
        self.assertIsNone(self.show("payment_methods/" + made["default_source"])["customer"])
        self.assertEqual(self.events()[-1], "customer.deleted")

    def test_lists_by_email(self):
        made = [self.create("customers", f"email={name}@x.org")["id"] for name in "aba"]
        self.assertEqual(self.ids("customers?email=a@x.org"), [made[2], made[0]])
        self.assertEqual(self.ids(f"customers?email=a@x.org&starting_after={made[2]}"), [made[0]])
        self.assertEqual(self.ids("customers?email=c@x.org"), [])

    def test_default_payment_method(self):
        """The two ways that are documented: with the customer, and afterwards."""
        made = self.create("customers", "payment_method=pm_card_visa"
                           "&invoice_settings[default_payment_method]=pm_card_visa")
        default = made["invoice_settings"]["default_payment_method"]
        self.assertEqual(self.ids(f"customers/{made['id']}/payment_methods"), [default])
        path = "customers/" + made["id"]
        other = self.create("payment_methods/pm_card_mastercard/attach", "customer=" + made["id"])
        name = "invoice_settings[default_payment_method]"
        self.create(path, f"{name}={other['id']}")
        shown = self.show(path + "?expand[]=invoice_settings.default_payment_method")
        self.assertEqual(shown["invoice_settings"]["default_payment_method"], other)
        free = self.create("payment_methods", "type=card&card[token]=tok_visa")["id"]
        self.refused(path, f"{name}={free}", None, name)
        self.refused(path, f"{name}=pm_1", "resource_missing", name)
        self.create(f"payment_methods/{other['id']}/detach")
        self.assertIsNone(self.show(path)["invoice_settings"]["default_payment_method"])

    def test_source(self):
        made = self.create("customers", "source=tok_mastercard")
        shown = self.show(f"customers/{made['id']}?expand[]=default_source")
        self.assertEqual(shown["default_source"]["card"]["brand"], "mastercard")
        self.declined("customers", "source=tok_chargeDeclined", "generic_decline")
        self.assertEqual(len(self.ids("customers")), 1)
        changed = self.create("customers/" + made["id"], "source=tok_amex")
        self.assertNotEqual(changed["default_source"], made["default_source"])
        back = self.create("customers/" + made["id"], "default_source=" + made["default_source"])
        self.assertEqual(back["default_source"], made["default_source"])


class PaymentMethods(People):
    def test_create(self):
        made = self.create("payment_methods", "type=card&card[number]=4242424242424242"
                           "&card[exp_month]=12&card[exp_year]=2040&card[cvc]=123"
                           "&billing_details[email]=a@x.org&billing_details[address][city]=Bern"
                           "&metadata[a]=1")
        self.assertRegex(made["id"], "^pm_")
        self.assertEqual((made["object"], made["type"], made["customer"], made["metadata"]),
                         ("payment_method", "card", None, {"a": "1"}))
        self.assertEqual((made["card"]["brand"], made["card"]["last4"]), ("visa", "4242"))
        self.assertEqual(made["billing_details"], {"email": "a@x.org", "address": {"city": "Bern"}})
        self.assertEqual(self.show("payment_methods/" + made["id"]), made)
        self.assertEqual(self.show("payment_methods/pm_card_amex")["card"]["brand"], "amex")

    def test_create_refuses(self):
        for params, code, param in (("card[token]=tok_visa", "parameter_missing", "type"),
                                    ("type=card", "parameter_missing", "card"),
                                    ("type=cash&card[token]=tok_visa", None, "type"),
                                    ("type=card&card[number]=4111111111111111", "resource_missing",
                                     "card[number]"),
                                    ("type=card&x=1", "parameter_unknown", "x")):
            self.refused("payment_methods", params, code, param)
        self.show("payment_methods/pm_1", 404)

    def test_life(self):
        customer, other = (self.create("customers")["id"] for _ in range(2))
        path = "payment_methods/" + self.create("payment_methods", "type=card&card[token]=tok_visa")["id"]
        self.refused(path, "metadata[a]=1", None, "payment_method")
        self.refused(path + "/detach", "", None, "payment_method")
        self.refused(path + "/attach", "", "parameter_missing", "customer")
        self.refused(path + "/attach", "customer=cus_1", "resource_missing", "customer")
        attached = self.create(path + "/attach", "customer=" + customer)
        self.assertEqual(attached["customer"], customer)
        self.assertEqual(self.create(path + "/attach", "customer=" + customer), attached)
        self.refused(path + "/attach", "customer=" + other, None, "payment_method")
        changed = self.create(path, "metadata[a]=1&billing_details[name]=A")
        self.assertEqual((changed["metadata"], changed["billing_details"]["name"]),
                         ({"a": "1"}, "A"))
        self.assertEqual(self.show(path + "?expand[]=customer")["customer"]["id"], customer)
        self.assertIsNone(self.create(path + "/detach")["customer"])
        self.refused(path + "/attach", "customer=" + customer, None, "payment_method")
        self.refused("payment_methods/pm_1/attach", "customer=" + customer, "resource_missing",
                     "payment_method", 404)
        self.assertEqual(self.events()[2:], ["payment_method.attached",
                                              "payment_method.updated", "payment_method.detached"])

    def test_lists(self):
        customer = self.create("customers")["id"]
        made = [self.create(f"payment_methods/pm_card_{brand}/attach", "customer=" + customer)["id"]
                for brand in ("visa", "mastercard", "amex")]
        self.create("payment_methods", "type=card&card[token]=tok_visa")
        for path in (f"payment_methods?type=card&customer={customer}",
                     f"customers/{customer}/payment_methods?type=card"):
            self.assertEqual(self.ids(path), made[::-1])
            self.assertEqual(self.ids(path + f"&limit=1&starting_after={made[2]}"), [made[1]])
            self.assertEqual(self.ids(path + f"&ending_before={made[1]}"), [made[2]])
        self.assertEqual(len(self.ids("payment_methods")), 4)
        bank = self.create("payment_methods/pm_usBankAccount_success/attach",
                           "customer=" + customer)
        self.assertEqual(bank["type"], "us_bank_account")
        self.assertEqual(self.ids(f"payment_methods?type=us_bank_account&customer={customer}"),
                         [bank["id"]])
        self.assertEqual(len(self.ids(f"customers/{customer}/payment_methods?type=card")), 3)

    def test_declined(self):
        """Most cards that decline cannot be saved; one can, and declines afterwards."""
        customer = self.create("customers")["id"]
        self.declined("payment_methods/pm_card_chargeDeclined/attach", "customer=" + customer,
                      "generic_decline")
        saved = self.create("payment_methods/pm_card_chargeCustomerFail/attach",
                            "customer=" + customer)["id"]
        self.declined("payment_intents", "amount=1000&currency=usd&confirm=true"
                      f"&customer={customer}&payment_method={saved}", "generic_decline")
        self.assertEqual(self.ids("payment_methods"), [saved])

    def test_pays(self):
        customer = self.create("customers")["id"]
        own = self.create("payment_methods", "type=card&card[token]=tok_mastercard")["id"]
        pay = f"amount=1000&currency=usd&confirm=true&payment_method={own}"
        self.create(f"payment_methods/{own}/attach", "customer=" + customer)
        self.refused("payment_intents", pay, None, "payment_method")
        paid = self.create("payment_intents", f"{pay}&customer={customer}")
        self.assertEqual(paid["status"], "succeeded")
        self.assertEqual(paid["payment_method"], own)
        charge = self.show(f"payment_intents/{paid['id']}?expand[]=latest_charge"
                           "&expand[]=payment_method")
        self.assertEqual(charge["latest_charge"]["payment_method"], own)
        self.assertEqual(charge["payment_method"]["customer"], customer)
        intent = self.create("payment_intents", f"amount=1000&currency=usd&customer={customer}")
        confirm = f"payment_intents/{intent['id']}/confirm"
        self.assertEqual(self.create(confirm, f"payment_method={own}")["payment_method"], own)
        intent = self.create("payment_intents", "amount=1000&currency=usd")
        self.refused(f"payment_intents/{intent['id']}/confirm", f"payment_method={own}", None,
                     "payment_method")
        self.create(f"payment_methods/{own}/detach")
        self.refused("payment_intents", f"{pay}&customer={customer}", None, "payment_method")
        self.assertCharges(2)

    def test_of_a_customer(self):
        customer, other = (self.create("customers")["id"] for _ in range(2))
        own = self.create("payment_methods/pm_card_visa/attach", "customer=" + customer)["id"]
        path = f"payment_methods/{own}"
        self.assertEqual(self.show(f"customers/{customer}/{path}"), self.show(path))
        shown = self.show(f"customers/{customer}/{path}?expand[]=customer")
        self.assertEqual(shown["customer"]["id"], customer)
        free = self.create("payment_methods", "type=card&card[token]=tok_visa")["id"]
        for wrong in (f"customers/{other}/{path}", f"customers/cus_1/{path}",
                      f"customers/{customer}/payment_methods/{free}",
                      f"customers/{customer}/payment_methods/pm_card_visa",
                      f"customers/{customer}x/{path}", f"customers/{customer[:-1]}/{path}"):
            error = self.show(wrong, 404)["error"]
            self.assertEqual((error["code"], error["param"]),
                             ("resource_missing", "payment_method"))

    def test_detached_while_its_customer_is_asked(self):
        """Neither pays nor is saved by what comes back afterwards."""
        customer = self.create("customers")["id"]
        card = "payment_methods/pm_card_authenticationRequired/attach"
        for path, more in (("payment_intents", "amount=1000&currency=usd&"), ("setup_intents", "")):
            own = self.create(card, "customer=" + customer)["id"]
            made = self.create(path, f"{more}confirm=true&customer={customer}&payment_method={own}")
            self.assertEqual(made["status"], "requires_action")
            self.create(f"payment_methods/{own}/detach")
            done = self.json(self.psp.ask("POST", f"/_mock/{path}/{made['id']}/complete",
                                          self.account, {"outcome": "succeeded"}))
            self.assertEqual((done["status"], done["payment_method"]),
                             ("requires_payment_method", None))
        self.assertCharges(0)

    def test_used_up_while_its_customer_is_asked(self):
        own = self.create("payment_methods",
                          "type=card&card[token]=tok_authenticationRequired")["id"]
        pay = f"amount=1000&currency=usd&confirm=true&payment_method={own}"
        both = [self.create("payment_intents", pay)["id"] for _ in range(2)]
        said = [self.json(self.psp.ask("POST", f"/_mock/payment_intents/{one}/complete",
                                       self.account, {"outcome": "succeeded"}))["status"]
                for one in both]
        self.assertEqual(said, ["succeeded", "requires_payment_method"])
        self.assertCharges(1)

    def test_pays_once_without_a_customer(self):
        own = self.create("payment_methods", "type=card&card[token]=tok_visa")["id"]
        pay = f"amount=1000&currency=usd&payment_method={own}"
        waits = self.create("payment_intents", pay)["id"]
        self.create("payment_intents", pay + "&confirm=true")
        self.refused("payment_intents", pay + "&confirm=true", None, "payment_method")
        self.refused("charges", f"amount=1000&currency=usd&source={own}", None, "source")
        self.refused(f"payment_intents/{waits}/confirm", "", None, "payment_method")
        customer = self.create("customers")["id"]
        self.refused(f"payment_methods/{own}/attach", f"customer={customer}", None,
                     "payment_method")
        self.create("setup_intents", f"payment_method={own}", 400)
        failing = self.create("payment_methods",
                              "type=card&card[token]=tok_chargeDeclined")["id"]
        for _ in range(2):
            self.declined("payment_intents", "amount=1000&currency=usd&confirm=true"
                          f"&payment_method={failing}", "generic_decline")
        self.assertCharges(1)

    def _race(self, ms):
        """Two payments with one payment method; the first waits MS before its commit. None when the
        wait was over before the second one came."""
        self.account = new_account()
        own = self.create("payment_methods", "type=card&card[token]=tok_visa")["id"]
        pay = f"amount=1000&currency=usd&confirm=true&payment_method={own}"
        self.psp.faults({"on": "POST /v1/payment_intents", "nth": 1, "at": "before_commit",
                         "act": {"kind": "delay", "ms": ms}}, account=self.account)
        with self.psp.connect() as connection:
            connection.send(request("POST", "/v1/payment_intents", self.account, pay))
            self.psp.wait_for_fault(self.account, "before_commit")
            second = self.pay(None, pay)
            return None if second.status != 200 else connection.answer()

    def test_is_spent_while_a_request_waits(self):
        answers = (self._race(ms) for ms in (100, 800, 6400))
        first = next(answer for answer in answers if answer is not None)
        self.assertEqual(self.error(first, 400)["param"], "payment_method")
        self.assertCharges(1)

    def test_is_saved_by_paying(self):
        customer = self.create("customers")["id"]
        pay = f"amount=1000&currency=usd&confirm=true&customer={customer}&payment_method="
        paid = self.create("payment_intents", pay + "pm_card_visa&setup_future_usage=off_session"
                           "&expand[]=latest_charge")
        saved = paid["payment_method"]
        self.assertEqual((paid["setup_future_usage"], paid["latest_charge"]["payment_method"]),
                         ("off_session", saved))
        self.assertEqual(self.ids(f"customers/{customer}/payment_methods"), [saved])
        self.create("payment_intents", pay + saved + "&off_session=true")
        own = self.create("payment_methods", "type=card&card[token]=tok_amex")["id"]
        intent = self.create("payment_intents", f"amount=1000&currency=usd&customer={customer}"
                             "&capture_method=manual")["id"]
        self.create(f"payment_intents/{intent}/confirm",
                    f"payment_method={own}&setup_future_usage=on_session")
        self.assertEqual(self.ids(f"customers/{customer}/payment_methods"), [own, saved])
        self.create(f"payment_methods/{own}/detach")
        self.create(f"payment_intents/{intent}/capture")
        self.assertEqual(self.ids(f"customers/{customer}/payment_methods"), [saved])
        self.declined("payment_intents", pay + "pm_card_chargeDeclined"
                      "&setup_future_usage=off_session", "generic_decline")
        self.assertEqual(self.ids(f"customers/{customer}/payment_methods"), [saved])
        self.refused("payment_intents", pay + "pm_card_visa&setup_future_usage=x", None,
                     "setup_future_usage")
        self.assertCharges(3)

    def test_pays_charges(self):
        """The older way: a customer with a source, charged without naming it."""
        customer = self.create("customers", "source=tok_amex")
        charge = self.create("charges", f"amount=1000&currency=usd&customer={customer['id']}")
        self.assertEqual((charge["payment_method"], charge["payment_method_details"]["card"]["brand"]),
                         (customer["default_source"], "amex"))
        paid = self.create("payment_intents", "amount=1000&currency=usd&confirm=true"
                           f"&customer={customer['id']}")
        self.assertEqual(paid["payment_method"], customer["default_source"])
        pay = f"amount=1000&currency=usd&source={customer['default_source']}"
        self.refused("charges", pay, None, "source")
        self.create("charges", f"{pay}&customer={customer['id']}")
        self.create("customers/" + customer["id"], "source=tok_chargeCustomerFail")
        self.declined("charges", f"amount=1000&currency=usd&customer={customer['id']}",
                      "generic_decline")
        self.assertCharges(3)

    def test_accounts_do_not_see_one_another(self):
        own = self.create("payment_methods", "type=card&card[token]=tok_visa")["id"]
        self.account += "other"
        self.show("payment_methods/" + own, 404)
        self.refused("payment_intents", f"amount=1&currency=usd&payment_method={own}",
                     "resource_missing", "payment_method")


class SetupIntents(People):
    def test_life(self):
        made = self.create("setup_intents", "metadata[a]=1&description=d&usage=on_session")
        self.assertRegex(made["id"], "^seti_")
        self.assertEqual((made["object"], made["status"], made["usage"], made["metadata"]),
                         ("setup_intent", "requires_payment_method", "on_session", {"a": "1"}))
        self.assertTrue(made["client_secret"].startswith(made["id"] + "_secret_"))
        path = "setup_intents/" + made["id"]
        self.refused(path + "/confirm", "", "setup_intent_unexpected_state", None)
        chosen = self.create(path, "payment_method=pm_card_visa&metadata[b]=2")
        self.assertEqual((chosen["status"], chosen["metadata"]),
                         ("requires_confirmation", {"a": "1", "b": "2"}))
        done = self.create(path + "/confirm")
        self.assertEqual((done["status"], done["next_action"]), ("succeeded", None))
        self.assertEqual(self.show(path), done)
        self.assertIsNone(self.show("payment_methods/" + done["payment_method"])["customer"])
        for verb in ("/confirm", "/cancel"):
            self.refused(path + verb, "", "setup_intent_unexpected_state", None)
        self.refused(path, "payment_method=pm_card_amex", "setup_intent_unexpected_state", None)
        self.assertEqual(self.create(path, "metadata[a]=")["metadata"], {"b": "2"})
        self.assertEqual(self.events(), ["setup_intent.created", "setup_intent.succeeded"])
        self.assertCharges(0)

    def test_saves_for_a_customer(self):
        """What is saved pays, off session, for that customer."""
        customer = self.create("customers")["id"]
        made = self.create("setup_intents", f"customer={customer}&confirm=true"
                           "&payment_method=pm_card_mastercard&expand[]=payment_method")
        method = made["payment_method"]
        self.assertEqual((method["customer"], method["card"]["brand"]), (customer, "mastercard"))
        self.assertEqual(self.ids(f"customers/{customer}/payment_methods"), [method["id"]])
        paid = self.create("payment_intents", f"amount=1000&currency=usd&customer={customer}"
                           f"&payment_method={method['id']}&off_session=true&confirm=true")
        self.assertEqual(paid["payment_method"], method["id"])
        again = self.create("setup_intents", f"customer={customer}&confirm=true"
                            f"&payment_method={method['id']}")
        self.assertEqual(again["payment_method"], method["id"])
        self.assertEqual(self.events().count("payment_method.attached"), 1)
        self.refused("setup_intents", f"payment_method={method['id']}", None, "payment_method")

    def test_declined(self):
        error = self.declined("setup_intents", "confirm=true"
                              "&payment_method=pm_card_chargeDeclinedInsufficientFunds",
                              "insufficient_funds")
        setup = error["setup_intent"]
        self.assertEqual((setup["status"], setup["payment_method"]),
                         ("requires_payment_method", None))
        self.assertEqual(setup["last_setup_error"]["decline_code"], "insufficient_funds")
        path = "setup_intents/" + setup["id"]
        self.assertEqual(self.show(path), setup)
        done = self.create(path + "/confirm", "payment_method=pm_card_visa")
        self.assertEqual((done["status"], done["last_setup_error"]), ("succeeded", None))
        self.psp.faults(("received", {"kind": "decline", "code": "lost_card"}),
                        account=self.account)
        self.declined("setup_intents", "confirm=true&payment_method=pm_card_visa", "lost_card")

    def test_authentication(self):
        made = self.create("setup_intents", "confirm=true"
                           "&payment_method=pm_card_authenticationRequired")
        self.assertEqual(made["status"], "requires_action")
        self.assertTrue(made["next_action"])
        path = "setup_intents/" + made["id"]
        self.refused(path + "/confirm", "", "setup_intent_unexpected_state", None)
        done = self.create(path + "/confirm", "payment_method=pm_card_visa")
        self.assertEqual(done["status"], "succeeded")
        self.assertEqual(self.events()[1:], ["setup_intent.requires_action",
                                             "setup_intent.succeeded"])

    def test_cancel(self):
        path = "setup_intents/" + self.create("setup_intents", "payment_method=pm_card_visa")["id"]
        self.refused(path + "/cancel", "cancellation_reason=x", None, "cancellation_reason")
        gone = self.create(path + "/cancel", "cancellation_reason=abandoned")
        self.assertEqual((gone["status"], gone["cancellation_reason"]), ("canceled", "abandoned"))
        self.refused(path + "/confirm", "", "setup_intent_unexpected_state", None)
        self.refused("setup_intents/seti_1/cancel", "", "resource_missing", "intent", 404)
        self.assertEqual(self.events()[-1], "setup_intent.canceled")

    def test_lists_and_refusals(self):
        customer = self.create("customers")["id"]
        first, _, last = (self.create("setup_intents", params)["id"] for params in
                          (f"customer={customer}", "", f"customer={customer}"))
        self.assertEqual(self.ids(f"setup_intents?customer={customer}"), [last, first])
        self.assertEqual(self.ids(f"setup_intents?customer={customer}&ending_before={first}"), [last])
        self.refused("setup_intents", "amount=1", "parameter_unknown", "amount")
        self.refused("setup_intents", "confirm=true", "parameter_missing", "payment_method")
        self.refused("setup_intents", "customer=cus_1", "resource_missing", "customer")
        self.show("setup_intents/seti_1", 404)


if __name__ == "__main__":
    main()
