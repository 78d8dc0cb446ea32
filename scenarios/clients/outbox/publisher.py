#!/usr/bin/env python3
"""publisher.py each|row: publishes what is in the outbox, to the provider, and marks it as published.
It may die between the two, so whatever is published is published at least once. `each` has a key for
each time, `row` one for the row."""
import os
import sqlite3
import sys
import time
import uuid

import psp

db = sqlite3.connect(os.path.join(os.environ["STATE_DIR"], "orders.db"), timeout=10)
pause = 0.1  # seconds
while True:
    rows = db.execute("SELECT id, order_id, amount, currency FROM outbox"
                      " WHERE published = 0").fetchall()
    pause = min(2 * pause, 3) if rows else 0.1
    for row, order, amount, currency in rows:
        key = f"outbox-{row}" if sys.argv[1] == "row" else str(uuid.uuid4())
        outcome, _ = psp.pay({"id": order, "amount": amount, "currency": currency}, key)
        if outcome in ("paid", "failed"):
            with db:
                db.execute("UPDATE outbox SET published = 1 WHERE id = ?", (row,))
                db.execute("UPDATE orders SET status = ? WHERE id = ?", (outcome, order))
    time.sleep(pause)
