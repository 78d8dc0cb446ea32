"""Answers that are broken on purpose, come slowly or come from a proxy, on a cold and on a warm
connection: each byte that leaves, how the connection ends, and what the journal says."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import main  # noqa: E402
from raw_http import request  # noqa: E402
from wire_case import WireTest, once  # noqa: E402
from wire_table import STANDS  # noqa: E402

STATUS_LINE = b"HTTP/1.1 200 OK\r\n"


class Answers(WireTest):
    def broken(self, kind, **options):
        """What comes on a connection of its own where KIND strikes at responding."""
        self.psp.faults(once("responding", kind, **options), account=self.account)
        with self.psp.connect() as connection:
            connection.send(request("POST", "/v1/payment_intents", self.account,
                                    [("amount", "700"), ("currency", "usd")], "key"))
            return connection.rest()

    def replayed(self):
        """The body of the answer that the key remembers."""
        answer = self.pay("key", [("amount", "700"), ("currency", "usd")])
        self.assertEqual(answer.header("idempotent-replayed"), "true")
        return answer.body

    def test_cut_header_ends_in_the_middle_of_a_line(self):
        for at, _, connection in self.each("cut_header"):
            self.assertEqual(connection.rest(), (STATUS_LINE + b"Content-Le", "fin"))
            _, outcome = self.assertStory(at, "cut_header", "info", True)
            self.assertEqual(outcome, {"how": "cut_header"})
            self.assertRetry(True)

    def test_cut_header_never_lets_the_head_come_to_its_end(self):
        self.assertEqual(self.broken("cut_header", bytes=0), (STATUS_LINE, "fin"))
        got, how = self.broken("cut_header", bytes=1000000)
        self.assertEqual(how, "fin")
        self.assertIn(b"\r\nContent-Type: application/json\r\n", got)
        self.assertFalse(got.endswith(b"\n"), got)
        self.assertNotIn(b"\r\n\r\n", got)

    def test_cut_header_of_another_status(self):
        self.psp.faults(once("responding", "cut_header"), account=self.account)
        with self.psp.connect() as connection:
            connection.send(request("POST", "/v1/payment_intents", self.account, [("amount", "x")]))
            self.assertEqual(connection.rest(),
                             (b"HTTP/1.1 400 Bad Request\r\nContent-Le", "fin"))

    def assertBrokenChunk(self, got, size):
        """That all of the body comes in one chunk that says SIZE; the body."""
        head, rest = got.split(b"\r\n\r\n", 1)
        lines = head.lower().split(b"\r\n")
        self.assertIn(b"transfer-encoding: chunked", lines)
        self.assertEqual([line for line in lines if line.startswith(b"content-length")], [])
        said, rest = rest.split(b"\r\n", 1)
        self.assertEqual(int(said, 16), size)
        self.assertTrue(rest.endswith(b"\r\n0\r\n\r\n"), rest)
        body = rest[:-len(b"\r\n0\r\n\r\n")]
        self.assertNotEqual(body[size:size + 2], b"\r\n")
        return body

    def test_broken_chunk_holds_more_than_its_size_line_says(self):
        for at, _, connection in self.each("broken_chunk"):
            got, how = connection.rest()
            self.assertEqual(how, "fin")
            self.assertEqual(json.loads(self.assertBrokenChunk(got, 10))["status"], "succeeded")
            _, outcome = self.assertStory(at, "broken_chunk", "info", True)
            self.assertEqual(outcome, {"how": "broken_chunk"})
            self.assertRetry(True)

    def test_broken_chunk_always_says_too_little(self):
        got, _ = self.broken("broken_chunk", bytes=1000000)
        whole = self.replayed()
        self.assertEqual(self.assertBrokenChunk(got, len(whole) - 1), whole)

    def test_broken_json_is_half_of_it_and_the_connection_lives_on(self):
        for at, _, connection in self.each("broken_json"):
            answer = connection.answer()
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.header("content-type"), "application/json")
            with self.assertRaises(json.JSONDecodeError):
                json.loads(answer.body)
            _, outcome = self.assertStory(at, "broken_json", "info", True)
            self.assertEqual(outcome, {"how": "broken_json"})
            again = connection.ask(request("POST", "/v1/payment_intents", self.account, None, None))
            self.assertEqual(again.status, 400)
            self.assertRetry(True)

    def test_broken_json_is_what_the_key_remembers_up_to_its_half(self):
        self.psp.faults(once("responding", "broken_json"), account=self.account)
        half, whole = self.pay("key"), self.pay("key")
        self.assertEqual(whole.header("idempotent-replayed"), "true")
        self.assertEqual(half.body, whole.body[:len(whole.body) // 2])

    def test_proxy_error_is_a_page_and_nothing_of_the_provider_s(self):
        for at, _, connection in self.each("proxy_error"):
            answer = connection.answer()
            self.assertEqual(answer.status, 502)
            self.assertEqual(set(answer.headers),
                             {"date", "server", "content-type", "content-length"})
            self.assertEqual(answer.header("content-type"), "text/html")
            self.assertTrue(answer.body.startswith(b"<html>\r\n<head><title>502 Bad Gateway"))
            stands = at in STANDS
            self.assertCharges(1 if stands else 0)
            _, outcome = self.assertStory(at, "proxy_error", "info", stands)
            self.assertEqual(outcome["status"], 502)
            self.assertEqual(connection.ask(request("GET", "/v1/charges", self.account)).status, 200)
            self.assertRetry(stands)

    def test_proxy_error_knows_three_statuses(self):
        for status, name in ((502, b"Bad Gateway"), (503, b"Service Temporarily Unavailable"),
                             (504, b"Gateway Time-out")):
            self.account = self.account + "x"
            self.psp.faults(once("received", "proxy_error", status=status), account=self.account)
            answer = self.pay()
            self.assertEqual(answer.status, status)
            self.assertIn(b"<h1>%d %s</h1>" % (status, name), answer.body)

    def test_bandwidth_brings_the_whole_answer_in_the_end(self):
        for at, _, connection in self.each("bandwidth"):
            answer = connection.answer()
            self.assertFirst(answer)
            self.assertEqual(json.loads(answer.body)["status"], "succeeded")
            _, outcome = self.assertStory(at, "bandwidth", "ok", True)
            self.assertEqual(outcome["status"], 200)
            self.assertEqual(connection.ask(request("GET", "/v1/charges", self.account)).status, 200)
            self.assertRetry(True)

    def test_bandwidth_is_no_more_than_was_asked_for(self):
        """The body, some 700 bytes, at 1400 bytes a second cannot be there sooner than in 0.4 s."""
        clock = os.times
        begun = clock().elapsed
        self.psp.faults(once("responding", "bandwidth", rate="1400B/s"), account=self.account)
        answer = self.pay()
        self.assertGreater(len(answer.body), 600)
        self.assertGreater(clock().elapsed - begun, 0.4)

    def test_advance_moves_the_clock_and_nothing_else(self):
        now = self.psp.advance("0")
        for at, _, connection in self.each("advance"):
            self.assertFirst(connection.answer())
            self.assertStory(at, "advance", "ok", True)
            now += 3600000
            self.assertEqual(self.psp.control("GET", "clock")["now_ms"], now)
            self.assertRetry(True)

    def test_advance_is_felt_by_the_request_itself(self):
        now = self.psp.advance("0")
        self.psp.faults(once("received", "advance", ms="25h"), account=self.account)
        made = self.json(self.pay("key"))
        self.assertEqual(made["created"], (now + 25 * 3600000) // 1000)

    def test_advance_beyond_the_life_of_its_own_key(self):
        """What no client survives: the key is a day old before its own answer is there."""
        self.psp.faults(once("after_commit", "advance", ms="25h"), account=self.account)
        first = self.pay("key")
        self.assertFirst(first)
        self.assertFirst(self.pay("key"))
        self.assertCharges(2)

    def test_two_paces_are_one_too_many(self):
        acts = [{"kind": "dribble"}, {"kind": "bandwidth", "rate": "1kB/s"}]
        rules = json.dumps([{"at": "responding", "act": acts}])
        answer = self.psp.ask("PUT", "/_mock/faults", self.account, rules)
        self.assertIn("bandwidth cannot follow on dribble", self.error(answer, 400)["message"])


if __name__ == "__main__":
    main()
