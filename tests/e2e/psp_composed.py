"""Several actions in one fault, one after the other: act = { delay("1s"), drop() }. What is left on
the socket, in the journal and in the ledger, and that every fault source walks the list alike."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, PspTest, main, new_account  # noqa: E402
from raw_http import request  # noqa: E402

DRIBBLE = {"kind": "dribble", "bytes": 20, "every": 1}
TRUNCATE = {"kind": "truncate", "bytes": 50}


def split(got):
    """The body's length that was promised, and the body that came."""
    head, body = got.split(b"\r\n\r\n", 1)
    return int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]), body


class Composed(PspTest):
    def struck(self, at, *acts):
        connection = self.psp.connect()
        self.addCleanup(connection.close)
        self.psp.faults({"on": "POST *", "nth": 1, "at": at, "act": list(acts)},
                        account=self.account)
        return connection.send(request("POST", "/v1/payment_intents", self.account, PAYMENT, "key"))

    def acts(self):
        return [entry["data"]["act"].split()[0] for entry in self.psp.journal(self.account)
                if entry["kind"] == "fault"]

    def test_steps_and_then_an_end(self):
        for end, how in (("drop", "fin"), ("reset", "rst")):
            with self.subTest(end=end):
                self.account = new_account()
                connection = self.struck("after_commit", {"kind": "delay", "ms": 5},
                                         {"kind": "pass"}, {"kind": "delay", "ms": 5},
                                         {"kind": end})
                self.assertEqual(connection.rest(), (b"", how))
                self.assertEqual(self.acts(), ["delay", "delay", end])
                self.assertCharges(1)

    def test_a_decline_comes_after_its_delay(self):
        answer = self.struck("received", {"kind": "delay", "ms": 5},
                             {"kind": "decline", "code": "lost_card"}).answer()
        self.assertEqual(json.loads(answer.body)["error"]["decline_code"], "lost_card")

    def test_half_a_body_and_then_a_reset(self):
        promised, body = split(self.ended(self.struck("responding", TRUNCATE, {"kind": "reset"}),
                                          "rst"))
        self.assertEqual(len(body), 50)
        self.assertGreater(promised, 50)

    def test_a_body_in_pieces_and_then_a_reset_lacks_a_byte(self):
        promised, body = split(self.ended(self.struck("responding", DRIBBLE, {"kind": "reset"}),
                                          "rst"))
        self.assertEqual(len(body), promised - 1)

    def test_pieces_up_to_a_point(self):
        _, body = split(self.ended(self.struck("responding", DRIBBLE, TRUNCATE), "fin"))
        self.assertEqual(len(body), 50)

    def ended(self, connection, how):
        got, end = connection.rest()
        self.assertEqual(end, how)
        self.assertEqual([entry["kind"] for entry in self.psp.journal(self.account)][-1], "info")
        self.assertCharges(1)
        return got

    def test_half_a_body_and_then_silence(self):
        connection = self.struck("responding", TRUNCATE, {"kind": "hang"})
        while connection.buffer.count(b"\r\n\r\n") == 0 or len(split(connection.buffer)[1]) < 50:
            connection._more()
        self.assertEqual(self.pay("key").header("idempotent-replayed"), "true")
        self.assertEqual(len(split(connection.buffer)[1]), 50)
        connection.close()

    def test_what_cannot_follow_is_refused_in_words(self):
        for at, acts, words in [
                ("after_commit", [{"kind": "drop"}, {"kind": "delay", "ms": 1}],
                 "delay cannot follow on drop"),
                ("responding", [TRUNCATE, {"kind": "delay", "ms": 1}],
                 "delay cannot follow on truncate"),
                ("received", [{"kind": "delay", "ms": 1}, TRUNCATE],
                 "truncate makes no sense at received: it does at responding"),
                ("received", [], "1 to 8"),
                ("received", [{"kind": "pass"}] * 9, "1 to 8"),
                ("received", [[{"kind": "pass"}] * 5] * 2, "1 to 8"),
                ("received", [[{"kind": "pass"}], [[]]], "1 to 8"),
                ("received", [["pass"]], "an action is a call")]:
            answer = self.psp.ask("PUT", "/_mock/faults", self.account,
                                  json.dumps([{"at": at, "act": acts}]))
            self.assertIn(words, self.error(answer, 400)["message"])

    def test_a_list_comes_back_as_it_was_put(self):
        acts = [{"kind": "delay", "ms": 5}, {"kind": "drop"}]
        shown = self.psp.faults({"at": "received", "act": acts}, account=self.account)
        self.assertEqual(shown["faults"][0]["act"], acts)

    def test_a_list_in_a_list_means_what_is_in_it(self):
        wait, drop = {"kind": "delay", "ms": 5}, {"kind": "drop"}
        shown = self.psp.faults({"at": "received", "act": [[wait, [wait]], drop]},
                                account=self.account)
        self.assertEqual(shown["faults"][0]["act"], [wait, wait, drop])


class FromLua(unittest.TestCase):
    """A list of faults and a function of the request, in mockpsp and in psp-harness."""

    def file(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".lua", encoding="utf-8")
        self.addCleanup(file.close)
        file.write(text)
        file.flush()
        return file.name

    def test_a_list_and_a_function(self):
        for faults in ('{ { pays = true, nth = 1, at = "after_commit", act = { delay(5), drop() } } }',
                       'function(req) if req.at == "after_commit" and req.key == "one" then'
                       ' return { delay(5), drop() } end end'):
            with self.subTest(faults=faults):
                psp = Mockpsp("--quiet", "--faults",
                              self.file(f"return scenario {{ faults = {faults} }}"))
                self.addCleanup(psp.clean)
                for key, end in (("one", (b"", "fin")), ("two", None)):
                    with psp.connect() as connection:
                        connection.send(request("POST", "/v1/payment_intents", "sk_test_lua",
                                                PAYMENT, key))
                        if end is None:
                            self.assertEqual(connection.answer().status, 200)
                        else:
                            self.assertEqual(connection.rest(), end)
                acts = [entry["data"]["act"] for entry in psp.journal() if entry["kind"] == "fault"]
                self.assertEqual(acts, ["delay 5ms", "drop"])

    def test_a_crash_comes_after_its_delay(self):
        for crash, event in (("crash_client()", '"crash"'), ('crash_psp("10ms")', '"down"')):
            with self.subTest(crash=crash), tempfile.TemporaryDirectory() as boxes:
                scenario = self.file("return scenario { faults = { { pays = true, attempt = 1, at = "
                                     f'"after_commit", act = {{ delay(5), {crash} }} }} }} }}')
                run = subprocess.run(
                    [os.environ["PSP_HARNESS"], "run", scenario, "--keep", "--",
                     os.path.join(os.environ["BUILD_DIR"], "client-careful-c")],
                    capture_output=True, text=True, env={**os.environ, "TMPDIR": boxes}, check=False)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                with open(next(pathlib.Path(boxes).rglob("history.jsonl")),
                          encoding="utf-8") as file:
                    history = file.read()
                self.assertLess(history.index('"act":"delay 5ms"'),
                                history.index('"act":"' + crash[:9]))
                self.assertIn(event, history)


if __name__ == "__main__":
    main()
