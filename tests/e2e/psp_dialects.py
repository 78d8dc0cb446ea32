"""Every dialect, column by column: the table in STRIPE_FACTS §3 against the running server.

TABLE is the truth here; what mockpsp says of itself is compared with it, and then what it does."""
import json
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, PspTest, main  # noqa: E402

DECLINED = [("amount", "2000"), ("currency", "usd"), ("confirm", "true"),
            ("payment_method", "pm_card_chargeDeclined")]
OTHER = [("amount", "2001"), *PAYMENT[1:]]

# carrier, quoted, required, longest, life, store, replay, mismatch, in flight, marker, echo
COLUMNS = ("carrier", "quoted", "required", "longest", "ttl", "store", "replay", "mismatch",
           "in_flight", "marker", "echo")
HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
TABLE = {
    "stripe": (HEADER, 0, 0, 255, "1d", "executed", "bytes", 400, 409, REPLAYED, HEADER),
    "stripe-v2": (HEADER, 0, 0, 255, "30d", "success", "bytes", 400, 409, REPLAYED, HEADER),
    "ietf": (HEADER, 1, 1, 255, "1d", "executed", "bytes", 422, 409, "", ""),
    "checkout": ("Cko-Idempotency-Key", 0, 0, 255, "1d", "success", "bytes", 0, 0, "", ""),
    "paypal": ("PayPal-Request-Id", 0, 0, 108, "6h", "success", "latest", 0, 409, "", ""),
    "square": ("idempotency_key", 0, 1, 45, "1d", "success", "bytes", 400, 409, "", ""),
    "yookassa": ("Idempotence-Key", 0, 1, 64, "1d", "executed", "bytes", 400, 0, "", ""),
    "adyen": (HEADER, 0, 0, 64, "7d", "executed", "bytes", 422, 422, "", "idempotency-key"),
    "gocardless": (HEADER, 0, 0, 128, "30d", "success", "conflict", 0, 409, "", ""),
    "mollie": (HEADER, 0, 0, 64, "1h", "executed", "bytes", 400, 409, REPLAYED, ""),
    "modern-treasury": (HEADER, 0, 0, 255, "1d", "success", "bytes", 0, 409, "", ""),
    "none": ("", 0, 0, 255, "1d", "executed", "bytes", 0, 0, "", ""),
}
HOURS = {"1d": 24, "30d": 720, "6h": 6, "7d": 168, "1h": 1}


class Dialect:
    def __init__(self, name):
        self.name = name
        for column, value in zip(COLUMNS, TABLE[name]):
            setattr(self, column, value)
        self.in_field = name == "square"

    def dress(self, key, params):
        """PARAMS and headers that carry KEY as this dialect wants it."""
        if key is None or not self.carrier:
            return params, []
        if self.in_field:
            return [*params, (self.carrier, key)], []
        return params, [(self.carrier, f'"{key}"' if self.quoted else key)]


