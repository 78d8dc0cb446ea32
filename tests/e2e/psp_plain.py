"""The plain face: payments as many banks and acquirers have them, in JSON, over the same ledger, the
same key gate and the same faults as the Stripe-like one."""
import base64
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import mockpsp_process as psp  # noqa: E402
import raw_http  # noqa: E402

ORDER = {"amount": 2000, "currency": "EUR", "operation_id": "op-1", "reference": "order_1"}


class Plain(psp.PspTest):
    def bytes(self, method, path, body=None, key=None, account=None, headers=()):
        payload = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            headers = [*headers, ("Content-Type", "application/json"),
                       ("Content-Length", str(len(payload)))]
        return raw_http.request(method, path, account or self.account, None, key, headers) + payload

    def send(self, method, path, body=None, key=None, account=None, headers=()):
        with self.psp.connect() as connection:
            return connection.ask(self.bytes(method, path, body, key, account, headers), method)

    def post(self, change=None, key=None, path="/payments"):
        body = {**ORDER, **(change or {})}
        return self.send("POST", path, {k: v for k, v in body.items() if v is not None}, key)

    def look(self, path, status=200):
        return self.json(self.send("GET", path), status)

    def refused(self, answer, status, code, field=None):
        error = self.json(answer, status)
        self.assertEqual((error["code"], error.get("field")), (code, field), error)
        self.assertTrue(error["message"])
        return error


class Paying(Plain):
    def test_a_payment_is_taken_and_found_by_all_its_names(self):
        made = self.json(self.post({"description": "books", "metadata": {"a": "b"}}), 201)
        self.assertEqual((made["status"], made["amount"], made["currency"]),
                         ("SUCCESS", 2000, "EUR"))
        self.assertEqual((made["operation_id"], made["reference"]), ("op-1", "order_1"))
        self.assertEqual((made["description"], made["metadata"]), ("books", {"a": "b"}))
        self.assertEqual(made["payment_method"],
                         {"type": "card", "brand": "visa", "last4": "4242"})
        self.assertEqual(made["created_at"], "2026-01-01T00:00:00Z")
        self.assertEqual(self.look("/payments/" + made["id"]), made)
        self.assertEqual(self.look("/payments/operations/op-1"), made)
        self.assertEqual(self.look("/payments?reference=order_1"),
                         {"data": [made], "next_cursor": None})

    def test_it_is_a_charge_of_the_one_ledger(self):
        made = self.json(self.post(), 201)
        charge, = self.psp.charges(self.account)
        self.assertEqual(charge["id"], made["id"])
        self.assertEqual((charge["amount"], charge["currency"]), (2000, "eur"))
        self.assertEqual(self.json(self.get("/v1/charges/" + charge["id"]))["amount"], 2000)

    def test_a_declined_card_is_a_payment_that_failed(self):
        for change in ({"card": {"number": "4000000000009995"}},
                       {"payment_method": "pm_card_chargeDeclinedInsufficientFunds"},
                       {"source": {"token": "tok_chargeDeclinedInsufficientFunds"}}):
            change["operation_id"] = None
            made = self.json(self.post(change), 201)
            self.assertEqual((made["status"], made["decline_code"]),
                             ("FAILED", "insufficient_funds"))
            self.assertTrue(made["failure_message"])
        self.assertCharges(0)

    def test_a_bank_takes_its_time(self):
        made = self.json(self.post({"payment_method": "pm_usBankAccount_processing_success"}), 202)
        self.assertEqual((made["status"], made["payment_method"]["type"]),
                         ("PROCESSING", "us_bank_account"))
        self.assertEqual(self.look("/payments/operations/op-1"), made)
        self.refused(self.post(), 409, "operation_exists", "operation_id")
        self.assertCharges(0)

    def test_the_names_are_optional(self):
        made = self.json(self.post({"operation_id": None, "reference": None}), 201)
        self.assertEqual((made["operation_id"], made["reference"]), (None, None))
        self.json(self.post({"operation_id": None, "reference": None}), 201)
        self.assertCharges(2)

    def test_payments_of_another_account_are_not_there(self):
        made = self.json(self.post(), 201)
        other = psp.new_account()
        for path in ("/payments/" + made["id"], "/payments/operations/op-1"):
            self.refused(self.send("GET", path, account=other), 404, "resource_missing",
                         "operation_id" if "operations" in path else "id")
        self.assertEqual(self.json(self.send("GET", "/payments", account=other))["data"], [])


