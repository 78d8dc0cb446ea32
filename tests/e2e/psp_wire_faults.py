"""Every action at every failpoint where it is allowed, on a cold and on a warm connection: the bytes
on the socket, FIN or RST, and afterwards the ledger, the fate of the key and the journal. Answers that
are broken on purpose are in psp_wire_answers.py."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, main, wait_until  # noqa: E402
from raw_http import NoAnswer, request  # noqa: E402
from wire_case import WireTest  # noqa: E402
from wire_table import STANDS  # noqa: E402


class Wire(WireTest):
    def ends_without_a_byte(self, kind, how, journal):
        for at, warm, connection in self.each(kind):
            self.assertEqual(connection.rest(), (b"", how))
            stands = at in STANDS
            self.assertCharges(1 if stands else 0)
            invoke, outcome = self.assertStory(at, kind, "info", stands)
            self.assertEqual(outcome, {"how": journal})
            self.assertEqual(invoke["on_connection"], 2 if warm else 1)
            self.assertRetry(stands)

    def test_drop_is_a_fin_without_a_byte(self):
        self.ends_without_a_byte("drop", "fin", "closed")

    def test_reset_is_a_rst_without_a_byte(self):
        self.ends_without_a_byte("reset", "rst", "reset")

    def test_late_is_executed_once_the_client_has_gone(self):
        for at, _, connection in self.each("late"):
            self.psp.wait_for_fault(self.account, at)
            self.assertTrue(connection.silent())
            self.assertCharges(0)
            connection.close()
            wait_until(lambda: self.psp.charges(self.account), "the charge")
            _, outcome = self.assertStory(at, "late", "info", True)
            self.assertEqual(outcome, {"how": "late"})
            self.assertRetry(True)

    def test_late_behind_its_own_retry_is_a_replay(self):
        connection = self.struck("late", "received", False)
        self.psp.wait_for_fault(self.account, "received")
        self.assertFirst(self.pay("key"))
        connection.close()
        _, outcome = self.events(3)[0], self.events(3)[-1]
        self.assertEqual(outcome, ("info", {"how": "late"}))
        self.assertCharges(1)

    def test_truncate_breaks_the_body_off(self):
        for at, _, connection in self.each("truncate"):
            got, how = connection.rest()
            self.assertEqual(how, "fin")
            head, body = got.split(b"\r\n\r\n", 1)
            self.assertIn(b"200 OK", head.split(b"\r\n")[0])
            promised = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            self.assertGreater(promised, 300)
            self.assertEqual(body, b"{\n  \"id")
            _, outcome = self.assertStory(at, "truncate", "info", True)
            self.assertEqual(outcome, {"how": "truncated"})
            self.assertRetry(True)

    def test_truncate_always_leaves_something_out(self):
        self.psp.faults({"on": "POST *", "nth": 1, "at": "responding",
                         "act": {"kind": "truncate", "bytes": 1000000}}, account=self.account)
        with self.psp.connect() as connection:
            connection.send(request("POST", "/v1/payment_intents", self.account, PAYMENT))
            got, how = connection.rest()
        head, body = got.split(b"\r\n\r\n", 1)
        promised = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        self.assertEqual((len(body), how), (promised - 1, "fin"))

    def test_dribble_brings_the_whole_answer_in_the_end(self):
        for at, _, connection in self.each("dribble"):
            answer = connection.answer()
            self.assertFirst(answer)
            self.assertEqual(json.loads(answer.body)["status"], "succeeded")
            _, outcome = self.assertStory(at, "dribble", "ok", True)
            self.assertEqual(outcome["status"], 200)
            self.assertEqual(connection.ask(request("GET", "/v1/charges", self.account)).status, 200)
            self.assertRetry(True)

    def test_dribble_ends_when_nobody_hears_it(self):
        """The next piece would come in an hour."""
        self.psp.faults({"on": "POST *", "nth": 1, "at": "responding",
                         "act": {"kind": "dribble", "every": 3600000}}, account=self.account)
        with self.psp.connect() as connection:
            connection.send(request("POST", "/v1/payment_intents", self.account, PAYMENT))
            self.psp.wait_for_fault(self.account, "responding")
        wait_until(lambda: [entry for entry in self.psp.journal(self.account)
                            if entry["data"].get("how") == "client_gone"], "the end")

    def test_garbage_is_no_http(self):
        for at, _, connection in self.each("garbage"):
            got, how = connection.rest()
            self.assertEqual(how, "fin")
            self.assertTrue(got.startswith(b"\x16\x03\x01"), got)
            self.assertNotIn(b"HTTP/1", got)
            stands = at in STANDS
            self.assertCharges(1 if stands else 0)
            _, outcome = self.assertStory(at, "garbage", "info", stands)
            self.assertEqual(outcome, {"how": "garbage"})
            self.assertRetry(stands)

    def test_hang_says_nothing_until_the_client_gives_up(self):
        for at, _, connection in self.each("hang"):
            self.psp.wait_for_fault(self.account, at)
            stands = at in STANDS
            self.assertCharges(1 if stands else 0)
            self.assertRetry(stands)  # while the first still hangs
            self.assertTrue(connection.silent())
            kinds = [entry["kind"] for entry in self.psp.journal(self.account)
                     if entry["request"] == self.posted()]
            self.assertNotIn("info", kinds)
            connection.close()
            _, outcome = self.assertStory(at, "hang", "info", stands)
            self.assertEqual(outcome, {"how": "hung"})
            self.assertCharges(1)

    def goes_on(self, kind):
        for at, _, connection in self.each(kind):
            answer = connection.answer()
            self.assertFirst(answer)
            self.assertCharges(1)
            _, outcome = self.assertStory(at, kind, "ok", True)
            self.assertEqual((outcome["status"], outcome["replayed"]), (200, False))
            self.assertEqual(outcome["id"], json.loads(answer.body)["id"])
            self.assertRetry(True)
            # The connection lives on.
            get = request("GET", "/v1/charges", self.account)
            self.assertEqual(connection.ask(get).status, 200)

    def test_pass_changes_nothing(self):
        self.goes_on("pass")

    def test_delay_changes_nothing_but_the_time(self):
        self.goes_on("delay")

    def test_respond_is_the_fault_s_answer_and_the_connection_lives_on(self):
        for at, _, connection in self.each("respond"):
            answer = connection.answer()
            self.assertEqual(answer.status, 503)
            self.assertEqual(json.loads(answer.body)["error"]["type"], "api_error")
            self.assertEqual(answer.header("content-type"), "application/json")
            stands = at in STANDS
            self.assertCharges(1 if stands else 0)
            _, outcome = self.assertStory(at, "respond", "info", stands)
            self.assertEqual(outcome["status"], 503)
            again = request("POST", "/v1/payment_intents", self.account, PAYMENT, "key")
            retried = connection.ask(again)
            self.assertEqual(retried.status, 200)
            self.assertEqual(retried.header("idempotent-replayed"), "true" if stands else None)
            self.assertCharges(1)

    def test_decline_is_a_card_error_that_the_key_remembers(self):
        for at, _, connection in self.each("decline"):
            first = connection.answer()
            self.assertFirst(first, 402)
            error = json.loads(first.body)["error"]
            self.assertEqual((error["type"], error["code"], error["decline_code"]),
                             ("card_error", "card_declined", "lost_card"))
            self.assertEqual(error["payment_intent"]["status"], "requires_payment_method")
            self.assertStory(at, "decline", "fail", False)
            self.assertReplay(self.pay("key"), first)
            self.assertCharges(0)

    def test_processing_is_an_answer_that_is_not_final(self):
        for at, _, connection in self.each("processing"):
            first = connection.answer()
            self.assertFirst(first)
            paid = "/v1/payment_intents/" + json.loads(first.body)["id"]
            self.assertEqual(json.loads(first.body)["status"], "processing")
            self.assertStory(at, "processing", "ok", False)
            self.assertReplay(self.pay("key"), first)
            self.psp.advance("30s")
            self.assertEqual(json.loads(self.get(paid).body)["status"], "processing")
            self.psp.advance("31s")
            self.assertEqual(json.loads(self.get(paid).body)["status"], "succeeded")
            self.assertCharges(1)

    def test_faults_meet_gets_as_well(self):
        rule = {"on": "GET *", "nth": 1, "at": "responding", "act": {"kind": "drop"}}
        self.psp.faults(rule, account=self.account)
        with self.assertRaises(NoAnswer) as raised:
            self.get("/v1/charges")
        self.assertEqual((raised.exception.how, raised.exception.got), ("fin", b""))
        self.assertEqual(self.get("/v1/charges").status, 200)

    def test_a_request_refused_before_received_meets_no_fault(self):
        self.psp.faults({"at": "responding", "act": {"kind": "drop"}}, account=self.account)
        self.assertEqual(self.pay(account="sk_nobody").status, 401)
        self.assertEqual(self.get("/v1/nothing").status, 404)

    def test_respond_takes_any_status_headers_and_body(self):
        for status in (200, 202, 301, 400, 402, 409, 429, 451, 500, 502, 504, 599):
            with self.subTest(status=status):
                fault = {"kind": "respond", "status": status, "body": f"body of {status}",
                         "headers": {"X-Fault": "yes", "Content-Type": "text/plain"}}
                self.psp.faults(("received", fault), account=self.account)
                answer = self.pay()
                self.assertEqual((answer.status, answer.body),
                                 (status, f"body of {status}".encode()))
                self.assertEqual(answer.header("x-fault"), "yes")
                self.assertEqual(answer.header("content-type"), "text/plain")

    def test_a_status_without_a_body_is_answered_without_one(self):
        for status in (204, 304):
            self.psp.faults({"on": "POST *", "nth": 1, "at": "received",
                             "act": {"kind": "respond", "status": status}}, account=self.account)
            with self.psp.connect() as connection:
                data = request("POST", "/v1/payment_intents", self.account, PAYMENT)
                self.assertEqual(connection.ask(data).status, status)
                self.assertEqual(connection.ask(data).status, 200)  # no byte was left over


if __name__ == "__main__":
    main()
