#!/usr/bin/env python3
"""pay_by_reference.py SECONDS: for a provider that knows no keys. All there is to go by is our
reference: before it pays once more it waits SECONDS and looks for a payment that has it."""
import os
import sys
import time

import orders
import psp

WAIT = float(sys.argv[1])
db = orders.database()
order = psp.order()
doubt = not orders.add(db, order)
outcome, payment = db.execute("SELECT status, payment FROM orders WHERE id = ?",
                              (order["id"],)).fetchone()
for _ in range(3):
    if outcome in ("paid", "failed"):
        break
    if doubt:
        time.sleep(WAIT)
        try:
            outcome, payment = psp.find(order["id"])
        except psp.NoAnswer:
            continue
    if not doubt or outcome == "none":
        doubt = True
        outcome, payment = psp.pay(order)
orders.keep(db, order["id"], outcome, payment)
sys.exit({"paid": 0, "failed": 1}.get(outcome, os.EX_TEMPFAIL))
