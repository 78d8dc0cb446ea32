"""duplicate: a proxy delivers a request twice. What the client gets, what is charged, what the journal
says, and that nothing else takes the second one for a request of the client."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, PspTest, main, wait_until  # noqa: E402
from raw_http import request  # noqa: E402
from wire_case import once  # noqa: E402


class Duplicate(PspTest):
    def doubled(self, *more, **options):
        self.psp.faults(once("received", "duplicate", **options), *more, account=self.account)

    def stories(self, count):
        """Of the POSTs: request number -> its events, when COUNT of them have come to an end."""
        def look():
            stories = {}
            for entry in self.psp.journal(self.account):
                stories.setdefault(entry["request"], []).append((entry["kind"], entry["data"]))
            posts = {number: story for number, story in stories.items()
                     if story[0][1].get("method") == "POST"}
            ended = [story for story in posts.values() if story[-1][0] in ("ok", "fail", "info")]
            return posts if len(ended) >= count else None
        stories = wait_until(look, f"{count} ends")
        self.assertEqual(len(stories), count)
        return stories

    def first_and_copy(self):
        """The stories of the request and of its copy."""
        stories = self.stories(2)
        number = min(stories)
        copy = stories[max(stories)]
        self.assertEqual(copy[0][1]["copy_of"], number)
        self.assertNotIn("copy_of", stories[number][0][1])
        return stories[number], copy

    @staticmethod
    def kinds(story):
        return [kind for kind, _ in story]

    def test_with_a_key_it_is_charged_once(self):
        self.doubled()
        self.assertFirst(self.pay("key"))
        first, copy = self.first_and_copy()
        self.assertEqual(self.kinds(first), ["invoke", "fault", "effect", "ok"])
        self.assertEqual(self.kinds(copy), ["invoke", "info"])
        self.assertEqual(copy[-1][1], {"how": "unheard"})
        self.assertEqual((copy[0][1]["key"], copy[0][1]["fingerprint"]),
                         (first[0][1]["key"], first[0][1]["fingerprint"]))
        self.assertCharges(1)

    def test_without_one_it_is_charged_twice_and_the_client_sees_the_first(self):
        self.doubled()
        got = self.json(self.pay())
        first, copy = self.first_and_copy()
        self.assertEqual(self.kinds(copy), ["invoke", "effect", "info"])
        self.assertEqual(first[-1][1]["id"], got["id"])
        self.assertCharges(2)

    def test_the_second_answer_is_a_replay(self):
        self.doubled(answer="second")
        got = self.pay("key")
        self.assertEqual(got.header("idempotent-replayed"), "true")
        first, copy = self.first_and_copy()
        self.assertEqual(first[-1], ("info", {"how": "unheard"}))
        self.assertEqual((copy[-1][0], copy[-1][1]["replayed"]), ("ok", True))
        self.assertCharges(1)

    def test_the_second_answer_without_a_key(self):
        self.doubled(answer="second")
        got = self.json(self.pay())
        _, copy = self.first_and_copy()
        self.assertEqual(copy[-1][1]["id"], got["id"])
        self.assertCharges(2)

    def test_the_second_meets_the_first_in_flight(self):
        """The client is told of a conflict with itself, and is charged."""
        self.doubled(once("before_commit", "delay", ms=300), answer="second")
        answer = self.pay("key")
        self.assertEqual(answer.status, 409)
        first, copy = self.first_and_copy()
        self.assertEqual(self.kinds(first), ["invoke", "fault", "fault", "effect", "info"])
        self.assertEqual(copy[-1][0], "fail")
        self.assertCharges(1)

    def test_the_copy_is_nothing_that_a_fault_counts_or_strikes(self):
        self.psp.faults({"on": "POST *", "attempt": 2, "at": "responding", "act": {"kind": "drop"}},
                        {"on": "POST *", "at": "before_commit", "times": 9,
                         "act": {"kind": "delay", "ms": 0}},
                        {"on": "POST *", "at": "received", "act": {"kind": "duplicate"}},
                        account=self.account)
        self.assertFirst(self.pay("key"))
        first, copy = self.first_and_copy()
        self.assertEqual(self.kinds(first), ["invoke", "fault", "fault", "effect", "ok"])
        self.assertEqual(self.kinds(copy), ["invoke", "info"])
        shown = self.psp.control("GET", "faults", None, self.account)
        self.assertEqual(shown["struck"], [0, 1, 1])

    def test_it_may_come_much_later(self):
        self.doubled(after=50)
        self.assertEqual(self.pay().status, 200)
        self.first_and_copy()
        self.assertEqual([entry["kind"] for entry in self.psp.journal(self.account)],
                         ["invoke", "fault", "effect", "ok", "invoke", "effect", "info"])
        self.assertCharges(2)

    def test_a_body_in_json_comes_as_it_was(self):
        self.doubled()
        body = json.dumps({"amount": 700, "currency": "EUR", "card": "tok_visa", "reference": "o1"})
        with self.psp.connect() as connection:
            head = (f"POST /payments HTTP/1.1\r\nHost: x\r\nContent-Type: application/json"
                    f"\r\nAuthorization: Bearer {self.account}\r\nContent-Length: {len(body)}\r\n\r\n")
            self.assertEqual(connection.ask((head + body).encode()).status, 201)
        first, copy = self.first_and_copy()
        for name in ("params", "fingerprint", "order", "amount"):
            self.assertEqual(copy[0][1][name], first[0][1][name])

    def test_a_get_has_a_copy_as_well(self):
        self.psp.faults({"on": "GET *", "nth": 1, "at": "received", "act": {"kind": "duplicate"}},
                        account=self.account)
        self.assertEqual(self.get("/v1/charges").status, 200)
        wait_until(lambda: [entry for entry in self.psp.journal(self.account)
                            if entry["data"].get("how") == "unheard"], "the copy")

    def test_late_with_the_second_answer_waits_for_nobody(self):
        """The client waits for the second; the first has no client that could go."""
        acts = [{"kind": "duplicate", "answer": "second", "after": 1}, {"kind": "late", "ms": 0}]
        self.psp.faults({"on": "POST *", "nth": 1, "at": "received", "act": acts},
                        account=self.account)
        self.assertEqual(self.pay("key").status, 200)
        self.first_and_copy()
        self.assertCharges(1)

    def test_a_provider_can_be_stopped_before_the_second_comes(self):
        for answer in ("first", "second"):
            with self.subTest(answer=answer):
                psp = Mockpsp("--quiet")
                self.addCleanup(psp.clean)
                psp.faults(once("received", "duplicate", after="1h", answer=answer))
                with psp.connect() as connection:
                    connection.send(request("POST", "/v1/charges", "sk_test_1", PAYMENT))
                    psp.wait_for_fault(None, "received")
                    self.assertEqual(psp.stop(), 0)


if __name__ == "__main__":
    main()
