"""Every action at every failpoint where it is allowed, on a cold and on a warm connection: the bytes
on the socket, FIN or RST, and afterwards the ledger, the fate of the key and the journal."""
import json
import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, PspTest, main, new_account, wait_until  # noqa: E402
from raw_http import NoAnswer, request  # noqa: E402

FAILPOINTS = ["received", "before_commit", "after_commit", "responding", "responded"]
STANDS = FAILPOINTS[2:]  # here the effect has been committed

# What may be asked for where; everything else is refused.
ALLOWED = {
    "pass": FAILPOINTS,
    "delay": FAILPOINTS[:4],
    "respond": FAILPOINTS[:4],
    "drop": FAILPOINTS[:4],
    "reset": FAILPOINTS[:4],
    "hang": FAILPOINTS[:4],
    "late": ["received"],
    "truncate": ["responding"],
    "dribble": ["responding"],
    "garbage": FAILPOINTS[:4],
    "decline": ["received"],
    "crash_psp": FAILPOINTS,
    "crash_client": [],  # by the harness alone
}

OPTIONS = {"delay": {"ms": 20}, "truncate": {"bytes": 7}, "dribble": {"bytes": 50, "every": 5},
           "respond": {"status": 503}, "decline": {"code": "lost_card"}}


def act(kind):
    return {"kind": kind, **OPTIONS.get(kind, {})}


def once(at, kind):
    """A rule for the first POST of an account."""
    return {"on": "POST *", "nth": 1, "at": at, "act": act(kind)}


class Wire(PspTest):
    """One provider for all faults but the one that kills it."""

    def struck(self, kind, at, warm):
        """The connection on which a fault has struck, with a request sent on it."""
        connection = self.psp.connect()
        self.addCleanup(connection.close)
        if warm:
            get = request("GET", "/v1/charges", self.account)
            self.assertEqual(connection.ask(get).status, 200)
        self.psp.faults(once(at, kind), account=self.account)
        connection.send(request("POST", "/v1/payment_intents", self.account, PAYMENT, "key"))
        return connection

    def events(self, count):
        """Kinds and data of what happened to the POST; it must be COUNT events in the end."""
        def look():
            events = [(entry["kind"], entry["data"]) for entry in self.psp.journal(self.account)
                      if entry["request"] == self.posted()]
            return events if len(events) >= count else None
        events = wait_until(look, f"{count} events")
        self.assertEqual(len(events), count, events)
        return events

    def posted(self):
        """The attempt number of the first POST."""
        return next(entry["request"] for entry in self.psp.journal(self.account)
                    if entry["kind"] == "invoke" and entry["data"]["method"] == "POST")

    def assertStory(self, at, kind, outcome, stands):
        """invoke, effect and fault in the order in which they must have happened, then OUTCOME."""
        story = ["invoke"]
        if stands and at in STANDS:
            story.append("effect")
        if kind != "pass":
            story.append("fault")
        if stands and at not in STANDS:
            story.append("effect")
        events = self.events(len(story) + 1)
        self.assertEqual([name for name, _ in events], story + [outcome])
        struck = [data for name, data in events if name == "fault"]
        for data in struck:
            self.assertEqual(data["at"], at)
            self.assertEqual(data["act"].split()[0], kind)
        return events[0][1], events[-1][1]

    def each(self, kind):
        for at in ALLOWED[kind]:
            for warm in (False, True):
                with self.subTest(at=at, warm=warm):
                    self.account = new_account()
                    yield at, warm, self.struck(kind, at, warm)

    def assertRetry(self, stands):
        """The same request with the same key once more: replayed over an effect that stands, executed
        otherwise; either way there is one charge in the end."""
        answer = self.pay("key")
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.header("idempotent-replayed"), "true" if stands else None)
        self.assertCharges(1)

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


