#!/usr/bin/env python3
"""Pays a list of orders: JSON lines in, and for each a line that says what became of it. The key is
made of the order, so a list that is given once more pays nobody twice; and what was begun is in the
database, so what is older than a key is asked for first (../lib/careful_order.py)."""
import json
import sys

from careful_order import CarefulOrder, database

db = database()
for line in sys.stdin:
    given = json.loads(line)
    order = CarefulOrder(db, {"id": given["order"], **given})
    status = order.settle()
    claim = {"order": given["order"], "outcome": "unknown" if status == "pending" else status}
    if order.payment:
        claim["payment"] = order.payment
    print(json.dumps(claim), flush=True)
