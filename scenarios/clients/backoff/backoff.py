#!/usr/bin/env python3
"""backoff.py none|jitter: as many clients at once as there are orders. Each pauses for two seconds
before its second try, four before its third; with jitter for half of that at least, and by chance."""
import json
import random
import sys
import threading
import time

import psp

TRIES, PAUSE = 4, 2.0  # seconds
JITTER = sys.argv[1] == "jitter"
start = threading.Event()  # it is the same moment for all


def client(order):
    start.wait()
    for tries in range(TRIES):
        if tries > 0:
            time.sleep(PAUSE * 2**(tries - 1) * (random.uniform(0.5, 1) if JITTER else 1))
        outcome = psp.pay({**order, "id": order["order"]}, "pay-" + order["order"])[0]
        if outcome in ("paid", "failed"):
            break
    psp.claim(order["order"], outcome)


clients = [threading.Thread(target=client, args=[json.loads(line)]) for line in sys.stdin]
for thread in clients:
    thread.start()
start.set()
for thread in clients:
    thread.join()
