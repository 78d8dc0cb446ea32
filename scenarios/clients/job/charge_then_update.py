#!/usr/bin/env python3
"""Charges, and then updates its row. Whoever dies between the two has charged and does not know."""
import sys
import uuid

import orders
import psp

db = orders.database()
order = psp.order()
orders.add(db, order)
status, = db.execute("SELECT status FROM orders WHERE id = ?", (order["id"],)).fetchone()
if status == "paid":
    sys.exit(0)

outcome, payment = psp.pay(order, str(uuid.uuid4()))
orders.keep(db, order["id"], outcome, payment)
sys.exit({"paid": 0, "failed": 1}.get(outcome, 75))
