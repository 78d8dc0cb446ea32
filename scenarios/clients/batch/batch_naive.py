#!/usr/bin/env python3
"""Pays a list of orders: JSON lines in, and for each a line that says what became of it. Every call
has a new key: a list that is given once more pays again."""
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

for line in sys.stdin:
    order = json.loads(line)
    form = {"amount": order["amount"], "currency": order["currency"], "confirm": "true",
            "payment_method": "pm_card_visa", "metadata[order_id]": order["order"]}
    request = urllib.request.Request(os.environ["PSP_URL"] + "/v1/payment_intents",
                                     urllib.parse.urlencode(form).encode(),
                                     {"Authorization": "Bearer " + os.environ["PSP_API_KEY"],
                                      "Idempotency-Key": os.urandom(8).hex()})
    claim = {"order": order["order"], "outcome": "unknown"}
    try:
        with urllib.request.urlopen(request, timeout=3) as answer:
            claim.update(outcome="succeeded", payment=json.load(answer)["id"])
    except urllib.error.HTTPError as error:
        if error.code == 402:
            claim["outcome"] = "failed"  # declined, and that is final
    except (OSError, ValueError):
        pass  # no answer is no answer
    print(json.dumps(claim), flush=True)
