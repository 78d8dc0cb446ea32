#!/usr/bin/env python3
"""Takes the order, and puts the message that has it paid into the outbox: one transaction."""
import os
import sqlite3

import psp

order = psp.order()
db = sqlite3.connect(os.path.join(os.environ["STATE_DIR"], "orders.db"), timeout=10)
with db:
    if db.execute("INSERT OR IGNORE INTO orders VALUES (?, 'pending')", (order["id"],)).rowcount:
        db.execute("INSERT INTO outbox (order_id, amount, currency, published) VALUES (?, ?, ?, 0)",
                   (order["id"], order["amount"], order["currency"]))
