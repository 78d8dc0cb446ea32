#!/usr/bin/env python3
"""completer.py retry|ask: completes what was begun and did not end: for 72 hours it sends the same
request with the same key. `ask` asks for the payment first, as no key lives that long."""
import json
import os
import pathlib
import sys
import time
import uuid

import psp

GIVES_UP = 72 * 3600  # seconds; then it is for a person
order = psp.order()
file = pathlib.Path(os.environ["STATE_DIR"], order["id"] + ".json")
begun = file.exists()
if begun:
    record = json.loads(file.read_text())
else:
    record = {"key": str(uuid.uuid4()), "since": time.time(), "outcome": "unknown"}
    file.write_text(json.dumps(record))

if record["outcome"] not in ("paid", "failed") and time.time() - record["since"] < GIVES_UP:
    try:
        asks = begun and sys.argv[1] == "ask"
        record["outcome"] = psp.find(order["id"])[0] if asks else "none"
        if record["outcome"] == "none":
            record["outcome"] = psp.pay(order, record["key"])[0]
    except psp.NoAnswer:
        record["outcome"] = "unknown"
    draft = file.with_suffix(".new")
    draft.write_text(json.dumps(record))
    draft.rename(file)
sys.exit({"paid": 0, "failed": 1}.get(record["outcome"], 75))
