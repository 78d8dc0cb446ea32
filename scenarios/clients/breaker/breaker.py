#!/usr/bin/env python3
"""breaker.py own|shared: sixteen workers and a list of orders. After five failures in a row the
circuit is open: nobody calls for 1.5 seconds, then one does, to see. `own`: each worker counts for
itself; `shared`: they count together, in a file."""
import json
import os
import sqlite3
import sys
import time

import psp

WORKERS, TRIES, MOST_FAILURES, OPEN_FOR = 16, 10, 5, 1.5


class Breaker:
    def __init__(self, path):
        self.db = sqlite3.connect(path, timeout=10, isolation_level=None)
        self.db.execute("CREATE TABLE IF NOT EXISTS breaker (id PRIMARY KEY, failures, open_until)")
        self.db.execute("INSERT OR IGNORE INTO breaker VALUES (1, 0, 0)")

    def lets_through(self):
        """Closed; or it has been open for long enough, and this is the one who looks."""
        now = time.time()
        return self.db.execute(
            "UPDATE breaker SET open_until = CASE WHEN failures < ? THEN 0 ELSE ? END"
            " WHERE failures < ? OR open_until < ?",
            (MOST_FAILURES, now + OPEN_FOR, MOST_FAILURES, now)).rowcount == 1

    def note(self, good):
        self.db.execute("UPDATE breaker SET failures = CASE WHEN ? THEN 0 ELSE failures + 1 END,"
                        " open_until = ?", (good, time.time() + OPEN_FOR))


def work(orders, breaker):
    for order in orders:
        outcome = "unknown"
        for _ in range(TRIES):
            while not breaker.lets_through():
                time.sleep(0.05)
            outcome = psp.pay(order, "pay-" + order["id"])[0]
            breaker.note(outcome in ("paid", "failed"))
            if outcome in ("paid", "failed"):
                break
            time.sleep(0.1)
        psp.claim(order["id"], outcome)


orders = [json.loads(line) for line in sys.stdin]
for order in orders:
    order["id"] = order["order"]
path = ":memory:" if sys.argv[1] == "own" else os.path.join(os.environ["STATE_DIR"], "breaker.db")
workers = []
for number in range(WORKERS):
    workers.append(os.fork())
    if workers[-1] == 0:
        work(orders[number::WORKERS], Breaker(path))
        os._exit(0)
for pid in workers:
    os.waitpid(pid, 0)