class Settling(Plain):
    """Banks that take their time: 202 PROCESSING, and on the provider's clock it settles."""

    def test_a_payment_settles_later(self):
        for method, status in (("success", "SUCCESS"), ("processing_failure", "FAILED")):
            change = {"payment_method": "pm_usBankAccount_" + method, "operation_id": method}
            made = self.json(self.post(change), 202)
            self.assertEqual(made["status"], "PROCESSING")
            self.psp.advance("1m")
            settled = self.look("/payments/operations/" + method)
            self.assertEqual((settled["id"], settled["status"]), (made["id"], status))
            self.assertEqual(settled["decline_code"] is None, status == "SUCCESS")
        self.assertCharges(1)
        effect, = [entry for entry in self.psp.journal(self.account) if entry["kind"] == "effect"]
        self.assertEqual((effect.get("request", 0), effect["order"], effect["data"]["amount"]),
                         (0, "order_1", 2000))

    def test_a_key_repeats_the_202_and_the_operation_tells_the_truth(self):
        change = {"payment_method": "pm_usBankAccount_success"}
        first = self.post(change, key="k")
        self.psp.advance("1m")
        self.assertReplay(self.post(change, key="k"), first)
        self.assertEqual(self.json(first, 202)["status"], "PROCESSING")
        self.assertEqual(self.look("/payments/operations/op-1")["status"], "SUCCESS")

    def test_what_is_processing_cannot_be_refunded(self):
        made = self.json(self.post({"payment_method": "pm_usBankAccount_success"}), 202)
        self.refused(self.send("POST", f"/payments/{made['id']}/refunds", {}), 400,
                     "invalid_request")


    def test_a_bank_that_waits_for_ever_is_told_at_the_control_plane(self):
        for outcome, status in (("succeeded", "SUCCESS"), ("failed", "FAILED")):
            self.account = psp.new_account()
            made = self.json(self.post({"payment_method": "pm_usBankAccount_processing"}), 202)
            self.psp.advance("90d")
            self.assertEqual(self.look("/payments/" + made["id"])["status"], "PROCESSING")
            path = f"payments/{made['id']}/complete"
            done = self.psp.control("POST", path, {"outcome": outcome})
            self.assertEqual((done["id"], done["status"]), (made["id"], status))
            self.assertEqual(self.look("/payments/operations/op-1"), done)
            again = self.psp.ask("POST", "/_mock/" + path, self.account, {"outcome": outcome})
            self.assertEqual(again.status, 400)
            for body, name, wanted in (({}, path, 400),
                                       ({"outcome": "failed"}, "payments/ch_no/complete", 404)):
                answer = self.psp.ask("POST", "/_mock/" + name, self.account, body)
                self.assertEqual(answer.status, wanted)


class Refusals(Plain):
    def test_what_is_wrong_is_said_in_the_words_of_this_face(self):
        for change, code, field in (
                ({"amount": None}, "parameter_missing", "amount"),
                ({"amount": 20.5}, "parameter_invalid_integer", "amount"),
                ({"amount": 0}, "parameter_invalid_integer", "amount"),
                ({"currency": None}, "parameter_missing", "currency"),
                ({"currency": "XQX"}, "invalid_request", "currency"),
                ({"colour": "red"}, "parameter_unknown", "colour"),
                ({"card": {"number": "4111111111111111"}}, "resource_missing", "card[number]"),
                ({"card": {"name": "Ada"}}, "parameter_missing", "card"),
                ({"operation_id": "a/b"}, "parameter_invalid", "operation_id"),
                ({"operation_id": ""}, "parameter_invalid", "operation_id"),
                ({"operation_id": "."}, "parameter_invalid", "operation_id"),
                ({"operation_id": ".."}, "parameter_invalid", "operation_id"),
                ({"operation_id": "a" * 65}, "invalid_request", "operation_id")):
            with self.subTest(change):
                self.refused(self.post(change), 400, code, field)
        self.assertCharges(0)

    def test_broken_json_a_missing_key_and_unknown_paths(self):
        with self.psp.connect() as connection:
            broken = self.bytes("POST", "/payments", headers=[
                ("Content-Type", "application/json"), ("Content-Length", "1")]) + b"{"
            self.refused(connection.ask(broken), 400, "invalid_request")
        self.refused(self.psp.ask("POST", "/payments", None, b"{}"), 401, "unauthorized")
        self.refused(self.send("GET", "/payments/ch_no"), 404, "resource_missing", "id")
        self.refused(self.send("GET", "/payments/a/b/c"), 404, "not_found")
        self.refused(self.send("DELETE", "/payments"), 405, "method_not_allowed")
        self.refused(self.send("GET", "/payments?cursor=ch_no"), 400, "resource_missing",
                     "cursor")
        self.refused(self.send("GET", "/payments?status=paid"), 400, "parameter_unknown",
                     "status")


