"""kill -9: what was committed is there once after the restart and its key replays it, what was not has
left no trace and its key executes. Fifty rounds each, and a few where nobody chose the moment."""
import collections
import json
import os
import random
import sys
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, main, new_account, wait_until  # noqa: E402
from raw_http import NoAnswer, request  # noqa: E402

ROUNDS = 50
HOLD = {"kind": "delay", "ms": 600_000}


class Killed(unittest.TestCase):
    def setUp(self):
        self.psp = Mockpsp("--quiet", "--clock", "manual", "--db", "psp.db")
        self.addCleanup(self.psp.clean)

    def pay(self, account):
        return self.psp.ask("POST", "/v1/payment_intents", account, PAYMENT, "key")

    def die_while_held(self, at):
        """Kills the provider while a request waits at AT; the account that sent it."""
        account = new_account()
        self.psp.faults((at, HOLD), account=account)
        with self.psp.connect() as connection:
            connection.send(request("POST", "/v1/payment_intents", account, PAYMENT, "key"))
            self.psp.wait_for_fault(account, at)
            self.psp.kill()
            self.assertEqual(connection.rest()[0], b"")
        self.psp.restart()
        return account

    def test_between_commit_and_response(self):
        for _ in range(ROUNDS):
            account = self.die_while_held("after_commit")
            charges = self.psp.charges(account)
            self.assertEqual(len(charges), 1)
            events = {entry["kind"]: entry["data"] for entry in self.psp.journal(account)}
            first = self.pay(account)
            self.assertEqual(first.status, 200)
            self.assertEqual(first.header("idempotent-replayed"), "true")
            self.assertEqual(first.header("original-request"), events["invoke"]["request_id"])
            intent = json.loads(first.body)
            self.assertEqual(intent["id"], events["effect"]["payment_intent"])
            self.assertEqual(intent["latest_charge"], charges[0]["id"])
            self.assertEqual(self.pay(account).body, first.body)
            self.assertEqual(len(self.psp.charges(account)), 1)

    def test_between_claim_and_commit(self):
        for _ in range(ROUNDS):
            account = self.die_while_held("before_commit")
            self.assertEqual(self.psp.ledger(account)["charges"], [])
            up = [entry for entry in self.psp.journal() if entry["kind"] == "up"][-1]
            self.assertEqual(up["data"]["recovered"], 1)
            first = self.pay(account)
            self.assertEqual(first.status, 200)
            self.assertIsNone(first.header("idempotent-replayed"))
            self.assertEqual(len(self.psp.charges(account)), 1)
            self.assertEqual(self.pay(account).body, first.body)

    def test_an_answer_that_was_read_is_replayed_byte_for_byte(self):
        for _ in range(10):
            account = new_account()
            first = self.pay(account)
            self.psp.kill()
            self.psp.restart()
            again = self.pay(account)
            self.assertEqual((again.status, again.body), (first.status, first.body))
            self.assertEqual(again.header("original-request"), first.header("request-id"))

    def test_ids_and_attempt_numbers_go_on(self):
        account = new_account()
        seen = set()
        for _ in range(5):
            for _ in range(3):
                answer = self.psp.ask("POST", "/v1/payment_intents", account, PAYMENT)
                intent = json.loads(answer.body)
                seen |= {intent["id"], intent["latest_charge"], answer.header("request-id")}
            self.psp.kill()
            self.psp.restart()
        self.assertEqual(len(seen), 5 * 3 * 3)
        numbers = [entry["request"] for entry in self.psp.journal() if entry["kind"] == "invoke"]
        self.assertEqual(numbers, sorted(set(numbers)))
        seqs = [entry["seq"] for entry in self.psp.journal()]
        self.assertEqual(seqs, sorted(set(seqs)))

    def crowd(self, accounts, answers):
        """Pays on a connection of its own, one account after the other, until the provider dies."""
        try:
            with self.psp.connect() as connection:
                for account in accounts:
                    answers[account] = None
                    data = request("POST", "/v1/payment_intents", account, PAYMENT, "key")
                    answers[account] = connection.ask(data)
        except (NoAnswer, ConnectionError):
            pass

    def test_at_any_moment(self):
        seed = random.randrange(1 << 32)
        print(f"seed {seed}", end=" ", flush=True)
        rng = random.Random(seed)
        for _ in range(15):
            answers = {}
            accounts = [new_account() for _ in range(2000)]
            threads = [threading.Thread(target=self.crowd, args=(accounts[i::4], answers))
                       for i in range(4)]
            for thread in threads:
                thread.start()
            wanted = rng.randrange(1, 300)
            wait_until(lambda: len(answers) >= wanted, "so many requests")
            self.psp.kill()
            for thread in threads:
                thread.join()
            self.psp.restart()
            self.check(answers)

    def charged(self):
        """How often each account was charged."""
        return collections.Counter(charge["account"] for charge in self.psp.charges())

    def check(self, answers):
        charged = self.charged()
        for account, first in answers.items():
            # Answered: it stands. Not answered: it stands or it does not, but never twice.
            self.assertIn(charged[account], {1} if first else {0, 1})
        last = list(answers.items())[-20:]
        for account, first in last:
            again = self.pay(account)
            self.assertEqual(again.status, 200)
            if first:
                self.assertEqual(again.body, first.body)
            self.assertEqual(again.header("idempotent-replayed") == "true", account in charged)
        charged = self.charged()
        self.assertEqual({charged[account] for account, _ in last}, {1})


if __name__ == "__main__":
    main()
