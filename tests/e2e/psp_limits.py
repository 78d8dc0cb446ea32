"""Limits as a client meets them: 429 with its headers, objects that are being worked on, lists that
lag; set on the command line and at the control plane."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, PspTest, main  # noqa: E402
from raw_http import request  # noqa: E402


class Started(PspTest):
    OPTIONS = ("--quiet", "--clock", "manual", "--rate-limit", "2/m", "--list-lag", "30s")

    def test_the_limiter_counts_each_account(self):
        for _ in range(2):
            self.json(self.pay())
        refused = self.pay(key="key_1")
        error = self.error(refused, 429)
        self.assertEqual((error["type"], error["code"]), ("invalid_request_error", "rate_limit"))
        self.assertEqual(refused.header("retry-after"), "30")
        self.assertEqual(refused.header("stripe-rate-limited-reason"), "global-rate")
        self.assertIsNone(refused.header("stripe-should-retry"))
        self.json(self.pay(account=self.account + "b"))
        self.assertCharges(2)
        self.psp.advance("30s")
        self.assertFirst(self.pay(key="key_1"))
        self.error(self.pay(key="key_1"), 429)
        self.assertEqual(self.journal_kinds()[-2:], ["invoke", "fail"])

    def journal_kinds(self):
        return [entry["kind"] for entry in self.psp.journal(self.account)]

    def test_the_control_plane_is_not_limited_and_says_what_is(self):
        for _ in range(9):
            limits = self.psp.control("GET", "limits")
        self.assertEqual(limits, {"rate": "2/1m", "locks": "on", "list_lag": "30s",
                                  "read_lag": "0ms"})

    def test_lists_lag(self):
        self.json(self.pay())
        self.assertEqual(self.json(self.get("/v1/charges"))["data"], [])
        self.psp.advance("31s")
        self.assertEqual(len(self.json(self.get("/v1/charges"))["data"]), 1)


class Controlled(PspTest):
    def tearDown(self):
        self.psp.control("PUT", "limits", {"rate": "off", "locks": "on", "list_lag": "0",
                                           "read_lag": "0"})

    def refused(self, body):
        answer = self.psp.ask("PUT", "/_mock/limits", None, body)
        self.assertEqual(answer.status, 400, answer.body)

    def test_all_or_none(self):
        before = self.psp.control("GET", "limits")
        for body in ({"rate": "many"}, {"rate": "10/s", "locks": "perhaps"}, {}, "[]", "rate=",
                     '{"rate":5}', {"read_lag": "-1s"}):
            self.refused(body)
        self.assertEqual(self.psp.control("GET", "limits"), before)

    def test_takes_effect_at_once(self):
        self.psp.control("PUT", "limits", '{"rate":"1/s","read_lag":"2s"}')
        intent = self.json(self.pay())
        self.error(self.get("/v1/payment_intents/" + intent["id"]), 429)
        self.psp.control("PUT", "limits", "rate=off")
        self.error(self.get("/v1/payment_intents/" + intent["id"]), 404)
        self.psp.advance("3s")
        self.json(self.get("/v1/payment_intents/" + intent["id"]))

    def test_what_belongs_to_a_hidden_object_is_hidden_too(self):
        self.psp.control("PUT", "limits", "read_lag=2s")
        customer = self.json(self.pay(None, "", "/v1/customers"))["id"]
        goods = "line_items[0][price_data]"
        session = self.json(self.pay(None, "mode=payment&success_url=https://x.org&"
                                           f"{goods}[currency]=usd&{goods}[unit_amount]=5&"
                                           f"{goods}[product_data][name]=x&"
                                           "line_items[0][quantity]=1", "/v1/checkout/sessions"))
        payment = self.json(self.pay(None, "amount=5&currency=usd", "/payments"), 201)["id"]
        self.json(self.pay(None, "", f"/payments/{payment}/refunds"), 201)
        paths = (f"/v1/customers/{customer}/payment_methods",
                 f"/v1/checkout/sessions/{session['id']}/line_items",
                 f"/payments/{payment}/refunds")
        for path in paths:
            self.json(self.get(path), 404)
        self.psp.advance("3s")
        for path in paths:
            self.json(self.get(path))

    def test_the_plain_face_says_it_in_its_own_words(self):
        self.psp.control("PUT", "limits", "rate=1/s")
        self.json(self.pay(None, "amount=5&currency=usd", "/payments"), 201)
        refused = self.get("/payments")
        self.assertEqual(self.json(refused, 429)["code"], "rate_limit")
        self.assertEqual(refused.header("retry-after"), "1")
        self.psp.control("PUT", "limits", "rate=off&list_lag=30s")
        self.assertEqual(self.json(self.get("/payments"))["data"], [])
        self.psp.advance("31s")
        self.assertEqual(len(self.json(self.get("/payments"))["data"]), 1)

    def confirm_twice(self, wanted):
        """The answer to a second confirm, while the first is held: once it has the status WANTED
        it came in time; a slow machine holds the first for longer."""
        for ms in (150, 600, 2400, 9600):
            intent = self.json(self.pay(params=PAYMENT[:3]))
            path = f"/v1/payment_intents/{intent['id']}/confirm"
            self.psp.faults({"on": "POST *", "nth": 1, "at": "before_commit",
                             "act": {"kind": "delay", "ms": ms}}, account=self.account)
            with self.psp.connect() as connection:
                connection.send(request("POST", path, self.account, "", None))
                self.psp.wait_for_fault(self.account, "before_commit")
                second = self.pay(None, "", path)
                first = connection.answer()
            if second.status == wanted:
                return first, second
            self.account += "x"
        return self.fail("no delay was long enough")

    def test_an_object_that_is_being_worked_on(self):
        first, second = self.confirm_twice(429)
        self.assertEqual(self.error(second, 429)["code"], "lock_timeout")
        self.assertEqual(second.header("stripe-should-retry"), "true")
        self.assertIsNone(second.header("retry-after"))
        self.assertEqual(first.status, 200)
        self.assertCharges(1)

    def test_without_locks_whoever_commits_first_has_it(self):
        self.psp.control("PUT", "limits", "locks=off")
        first, _ = self.confirm_twice(200)
        self.assertEqual(self.error(first, 400)["code"], "payment_intent_unexpected_state")
        self.assertCharges(1)


class CommandLine(PspTest):
    def test_broken_options(self):
        for option, value in (("--rate-limit", "fast"), ("--locks", "maybe"), ("--list-lag", "1"),
                              ("--read-lag", "-1s")):
            psp = Mockpsp(option, value, must_start=False)
            self.assertEqual(psp.process.wait(), 2)
            self.assertIn(value, psp.stderr())
            psp.clean()


if __name__ == "__main__":
    main()
