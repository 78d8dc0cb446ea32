#!/usr/bin/python3
"""A job that pays one order at a bank's plain JSON interface, written the way most are.

It gives every call an operation_id, as the bank wants, and makes a new one each time. So every run
of the job is a new operation, and a new payment.
"""
import json
import os
import pathlib
import sys
import urllib.request
import uuid

paid_file = pathlib.Path(os.environ["STATE_DIR"], os.environ["ORDER_ID"] + ".paid")
if paid_file.exists():
    sys.exit(0)

request = urllib.request.Request(
    os.environ["PSP_URL"] + "/payments",
    json.dumps({
        "operation_id": str(uuid.uuid4()),  # the mistake: the next run has another one
        "reference": os.environ["ORDER_ID"],
        "amount": int(os.environ["ORDER_AMOUNT"]),
        "currency": os.environ["ORDER_CURRENCY"].upper(),
        "payment_method": os.environ.get("PAYMENT_METHOD", "pm_card_visa"),
    }).encode(),
    {"Authorization": "Bearer " + os.environ["PSP_API_KEY"], "Content-Type": "application/json"})
try:
    with urllib.request.urlopen(request, timeout=1) as answer:
        payment = json.load(answer)
    # Another mistake: 201 says that there is a payment now, not that it was paid. And whoever dies
    # before the line below has paid and does not know.
    paid_file.write_text(payment["id"])
except OSError as error:
    # And "an error, so run the job again", although nobody knows what the call did.
    print(error, file=sys.stderr)
    sys.exit(75)