class Operations(Plain):
    def operations(self, rule):
        self.psp.control("PUT", "dialect", json.dumps({"operations": rule}))
        self.addCleanup(self.psp.control, "PUT", "dialect", json.dumps({}))

    def test_the_same_operation_again_is_a_conflict_that_names_its_payment(self):
        made = self.json(self.post(), 201)
        error = self.refused(self.post(), 409, "operation_exists", "operation_id")
        self.assertEqual(error["payment_id"], made["id"])
        self.assertCharges(1)

    def test_eight_at_once_are_one_payment(self):
        self.psp.faults(("before_commit", {"kind": "delay", "ms": 20}), account=self.account)
        lines = [self.psp.connect() for _ in range(8)]
        for line in lines:
            line.send(self.bytes("POST", "/payments", ORDER))
        answers = [line.answer() for line in lines]
        for line in lines:
            line.close()
        self.assertEqual(sorted(answer.status for answer in answers), [201] + 7 * [409])
        names = {json.loads(answer.body).get("payment_id") or json.loads(answer.body)["id"]
                 for answer in answers}
        self.assertEqual(len(names), 1)
        self.assertCharges(1)

    def test_no_idempotency_key_is_ever_required_here(self):
        self.addCleanup(self.psp.control, "PUT", "dialect", {"name": "stripe"})
        for name in ("ietf", "square", "yookassa"):
            self.psp.control("PUT", "dialect", {"name": name})
            self.json(self.post({"operation_id": name}), 201)

    def test_a_failed_payment_has_used_its_operation_up(self):
        self.json(self.post({"card": "tok_chargeDeclined"}), 201)
        self.refused(self.post(), 409, "operation_exists", "operation_id")
        self.assertCharges(0)

    def test_it_may_be_answered_with_the_payment_instead(self):
        self.operations("replay")
        made = self.json(self.post(), 201)
        self.assertEqual(self.json(self.post(), 200), made)
        error = self.refused(self.post({"amount": 2001}), 422, "operation_mismatch",
                             "operation_id")
        self.assertEqual(error["payment_id"], made["id"])
        self.assertCharges(1)

    def test_or_nobody_looks_at_it(self):
        self.operations("ignore")
        self.json(self.post(), 201)
        second = self.json(self.post(), 201)
        self.assertCharges(2)
        self.assertEqual(self.look("/payments/operations/op-1"), second)

    def test_every_dialect_but_none_looks_at_it(self):
        self.addCleanup(self.psp.control, "PUT", "dialect", {"name": "stripe"})
        known = self.psp.control("GET", "dialect")["known"]
        self.assertEqual(len(known), 12)
        for name in known:
            said = self.psp.control("PUT", "dialect", {"name": name})["dialect"]["operations"]
            self.assertEqual(said, "ignore" if name == "none" else "conflict", name)
            self.json(self.post({"operation_id": name}), 201)
            again = self.post({"operation_id": name})
            self.assertEqual(again.status, 201 if name == "none" else 409, name)
        answer = self.psp.ask("PUT", "/_mock/dialect", None, json.dumps({"operations": "once"}))
        self.assertEqual(answer.status, 400)

    def test_operations_of_two_accounts_never_meet(self):
        self.json(self.post(), 201)
        self.account = psp.new_account()
        self.json(self.post(), 201)

    def test_a_reset_forgets_them(self):
        self.json(self.post(), 201)
        self.psp.control("POST", "reset", None, self.account)
        self.json(self.post(), 201)


