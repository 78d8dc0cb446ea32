"""psp-harness judge: the same verdict on traffic that somebody else drove. mockpsp runs beside a test suite
of somebody's own, and is judged from its journal afterwards."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import Mockpsp, main, new_account  # noqa: E402
from raw_http import NoAnswer, request  # noqa: E402

PSP_HARNESS = os.environ["PSP_HARNESS"]
LOST = {"on": "POST *", "nth": 1, "at": "after_commit", "act": {"kind": "drop"}}


class Judged(unittest.TestCase):
    def setUp(self):
        self.psp = Mockpsp("--quiet")
        self.addCleanup(self.psp.clean)
        self.account = new_account()

    def pay(self, key, order="order_1", account=None, amount=1200):
        body = {"amount": amount, "currency": "usd", "confirm": "true",
                "payment_method": "pm_card_visa", "metadata[order_id]": order}
        try:
            return self.psp.ask("POST", "/v1/payment_intents", account or self.account, body, key)
        except NoAnswer:
            return None

    def judge(self, *options, source=None, claims=(), journal=None):
        given = journal if journal is not None else "".join(json.dumps(one) + "\n" for one in claims)
        command = [PSP_HARNESS, "judge", source or f"http://127.0.0.1:{self.psp.port}", *options]
        if claims:
            command += ["--claims", "-"]
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        self.said = done.stdout + done.stderr
        return done.returncode

    def journal(self):
        """Its lines."""
        return [json.dumps(entry) + "\n" for entry in self.psp.journal()]

    # --- the verdict ------------------------------------------------------------------------------

    def test_a_suite_that_pays_twice_is_caught(self):
        self.psp.faults(LOST, account=self.account)
        self.pay(None)
        self.pay(None)
        self.assertEqual(self.judge(), 1, self.said)
        for words in ("charged_once", "no idempotency key", "the story of order_1", "replay: "):
            self.assertIn(words, self.said)

    def test_what_was_done_for_it_is_among_the_claims(self):
        self.psp.faults(LOST, account=self.account)
        self.pay("a")
        self.pay("a")
        shipped = {"order": "order_1", "effect": "shipped"}
        paid = {"order": "order_1", "outcome": "succeeded"}
        self.assertEqual(self.judge(claims=[paid, shipped]), 0, self.said)
        self.assertEqual(self.judge(claims=[shipped, shipped, paid]), 1, self.said)
        self.assertIn("the client says 'shipped' of order_1, which it had done already", self.said)

    def test_a_suite_that_pays_once_passes(self):
        self.psp.faults(LOST, account=self.account)
        self.pay("a")
        self.pay("a")
        self.assertEqual(self.judge(), 0, self.said)

    def test_claims_are_held_against_it(self):
        self.psp.faults(LOST, account=self.account)
        self.pay("a")
        for claim, status, words in [
                ({"outcome": "failed"}, 1, "failure_is_not_charged"),
                ({"outcome": "succeeded"}, 0, "pass"),
                ({"outcome": "succeeded", "payment": "pi_other"}, 1, "success_is_charged"),
                ({"outcome": "succeeded", "amount": 1300, "currency": "usd"}, 1,
                 "charge_matches_order"),
                ({"amount": 1200, "currency": "usd"}, 0, "pass"),
                ({"outcome": "unknown"}, 3, "settles cannot tell")]:
            with self.subTest(claim=claim):
                self.assertEqual(self.judge(claims=[{"order": "order_1", **claim}]), status,
                                 self.said)
                self.assertIn(words, self.said)

    def test_the_last_claim_of_an_order_counts(self):
        self.psp.faults(LOST, account=self.account)
        self.pay("a")
        claims = [{"order": "order_1", "outcome": outcome} for outcome in ("unknown", "succeeded")]
        self.assertEqual(self.judge(claims=claims), 0, self.said)

    def test_amounts_tell_whose_a_request_without_metadata_is(self):
        self.psp.faults(LOST, account=self.account)
        body = {"amount": 777, "currency": "usd", "confirm": "true", "payment_method": "pm_card_visa"}
        for key in ("a", "b"):
            try:
                self.psp.ask("POST", "/v1/payment_intents", self.account, body, key)
            except NoAnswer:
                pass
        self.assertEqual(self.judge(), 3, self.said)
        self.assertIn("belongs to no order", self.said)
        self.assertEqual(self.judge(claims=[{"order": "x", "amount": 777, "currency": "usd"}]), 1,
                         self.said)
        self.assertIn("x was charged twice", self.said)

    def test_accounts_are_judged_each_for_itself(self):
        other = new_account()
        for account in (self.account, other):
            self.psp.faults(LOST, account=account)
            self.pay("a", account=account)
            self.pay("a", account=account)
        self.assertEqual(self.judge(), 0, self.said)
        self.assertIn("2 passed", self.said)
        self.pay("b", account=other)
        self.assertEqual(self.judge("--api-key", self.account), 0, self.said)
        self.assertEqual(self.judge("--api-key", other), 1, self.said)
        self.assertEqual(self.judge(claims=[{"order": "order_1", "outcome": "succeeded"}]), 2)
        self.assertIn("--api-key", self.said)

    def test_a_payment_that_settles_later_belongs_to_its_order(self):
        self.psp.faults({"on": "POST *", "nth": 1, "at": "received",
                         "act": {"kind": "delay", "ms": 1}}, account=self.account)
        body = {"amount": 900, "currency": "usd", "confirm": "true",
                "payment_method": "pm_usBankAccount_success", "metadata[order_id]": "slow"}
        for key in ("a", "b"):
            self.psp.ask("POST", "/v1/payment_intents", self.account, body, key)
        self.assertEqual(self.judge(), 0, self.said)
        self.psp.advance("1h")
        self.assertEqual(self.judge(), 1, self.said)
        self.assertIn("slow was charged twice", self.said)

    # --- nothing is passed that was not tested ----------------------------------------------------

    def test_what_proves_nothing_is_inconclusive(self):
        self.assertEqual(self.judge(), 3, self.said)
        self.assertIn("there is no request", self.said)
        self.psp.ask("GET", "/v1/charges", self.account)
        self.assertEqual(self.judge(), 3, self.said)
        self.assertIn("no request in it would have moved money", self.said)
        self.pay("a")
        self.assertEqual(self.judge(), 3, self.said)
        self.assertIn("no fault struck", self.said)
        self.assertEqual(self.judge("--calm"), 0, self.said)
        self.assertEqual(self.judge("--api-key", "sk_test_nobody"), 3, self.said)
        self.assertRegex(self.said, "(?m)^INCONCLUSIVE  sk_test_nobody  +in ")
        self.assertIn("\n1 account: 1 inconclusive (", self.said)

    def test_requests_without_a_key_are_nobody_s(self):
        """A health check says nothing about a client, and a key of live mode does."""
        self.psp.ask("GET", "/")
        self.assertEqual(self.judge(), 3, self.said)
        self.assertIn("there is no request in it", self.said)
        self.psp.faults(LOST, account=self.account)
        self.pay("a")
        self.pay("a")
        self.assertEqual(self.judge(), 0, self.said)
        self.assertEqual(self.judge(claims=[{"order": "order_1", "outcome": "succeeded"}]), 0,
                         self.said)
        self.psp.ask("GET", "/v1/charges", "sk_live_" + 24 * "a")
        self.assertEqual(self.judge(), 1, self.said)
        self.assertIn("no_live_key", self.said)

    def test_a_history_that_is_to_be_compared_is_none(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write('{"kind":"up","data":{}}\n')
            file.flush()
            self.assertEqual(self.judge(source=file.name), 2, self.said)
        self.assertIn("what run --history writes is to be compared", self.said)

    def test_an_open_request_is_waited_for(self):
        self.psp.faults({"on": "POST *", "nth": 1, "at": "after_commit", "act": {"kind": "hang"}},
                        account=self.account)
        with self.psp.connect() as connection:
            connection.send(request("POST", "/v1/payment_intents", self.account,
                                    {"amount": 5, "currency": "usd", "confirm": "true",
                                     "payment_method": "pm_card_visa",
                                     "metadata[order_id]": "o"}, "k"))
            self.psp.wait_for_fault(self.account, "after_commit")
            self.assertEqual(self.judge(), 3, self.said)
            self.assertIn("has no end", self.said)

    # --- files ------------------------------------------------------------------------------------

    def test_a_file_is_as_good_as_the_provider(self):
        self.psp.faults(LOST, account=self.account)
        self.pay("a")
        self.pay("b")
        lines = self.journal()
        self.assertEqual(self.judge(source="-", journal="".join(lines)), 1, self.said)
        whole = self.psp.ask("GET", "/_mock/journal").body.decode()
        self.assertEqual(self.judge(source="-", journal=whole), 1, self.said)

    def test_the_history_of_a_run_has_its_claims_in_it(self):
        """The same verdict as the run's own, on what its client believed as well."""
        source = os.environ["SOURCE_DIR"]
        scenario = os.path.join(source, "scenarios", "c20_error_after_commit.lua")
        careless = os.path.join(source, "scenarios", "clients", "careless.py")
        for mistake, status in (["--mistake", "status_5xx_is_failure"], 1), ([], 0):
            with self.subTest(mistake=mistake), tempfile.TemporaryDirectory() as boxes:
                run = subprocess.run([PSP_HARNESS, "run", "--keep", scenario, "--", "/usr/bin/python3",
                                      careless, *mistake], capture_output=True, text=True,
                                     env={**os.environ, "TMPDIR": boxes}, check=False)
                self.assertEqual(run.returncode, status, run.stdout + run.stderr)
                history = next(pathlib.Path(boxes).rglob("history.jsonl"))
                self.assertEqual(self.judge(source=str(history)), status, self.said)
                self.assertEqual("failure_is_not_charged" in self.said, status == 1)

    def test_what_is_no_whole_journal_is_refused(self):
        self.psp.faults(LOST, account=self.account)
        self.pay("a")
        lines = self.journal()
        first = next(i for i, line in enumerate(lines) if '"invoke"' in line)
        for journal, words in [
                ("", "it is empty"),
                ("".join(lines)[:-20], f"line {len(lines)} is cut off"),
                ("".join(lines[first + 1:]), "begins in the middle"),
                ("".join(lines[:2] + lines[:1]), "line 3: seq 1 comes after seq 2"),
                ('{"hello":1}\n', "line 1: it is no event"),
                ("hello\nworld\n", "line 1 is no JSON"),
                (json.dumps({"entries": [], "complete": False, "last": 7}), "after=7")]:
            with self.subTest(words=words):
                self.assertEqual(self.judge(source="-", journal=journal), 2, self.said)
                self.assertIn(words, self.said)

    def test_claims_that_cannot_be_read_are_refused_by_line(self):
        for line, words in [('{"order":"a"}', "neither"), ("x", "no JSON"), ('{"outcome":"failed"}', "order"),
                            ('{"order":"a","outcome":"perhaps"}', "succeeded"),
                            ('{"order":"a","amount":"5","currency":"usd"}', "whole number"),
                            ('{"order":"a","amount":5}', "currency")]:
            with self.subTest(line=line), tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
                file.write('{"order":"fine","outcome":"unknown"}\n' + line + "\n")
                file.flush()
                self.assertEqual(self.judge("--claims", file.name), 2, self.said)
                self.assertIn(f"{file.name}:2: ", self.said)
                self.assertIn(words, self.said)

    def test_where_it_cannot_be_had(self):
        self.assertEqual(self.judge(source="http://127.0.0.1:1"), 4, self.said)
        self.assertEqual(self.judge(source=f"http://127.0.0.1:{self.psp.port}/elsewhere"), 4, self.said)
        self.assertEqual(self.judge(source="/nowhere/journal"), 2, self.said)
        self.assertEqual(self.judge("--calms"), 2, self.said)
        self.assertIn("did you mean --calm?", self.said)

    def test_reports_for_pipelines(self):
        self.psp.faults(LOST, account=self.account)
        self.pay("a")
        self.pay("b")
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.judge("--format", "tap", "--report", folder), 1, self.said)
            self.assertIn(f"not ok 1 - {self.account}: ", self.said)
            self.assertEqual(sorted(os.listdir(folder)),
                             ["junit.xml", "report.html", "report.json"])


if __name__ == "__main__":
    main()