class Refused(PspTest):
    """What makes no sense is refused with a sentence that says why, and changes nothing."""

    def refused(self, body):
        answer = self.psp.ask("PUT", "/_mock/faults", self.account, body)
        return self.error(answer, 400)["message"]

    def test_every_pair_that_is_not_allowed(self):
        for kind, allowed in ALLOWED.items():
            for at in FAILPOINTS:
                rules = json.dumps([{"at": at, "act": act(kind)}])
                answer = self.psp.ask("PUT", "/_mock/faults", self.account, rules)
                if at in allowed:
                    self.assertEqual(answer.status, 200, answer.body)
                elif kind == "crash_client":
                    self.assertIn("needs psp-harness", self.error(answer, 400)["message"])
                else:
                    self.assertIn(f"{kind} makes no sense at {at}",
                                  self.error(answer, 400)["message"])

    def test_wrong_words_are_named(self):
        good = {"at": "received", "act": {"kind": "drop"}}
        for change, word in [({"at": "commited"}, "commited"), ({"at": None}, "(none)"),
                             ({"act": {"kind": "dorp"}}, "dorp"), ({"act": "drop"}, "drop()"),
                             ({"on": "POST"}, "on = "), ({"attempt": 0}, "attempt"),
                             ({"nth": 0}, "nth"), ({"when": 1}, "when"),
                             ({"act": {"kind": "drop", "ms": 5}}, "ms"),
                             ({"act": {"kind": "delay"}}, "delay"),
                             ({"act": {"kind": "delay", "ms": "soon"}}, "soon"),
                             ({"act": {"kind": "respond"}}, "status"),
                             ({"act": {"kind": "respond", "status": 100}}, "200 to 599"),
                             ({"act": {"kind": "respond", "status": 600}}, "200 to 599")]:
            with self.subTest(change=change):
                self.assertIn(word, self.refused(json.dumps([good, {**good, **change}])))
                self.assertIn("fault 2: ", self.refused(json.dumps([good, {**good, **change}])))

    def test_what_is_no_list_is_refused(self):
        for body in ("", "drop", "[", '{"faults":7}', '{"fault":[]}', '"drop"', "nil"):
            with self.subTest(body=body):
                self.assertTrue(self.refused(body))

    def test_a_refused_schedule_leaves_the_old_one_in_place(self):
        rule = {"on": "POST *", "at": "received", "act": {"kind": "respond", "status": 418}}
        self.psp.faults(rule, account=self.account)
        self.refused('[{"at":"nowhere","act":{"kind":"drop"}}]')
        self.assertEqual(self.pay().status, 418)
        shown = self.psp.control("GET", "faults", None, self.account)
        self.assertEqual((shown["faults"], shown["struck"]), ([rule], [1]))

    def test_faults_of_one_account_are_no_other_s(self):
        self.psp.faults(("received", "drop"), account=self.account)
        self.assertEqual(self.pay(account=self.account + "other").status, 200)
        self.psp.no_faults(self.account)
        self.assertEqual(self.pay().status, 200)


class Crash(unittest.TestCase):
    """crash_psp is a real kill -9; what was committed is there when it is started again."""

    def crash(self, at, warm):
        """What the client saw, and the provider, started again."""
        psp = Mockpsp("--quiet", "--clock", "manual", "--db", "psp.db")
        self.addCleanup(psp.clean)
        with psp.connect() as connection:
            if warm:
                connection.ask(request("GET", "/v1/charges", "sk_test_1"))
            psp.faults(once(at, "crash_psp"))
            connection.send(request("POST", "/v1/payment_intents", "sk_test_1", PAYMENT, "key"))
            got, _ = connection.rest()
        self.assertEqual(psp.process.wait(), -signal.SIGKILL)
        psp.restart()
        return got, psp

    def test_at_every_failpoint(self):
        for at in FAILPOINTS:
            for warm in (False, True):
                with self.subTest(at=at, warm=warm):
                    got, psp = self.crash(at, warm)
                    stands = at in STANDS
                    self.assertEqual(len(psp.charges()), 1 if stands else 0)
                    again = psp.ask("POST", "/v1/payment_intents", "sk_test_1", PAYMENT, "key")
                    self.assertEqual(again.status, 200)
                    self.assertEqual(again.header("idempotent-replayed"),
                                     "true" if stands else None)
                    self.assertEqual(len(psp.charges()), 1)
                    # At responded the whole answer has left before the end; elsewhere not a byte.
                    self.assertEqual(got[-len(again.body):], again.body if at == "responded" else b"")
                    kinds = [entry["kind"] for entry in psp.journal() if entry["kind"] != "up"]
                    self.assertEqual(kinds[-1], "ok")
                    self.assertEqual("effect" in kinds[:kinds.index("fault")], stands)
                    self.assertEqual(psp.stop(), 0)


class Curl(PspTest):
    """What curl's exit status says: the codes that NOTES and scripts go by."""

    def curl(self, at, kind, *options):
        self.psp.faults((at, act(kind)), account=self.account)
        return subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-u", self.account + ":", "-d", "email=a@b", *options,
             f"http://127.0.0.1:{self.psp.port}/v1/customers"], check=False).returncode

    def test_exit_codes(self):
        for at in FAILPOINTS[:4]:
            with self.subTest(at=at):
                self.assertEqual(self.curl(at, "drop"), 52)
                self.assertEqual(self.curl(at, "reset"), 56)
                self.assertEqual(self.curl(at, "hang", "--max-time", "0.2"), 28)
                self.assertEqual(self.curl(at, "respond"), 0)
                self.assertEqual(self.curl(at, "respond", "--fail"), 22)


if __name__ == "__main__":
    main()