class Keys(Plain):
    def test_one_key_gate_for_both_faces(self):
        first = self.post(key="k")
        self.assertFirst(first, 201)
        self.assertReplay(self.post(key="k"), first)
        self.refused(self.post({"amount": 2001}, key="k"), 400, "invalid_request")
        other = self.pay("k")
        self.assertEqual(self.error(other, 400)["type"], "idempotency_error")
        self.assertCharges(1)

    def test_in_any_dialect(self):
        self.psp.control("PUT", "dialect", {"name": "paypal"})
        self.addCleanup(self.psp.control, "PUT", "dialect", {"name": "stripe"})
        header = [("PayPal-Request-Id", "k")]
        made = self.json(self.send("POST", "/payments", ORDER, headers=header), 201)
        again = self.json(self.send("POST", "/payments", ORDER, headers=header), 201)
        self.assertEqual(again, made)
        self.assertCharges(1)


class Faults(Plain):
    def test_a_lost_answer_leaves_the_payment_for_whoever_asks(self):
        self.psp.faults(("after_commit", "drop"), account=self.account)
        with self.assertRaises(raw_http.NoAnswer):
            self.post()
        self.psp.no_faults(self.account)
        self.assertEqual(self.look("/payments/operations/op-1")["status"], "SUCCESS")
        self.assertCharges(1)

    def test_a_lost_request_leaves_nothing(self):
        self.psp.faults(("before_commit", "drop"), account=self.account)
        with self.assertRaises(raw_http.NoAnswer):
            self.post()
        self.psp.no_faults(self.account)
        self.refused(self.send("GET", "/payments/operations/op-1"), 404, "resource_missing",
                     "operation_id")
        self.json(self.post(), 201)

    def test_a_fault_speaks_the_words_of_this_face(self):
        self.psp.faults(("received", {"kind": "respond", "status": 503}), account=self.account)
        self.assertEqual(set(self.json(self.post(), 503)), {"code", "message"})

    def test_the_issuer_can_be_made_to_say_no(self):
        self.psp.faults(("received", {"kind": "decline", "code": "lost_card"}),
                        account=self.account)
        self.assertEqual(self.json(self.post(), 201)["decline_code"], "lost_card")

    def test_attempts_are_counted_per_order(self):
        rule = {"on": "POST *", "attempt": 1, "at": "received",
                "act": {"kind": "respond", "status": 503}}
        self.psp.faults(rule, account=self.account)
        for name in ("order_1", "order_2"):
            change = {"reference": name, "operation_id": "op-" + name}
            self.json(self.post(change), 503)
            self.json(self.post(change), 201)
        attempts = [entry for entry in self.psp.journal(self.account)
                    if entry["kind"] == "invoke"]
        self.assertEqual([entry["order"] for entry in attempts],
                         ["order_1", "order_1", "order_2", "order_2"])

    def test_reads_and_refunds_belong_to_the_order_of_their_payment(self):
        made = self.json(self.post(), 201)
        self.look("/payments/operations/op-1")
        self.look("/payments/" + made["id"])
        self.json(self.send("POST", f"/payments/{made['id']}/refunds", {"amount": 5}), 201)
        self.look("/payments/operations/op-2", 404)
        orders = [entry.get("order") for entry in self.psp.journal(self.account)
                  if entry["kind"] == "invoke"]
        self.assertEqual(orders, 4 * ["order_1"] + [None])


