#!/usr/bin/env python3
"""retries.py HTTP JOB: the HTTP client tries HTTP times, and the job tries JOB times whatever uses
it. Neither knows of the other, so they multiply."""
import random
import sys
import time

import psp

HTTP_TRIES, JOB_TRIES = int(sys.argv[1]), int(sys.argv[2])
order = psp.order()


def patiently(tries, pause, step):
    """STEP until it knows, after pauses that grow."""
    outcome = step()
    for done in range(1, tries):
        if outcome in ("paid", "failed"):
            break
        time.sleep(pause * 2**done * random.uniform(0.5, 1))
        outcome = step()
    return outcome


def http_client():
    return patiently(HTTP_TRIES, 0.05, lambda: psp.pay(order, "pay-" + order["id"])[0])


sys.exit({"paid": 0, "failed": 1}.get(patiently(JOB_TRIES, 0.1, http_client), 75))