class Every(PspTest):
    """Each test goes through all twelve, on accounts of their own."""

    def dialects(self, *, keyed=True):
        for name in TABLE:
            if keyed and name == "none":
                continue
            self.psp.control("PUT", "dialect", [("name", name)])
            self.dialect = Dialect(name)
            self.setUp()
            yield self.dialect

    def _formatMessage(self, msg, standardMsg):
        return f"{super()._formatMessage(msg, standardMsg)} (dialect {self.dialect.name})"

    def send(self, key, params=None, path="/v1/payment_intents"):
        params, headers = self.dialect.dress(key, PAYMENT if params is None else params)
        return self.psp.ask("POST", path, self.account, params, None, headers)

    def assertSameAgain(self, answer, first):
        """A later use of a remembered key, in the dialect's way."""
        if self.dialect.replay == "conflict" and first.status < 300:
            error = self.error(answer, 409)
            self.assertEqual(error["code"], "idempotent_creation_conflict")
            self.assertEqual(error["errors"][0]["links"]["conflicting_resource_id"],
                             json.loads(first.body)["id"])
            return
        self.assertEqual((answer.status, answer.body), (first.status, first.body))
        marker = self.dialect.marker
        if marker:
            self.assertEqual(answer.header(marker), "true")
        else:
            self.assertIsNone(answer.header(REPLAYED))

    def test_what_it_says_of_itself(self):
        known = self.psp.control("GET", "dialect")["known"]
        self.assertEqual(known, list(TABLE))
        for dialect in self.dialects(keyed=False):
            says = self.psp.control("GET", "dialect")["dialect"]
            self.assertEqual(says["name"], dialect.name)
            self.assertEqual(says["key"], dialect.carrier)
            for column in COLUMNS[1:]:
                self.assertEqual(says[column], getattr(dialect, column), column)

    def test_a_later_use(self):
        for dialect in self.dialects():
            first = self.send("key")
            self.assertEqual(first.status, 200)
            self.assertSameAgain(self.send("key"), first)
            self.assertCharges(1)

    def test_a_replay_of_an_object_that_has_changed(self):
        for dialect in self.dialects():
            first = self.json(self.send("key", [("amount", "500"), ("currency", "usd")]))
            self.json(self.send("confirm", [("payment_method", "pm_card_visa")],
                                f"/v1/payment_intents/{first['id']}/confirm"))
            again = self.send("key", [("amount", "500"), ("currency", "usd")])
            if dialect.replay == "conflict":
                self.assertEqual(again.status, 409)
                continue
            then, now = "requires_payment_method", "succeeded"
            self.assertEqual(self.json(again)["status"],
                             now if dialect.replay == "latest" else then)

    def test_the_header_of_another_provider_is_no_key(self):
        for dialect in self.dialects():
            if dialect.required or dialect.carrier == HEADER:
                continue
            for _ in range(2):
                self.assertEqual(self.pay("key").status, 200)
            self.assertCharges(2)

    def test_a_key_may_be_required(self):
        for dialect in self.dialects():
            answer = self.send(None)
            self.assertEqual(answer.status, 400 if dialect.required else 200)
            self.assertCharges(0 if dialect.required else 1)

    def test_quotes_are_on_the_wire_or_part_of_the_key(self):
        for dialect in self.dialects():
            if dialect.in_field:
                continue
            bare = self.psp.ask("POST", "/v1/payment_intents", self.account, PAYMENT, None,
                                [(dialect.carrier, "bare")])
            self.assertEqual(bare.status, 400 if dialect.quoted else 200)

    def test_the_longest_key(self):
        for dialect in self.dialects():
            self.assertEqual(self.send("k" * dialect.longest).status, 200)
            self.assertEqual(self.send("k" * (dialect.longest + 1)).status, 400)
            self.assertCharges(1)

    def test_a_key_lives_so_long_and_no_longer(self):
        for dialect in self.dialects():
            first = self.send("key")
            self.psp.advance(f"{HOURS[dialect.ttl] * 3600 - 1}s")
            self.assertSameAgain(self.send("key"), first)
            self.psp.advance("1s")
            self.assertEqual(self.send("key").status, 200)
            self.assertCharges(2)

    def test_a_decline_is_remembered_or_runs_again(self):
        for dialect in self.dialects():
            first = self.send("key", DECLINED)
            self.assertEqual(first.status, 402)
            again = self.send("key", DECLINED)
            self.assertEqual(again.status, 402)
            same = json.loads(again.body)["error"]["charge"] == \
                json.loads(first.body)["error"]["charge"]
            self.assertEqual(same, dialect.store == "executed")

    def test_a_stored_500_is_repeated_all_the_same(self):
        for dialect in self.dialects():
            self.psp.faults({"on": "POST *", "nth": 1, "at": "before_commit",
                             "act": {"kind": "respond", "status": 500, "store": True}},
                            account=self.account)
            first = self.send("key")
            self.assertEqual(first.status, 500)
            self.assertSameAgain(self.send("key"), first)

    def test_other_parameters(self):
        for dialect in self.dialects():
            first = self.send("key")
            other = self.send("key", OTHER)
            if dialect.mismatch == 0:
                self.assertSameAgain(other, first)
            else:
                self.assertEqual(other.status, dialect.mismatch)
            self.assertCharges(1)

    def test_another_endpoint(self):
        for dialect in self.dialects():
            first = self.send("key")
            other = self.send("key", [("email", "a@example.com")], "/v1/customers")
            if dialect.name == "modern-treasury":
                self.assertSameAgain(other, first)
            else:
                self.assertEqual(other.status, dialect.mismatch or 400)

    def test_a_twin(self):
        for dialect in self.dialects():
            self.psp.faults({"on": "POST *", "nth": 1, "at": "before_commit",
                             "act": {"kind": "delay", "ms": "300ms"}}, account=self.account)
            answers = {}
            first = threading.Thread(target=lambda: answers.update(first=self.send("key")))
            first.start()
            self.psp.wait_for_fault(self.account, "before_commit")
            twin = self.send("key")
            first.join()
            self.assertEqual(answers["first"].status, 200)
            if dialect.in_flight == 0:
                self.assertSameAgain(twin, answers["first"])
            else:
                self.assertEqual(twin.status, dialect.in_flight)
                self.assertEqual(twin.header("transient-error"),
                                 "true" if dialect.name == "adyen" else None)
            self.assertCharges(1)

    def test_the_key_is_echoed(self):
        for dialect in self.dialects():
            answer = self.send("key")
            for name in (HEADER, "Cko-Idempotency-Key", "PayPal-Request-Id", "Idempotence-Key"):
                expected = "key" if name.lower() == dialect.echo.lower() else None
                self.assertEqual(answer.header(name), expected, name)

    def test_errors_of_the_ietf_gate_are_problems(self):
        for dialect in self.dialects():
            self.send("key")
            other = self.send("key", OTHER)
            if other.status < 400:
                continue
            media = other.header("content-type")
            if dialect.name != "ietf":
                self.assertEqual(media, "application/json")
                continue
            self.assertEqual(media, "application/problem+json")
            self.assertEqual(json.loads(other.body)["status"], 422)

    def test_keys_on_delete(self):
        for dialect in self.dialects():
            if dialect.in_field:
                continue
            headers = dialect.dress("delete", [])[1]
            customers = [self.json(self.send(f"make {n}", [("email", "a@example.com")],
                                             "/v1/customers"))["id"] for n in range(2)]
            answers = [self.psp.ask("DELETE", "/v1/customers/" + customer, self.account,
                                    headers=headers).status for customer in customers]
            counts = dialect.name in ("stripe-v2", "yookassa")
            self.assertEqual(answers, [200, 400 if counts else 200])

    def test_none_ignores_keys(self):
        self.dialect = Dialect("none")
        self.psp.control("PUT", "dialect", [("name", "none")])
        for _ in range(2):
            self.assertEqual(self.pay("key").status, 200)
        self.assertCharges(2)