class Tokens(Plain):
    """OAuth 2 client credentials: the secret is the API key, the token stands for its account."""

    def grant(self, body=None, headers=(), path="/oauth/token"):
        form = {"grant_type": "client_credentials", "client_id": "shop",
                "client_secret": self.account} if body is None else body
        return self.psp.ask("POST", path, None, form, None, headers)

    def basic(self):
        return "Basic " + base64.b64encode(f"shop:{self.account}".encode()).decode()

    def token(self):
        made = self.json(self.grant())
        self.assertEqual((made["token_type"], made["expires_in"]), ("Bearer", 3600))
        return made["access_token"]

    def test_a_token_pays_for_the_account_of_its_key(self):
        token = self.token()
        made = self.json(self.send("POST", "/payments", ORDER, account=token), 201)
        self.assertEqual(self.look("/payments/" + made["id"]), made)
        self.json(self.pay(account=token))  # the other face takes it as well
        self.assertCharges(2)

    def test_the_secret_may_come_in_a_form_in_json_or_as_basic(self):
        secret = {"grant_type": "client_credentials", "client_secret": self.account}
        for answer in (self.grant(), self.send("POST", "/oauth/token", secret, account="none"),
                       self.grant({"grant_type": "client_credentials", "scope": "pay"},
                                  [("Authorization", self.basic())]),
                       self.grant({"grant_type": "client_credentials"},
                                  [("Authorization", self.basic())], "/v1/oauth2/token")):
            token = self.json(answer)["access_token"]
            self.json(self.send("GET", "/payments", account=token))

    def test_it_expires_in_the_middle_of_a_retry(self):
        token = self.token()
        self.psp.faults({"on": "POST /payments", "attempt": 1, "at": "after_commit",
                         "act": {"kind": "drop"}}, account=self.account)
        with self.assertRaises(raw_http.NoAnswer):
            self.send("POST", "/payments", ORDER, account=token)
        self.psp.advance("59m")
        self.json(self.send("GET", "/payments/operations/op-1", account=token))
        self.psp.advance("1m")
        late = self.send("GET", "/payments/operations/op-1", account=token)
        self.refused(late, 401, "token_expired")
        self.assertEqual(late.header("www-authenticate"), 'Bearer error="invalid_token"')
        last = self.psp.journal(self.account)[-1]
        self.assertEqual((last["kind"], last["data"]["code"]), ("fail", "token_expired"))
        self.json(self.send("GET", "/payments/operations/op-1", account=self.token()))
        self.assertEqual(self.error(self.get("/v1/charges", token), 401)["code"], "token_expired")
        self.psp.advance("25h")  # forgotten, once another one is made
        self.token()
        self.refused(self.send("GET", "/payments", account=token), 401, "invalid_token")

    def test_who_gets_none(self):
        for body, status, error in (
                ({"grant_type": "client_credentials", "client_secret": "wrong"}, 401,
                 "invalid_client"),
                ({"grant_type": "client_credentials"}, 401, "invalid_client"),
                ({"client_secret": self.account}, 400, "invalid_request"),
                ({"grant_type": "password", "client_secret": self.account}, 400,
                 "unsupported_grant_type")):
            with self.subTest(body):
                refusal = self.json(self.grant(body), status)
                self.assertEqual(refusal["error"], error)
                self.assertTrue(refusal["error_description"])
        self.refused(self.send("GET", "/payments", account="at_test_x"), 401, "invalid_token")

    def test_a_live_secret_is_refused_and_written_nowhere(self):
        live = "sk_" + "live_abcdefghijklmnop"
        secret = {"grant_type": "client_credentials", "client_secret": live}
        self.json(self.grant(secret), 401)
        basic = base64.b64encode(f"shop:{live}".encode()).decode()
        self.json(self.grant({"grant_type": "client_credentials"},
                             [("Authorization", "Basic " + basic)]), 401)
        self.assertNotIn(live, json.dumps(self.psp.journal()))

    def test_a_token_needs_no_key_where_payments_do(self):
        self.psp.control("PUT", "dialect", {"name": "ietf"})
        self.addCleanup(self.psp.control, "PUT", "dialect", {"name": "stripe"})
        self.token()
        self.assertEqual(self.json(self.pay(), 400)["status"], 400)

    def test_a_reset_forgets_them(self):
        token = self.token()
        self.psp.control("POST", "reset", None, self.account)
        self.refused(self.send("GET", "/payments", account=token), 401, "invalid_token")


class Pages(Plain):
    def test_page_by_page_newest_first(self):
        made = [self.json(self.post({"operation_id": f"op-{i}"}), 201)["id"] for i in range(5)]
        self.post({"operation_id": "other", "reference": "order_2"})
        seen, cursor = [], ""
        while cursor is not None:
            page = self.look("/payments?reference=order_1&limit=2" +
                             (f"&cursor={cursor}" if cursor else ""))
            self.assertLessEqual(len(page["data"]), 2)
            seen += [payment["id"] for payment in page["data"]]
            cursor = page["next_cursor"]
        self.assertEqual(seen, made[::-1])
        self.assertEqual(len(self.look("/payments")["data"]), 6)


if __name__ == "__main__":
    psp.main()
