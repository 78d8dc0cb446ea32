#!/usr/bin/env python3
"""Looks whether the order is paid, pays, and writes that down. Two of it at once both look first."""
import os
import sqlite3
import sys
import urllib.error
import urllib.parse
import urllib.request

env = os.environ
db = sqlite3.connect(os.path.join(env["STATE_DIR"], "orders.db"), timeout=10, isolation_level=None)
db.execute("CREATE TABLE IF NOT EXISTS paid (order_id TEXT, payment TEXT)")

if db.execute("SELECT 1 FROM paid WHERE order_id = ?", (env["ORDER_ID"],)).fetchone():
    sys.exit(0)

form = {"amount": env["ORDER_AMOUNT"], "currency": env["ORDER_CURRENCY"],
        "payment_method": "pm_card_visa", "confirm": "true",
        "metadata[order_id]": env["ORDER_ID"]}
request = urllib.request.Request(env["PSP_URL"] + "/v1/payment_intents",
                                 urllib.parse.urlencode(form).encode(),
                                 {"Authorization": "Bearer " + env["PSP_API_KEY"],
                                  "Idempotency-Key": os.urandom(8).hex()})
try:
    with urllib.request.urlopen(request, timeout=10) as answer:
        payment = answer.read().decode()
except (urllib.error.URLError, OSError):
    sys.exit(75)  # unknown: run me again
db.execute("INSERT INTO paid VALUES (?, ?)", (env["ORDER_ID"], payment))