class Waiting(PspTest):
    """Twins that wait, in the dialects where they do."""

    def setUp(self):
        super().setUp()
        self.psp.control("PUT", "dialect", [("name", "checkout")])

    def together(self, count, act, at="before_commit"):
        self.psp.faults({"on": "POST *", "nth": 1, "at": at, "act": act}, account=self.account)
        answers = []

        def send():
            try:
                answers.append(self.pay(headers=[("Cko-Idempotency-Key", "key")]).status)
            except (AssertionError, OSError):
                answers.append(None)
        threads = [threading.Thread(target=send) for _ in range(count)]
        threads[0].start()
        self.psp.wait_for_fault(self.account, at)
        for thread in threads[1:]:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def test_all_get_the_one_answer(self):
        answers = self.together(20, {"kind": "delay", "ms": "200ms"})
        self.assertEqual(answers, [200] * 20)
        self.assertCharges(1)

    def test_the_first_fails_and_another_is_processed(self):
        # An answer that is not remembered lets the next one try.
        self.psp.control("PUT", "faults", json.dumps([
            {"on": "POST *", "nth": 1, "at": "received", "act": {"kind": "decline"}},
            {"on": "POST *", "nth": 1, "at": "before_commit",
             "act": {"kind": "delay", "ms": "200ms"}}]), self.account)
        statuses = []
        threads = [threading.Thread(target=lambda: statuses.append(
            self.pay(headers=[("Cko-Idempotency-Key", "key")]).status)) for _ in range(5)]
        threads[0].start()
        self.psp.wait_for_fault(self.account, "before_commit")
        for thread in threads[1:]:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(statuses), [200, 200, 200, 200, 402])
        self.assertCharges(1)


