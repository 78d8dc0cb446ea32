#!/usr/bin/env python3
"""Scheduled: of whatever is unknown, and of what is pending for longer than a job lives, it asks the
provider for the payment. Only if there is none it charges: the same attempt, hence the same key."""
import time

import orders
import psp

JOB_LIVES = 2  # seconds, at most: its call is given up after one


def reconcile(order_id, attempt, amount, currency):
    try:
        outcome, payment = psp.find(order_id)
    except psp.NoAnswer:
        return
    if outcome == "none":
        order = {"id": order_id, "amount": amount, "currency": currency}
        outcome, payment = psp.pay(order, f"{order_id}-{attempt}")
    orders.keep(db, order_id, outcome, payment)


db = orders.database()
pending_since = {}
while True:
    time.sleep(0.3)
    for order_id, status, attempt, amount, currency in db.execute(
            "SELECT id, status, attempt, amount, currency FROM orders").fetchall():
        since = pending_since.setdefault(order_id, time.monotonic())
        if status == "spent":  # this key has said its last word; is there really no payment?
            db.execute("UPDATE orders SET attempt = attempt + 1, status = 'unknown' WHERE id = ?",
                       (order_id,))
        elif status == "unknown" or status == "pending" and time.monotonic() - since > JOB_LIVES:
            reconcile(order_id, attempt, amount, currency)
