"""A thousand payments, a receiver that fails three times in ten and is killed twice, and a provider
that is killed in between: every event is acknowledged at least once, and every signature verifies.

The seed is printed; PSP_SEED=N draws the same again (what meets what is the machine's choice)."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import webhook_receiver  # noqa: E402
from mockpsp_process import PAYMENT, Mockpsp, new_account, wait_until  # noqa: E402
from raw_http import NoAnswer, request  # noqa: E402

PAYMENTS = 1000
CHANCE = 0.3


class Program:
    """The receiver as a process, so that it can be killed."""

    def __init__(self, seed, path):
        self.seed = seed
        self.path = path
        self.port = 0
        self.starts = 0
        self.start()

    def start(self):
        self.starts += 1
        self.process = subprocess.Popen(
            [sys.executable, webhook_receiver.__file__, str(self.port),
             f"{self.seed}.{self.starts}", str(CHANCE), self.path],
            stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def acknowledged(self):
        """What it wrote down; a kill may have cut a line."""
        lines = []
        with open(self.path, encoding="utf-8") as file:
            for line in file:
                try:
                    lines.append(json.loads(line))
                except ValueError:
                    pass
        return lines


class Storm(unittest.TestCase):
    def test_every_event_at_least_once(self):
        seed = int(os.environ.get("PSP_SEED") or time.time_ns() % 1_000_000)
        print(f"seed {seed}", flush=True)
        self.rng = random.Random(seed)
        self.account = new_account()
        self.play(seed)

    def start(self, seed):
        home = tempfile.mkdtemp(prefix="psp-e2e.")
        self.addCleanup(shutil.rmtree, home)
        self.receiver = Program(seed, os.path.join(home, "acknowledged"))
        self.addCleanup(lambda: self.receiver.process.poll() is None and self.receiver.kill())
        self.psp = Mockpsp("--quiet", "--clock", "manual", "--db", "psp.db", "--webhook",
                           f"http://127.0.0.1:{self.receiver.port}/")
        self.addCleanup(self.psp.clean)
        self.secret = self.psp.process.stdout.readline().split()[-1]

    def pay(self, first, last, connection):
        for number in range(first, last):
            data = request("POST", "/v1/payment_intents", self.account, PAYMENT, f"key {number}")
            self.assertEqual(connection.ask(data).status, 200)

    def pay_and_kill(self, first, last):
        """Kills the provider with a request under way; with the same key it is then made good."""
        with self.psp.connect() as connection:
            self.pay(first, last, connection)
            connection.send(request("POST", "/v1/payment_intents", self.account, PAYMENT,
                                    f"key {last}"))
            self.psp.kill()
            try:
                connection.answer("POST")
            except NoAnswer:
                pass
        self.psp.restart()

    def play(self, seed):
        self.start(seed)
        cuts = sorted(self.rng.sample(range(1, PAYMENTS), 5))
        edges = [0, *cuts, PAYMENTS]
        acts = [self.receiver.kill, self.receiver.start, "kill", self.receiver.kill,
                self.receiver.start, None]
        for first, last, act in zip(edges, edges[1:], acts):
            if act == "kill":
                self.pay_and_kill(first, last)
                continue
            with self.psp.connect() as connection:
                self.pay(first, last, connection)
            if act is not None:
                act()
        self.drain()
        self.judge()

    def waiting(self):
        """When what is not delivered yet will be sent, and what the time is."""
        deliveries = self.psp.control("GET", "webhooks")["deliveries"]
        self.assertNotIn("given_up", {d["state"] for d in deliveries})
        return ([d["next_attempt_ms"] for d in deliveries if d["state"] == "pending"],
                self.psp.control("GET", "clock")["now_ms"])

    def nothing_is_due(self):
        waiting, now = self.waiting()
        return min(waiting, default=now + 1) > now

    def drain(self):
        """Moves the clock on to whatever is to be sent next, until nothing is."""
        while True:
            wait_until(self.nothing_is_due, "what is due has been tried")
            waiting, now = self.waiting()
            if not waiting:
                return
            self.psp.advance(f"{min(waiting) - now}ms")

    def events(self):
        """The ids of all events, by their type."""
        found, cursor = {}, ""
        while True:
            answer = self.psp.ask("GET", f"/v1/events?limit=100{cursor}", self.account)
            page = json.loads(answer.body)
            for event in page["data"]:
                found.setdefault(event["type"], set()).add(event["id"])
            if not page["has_more"]:
                return found
            cursor = "&starting_after=" + page["data"][-1]["id"]

    def judge(self):
        events = self.events()
        self.assertEqual(len(self.psp.charges(self.account)), PAYMENTS)
        self.assertEqual({name: len(ids) for name, ids in events.items()},
                         dict.fromkeys(("payment_intent.created", "charge.succeeded",
                                        "payment_intent.succeeded"), PAYMENTS))
        lines = self.receiver.acknowledged()
        self.assertEqual({line["event"] for line in lines}, set().union(*events.values()))
        for line in lines:
            at, values = webhook_receiver.signatures(line["signature"])
            self.assertEqual(values,
                             [webhook_receiver.signed(self.secret, at, line["body"].encode())])


if __name__ == "__main__":
    unittest.main(verbosity=2)