class Own(PspTest):
    """A dialect written by the user."""

    def put(self, table, status=200):
        answer = self.psp.ask("PUT", "/_mock/dialect", None, json.dumps(table))
        self.assertEqual(answer.status, status, answer.body)
        return json.loads(answer.body)

    def tearDown(self):
        self.psp.control("PUT", "dialect", [("name", "stripe")])

    def test_what_is_not_said_is_as_in_the_base(self):
        says = self.put({"name": "ours", "base": "adyen", "key": "X-Our-Key", "ttl": "90m"})
        self.assertEqual(says["dialect"]["in_flight"], 422)
        self.assertEqual(says["dialect"]["ttl"], "90m")
        first = self.pay(headers=[("X-Our-Key", "k")])
        again = self.pay(headers=[("X-Our-Key", "k")])
        self.assertEqual(first.body, again.body)

    def test_keys_per_endpoint(self):
        self.put({"scope": "endpoint"})
        self.assertEqual(self.pay("key").status, 200)
        other = self.pay("key", [("email", "a@example.com")], "/v1/customers")
        self.assertEqual(self.json(other)["object"], "customer")
        self.assertEqual(other.header("idempotency-key"), "key")

    def test_a_name_in_every_form(self):
        for body in ("name=paypal", '{"name": "mollie"}', '"square"', ' "none" '):
            said = self.psp.control("PUT", "dialect", body)["dialect"]["name"]
            self.assertIn(said, body)
        self.assertEqual(self.psp.ask("PUT", "/_mock/dialect", None, '"nobody"').status, 400)

    def test_wrong_words(self):
        for table, word in (({"base": "stripey"}, "stripey"), ({"ttl": "1 h"}, "ttl"),
                            ({"ttl": 5}, "ttl"), ({"store": "all"}, "executed, success, not_5xx"),
                            ({"in_flight": 200}, "in_flight"), ({"longest": 0}, "longest"),
                            ({"quoted": "yes"}, "quoted"), ({"lifetime": "1h"}, "lifetime"),
                            ({"key": ""}, "key"), ({"echo": "a\r\nb"}, "echo"), ([], "name"),
                            ({"base": 5}, "base is the name"), ({"base": None}, "base is the name"),
                            ({"echo": "Connection"}, "belongs to HTTP"),
                            ({"marker": "content-length"}, "belongs to HTTP"),
                            ({"transient": "Transfer-Encoding"}, "belongs to HTTP"),
                            ({"marker": "Request-Id"}, "a meaning of its own"),
                            ({"marker": "a b"}, "no name of a header"),
                            ({"marker": "idempotency-key"}, "another header of the dialect"),
                            ({"key": "Authorization"}, "credentials"),
                            ({"key": "X-API-Key"}, "credentials"), ({"key": "Host"}, "HTTP itself"),
                            ({"carrier": "field", "key": "card[number]"}, "must not be written"),
                            ({"carrier": "field", "key": "source[cvc]"}, "must not be written"),
                            ({"carrier": "field", "key": "client_secret"}, "must not be written")):
            with self.subTest(table=table):
                self.assertIn(word, self.put(table, 400)["error"]["message"])
        self.assertEqual(self.psp.control("GET", "dialect")["dialect"]["name"], "stripe")


class Options(PspTest):
    def test_on_the_command_line(self):
        psp = Mockpsp("--quiet", "--clock", "manual", "--dialect", "mollie", "--key-ttl", "2h")
        try:
            says = psp.control("GET", "dialect")["dialect"]
            self.assertEqual((says["name"], says["ttl"]), ("mollie", "2h"))
        finally:
            psp.clean()


if __name__ == "__main__":
    main()
