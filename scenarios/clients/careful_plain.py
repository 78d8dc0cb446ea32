#!/usr/bin/python3
"""A job that pays one order once, at a bank's plain JSON interface, whatever happens to it.

1. Its operation_id is on the disk before the first byte is sent, and is the same for every try: the
   bank takes an operation once, and unlike an idempotency key it never forgets one.
2. No answer is an answer of its own: unknown. Then the job asks what became of the operation, and
   pays again, under the same operation_id, only when there is none.
3. What counts is the payment's status. 201 says that there is a payment, not that it was paid.
"""
import http.client
import json
import os
import pathlib
import random
import sys
import time
import traceback
import urllib.parse


def unknown(*error):
    traceback.print_exception(*error)
    os._exit(75)  # Python would exit 1, which says "failed and not paid": nobody knows that


sys.excepthook = unknown

TRIES = 4
ORDER = os.environ["ORDER_ID"]
STATE_DIR = os.environ["STATE_DIR"]
OUTCOMES = {"SUCCESS": ("succeeded", 0), "FAILED": ("failed", 1), "PROCESSING": ("unknown", 75)}


class NoAnswer(Exception):
    """Nobody knows what the call did."""


def call(method, path, body=None):
    """Status, headers and JSON of a whole answer; anything less is none."""
    host = urllib.parse.urlsplit(os.environ["PSP_URL"]).netloc
    connection = http.client.HTTPConnection(host, timeout=1)
    headers = {"Authorization": "Bearer " + os.environ["PSP_API_KEY"],
               "Content-Type": "application/json"}
    try:
        connection.request(method, path, body and json.dumps(body), headers)
        answer = connection.getresponse()
        content = json.loads(answer.read())
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoAnswer(f"{type(error).__name__}: {error}") from error
    finally:
        connection.close()
    return answer.status, answer.headers, content


def pay(operation):
    return call("POST", "/payments", {
        "operation_id": operation,
        "reference": ORDER,  # how a human finds it
        "amount": int(os.environ["ORDER_AMOUNT"]),
        "currency": os.environ["ORDER_CURRENCY"].upper(),
        "payment_method": os.environ.get("PAYMENT_METHOD", "pm_card_visa"),
    })


def ask(operation):
    return call("GET", "/payments/operations/" + operation)


class Job:
    def __init__(self):
        self.file = pathlib.Path(STATE_DIR, ORDER + ".json")
        self.doubt = self.file.exists()  # something may have been sent: ask first
        self.retry_after = 0.0  # seconds
        if self.doubt:
            self.record = json.loads(self.file.read_text())
        else:
            self.keep(operation=ORDER + "-1", state="PROCESSING", payment=None)

    def keep(self, **record):
        """All or nothing, and there after a power cut: flush, rename, flush the folder."""
        draft = self.file.with_suffix(".new")
        with open(draft, "w") as out:
            json.dump(record, out)
            out.flush()
            os.fsync(out.fileno())
        os.replace(draft, self.file)
        folder = os.open(STATE_DIR, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
        self.record = record

    def run(self):
        for tries in range(TRIES):
            if tries > 0:
                backoff = 0.1 * 2**tries * random.uniform(0.5, 1)
                time.sleep(max(backoff, min(self.retry_after, 2)))
            try:
                self.step()
            except NoAnswer as error:
                print(error, file=sys.stderr)
                self.doubt = True
            if self.record["state"] != "PROCESSING":
                break

    def step(self):
        if self.doubt:
            status, headers, answer = ask(self.record["operation"])
            # 404, and only that: the bank knows of no such operation. One that is still on its way
            # there is no danger, as it has the same operation_id.
            if status != 404 or answer.get("field") != "operation_id":
                self.judge(status, headers, answer)
                return
        self.judge(*pay(self.record["operation"]))

    def judge(self, status, headers, answer):
        seconds = headers.get("Retry-After", "")
        self.retry_after = float(seconds) if seconds.isdigit() else 0.0
        if status in (200, 201, 202) and answer.get("status") in OUTCOMES:
            self.keep(operation=self.record["operation"], state=answer["status"],
                      payment=answer["id"])
        elif status in (400, 401) and not self.doubt:
            # Refused. On a retry it would say nothing of the first try.
            self.keep(operation=self.record["operation"], state="FAILED", payment=None)
        else:
            print(f"{status}: {answer}", file=sys.stderr)
        self.doubt = True  # a 409 too: the operation has its payment, so ask for that


job = Job()
if job.record["state"] == "PROCESSING":
    job.run()
outcome, exit_status = OUTCOMES[job.record["state"]]
print(json.dumps({"order": ORDER, "outcome": outcome, "payment": job.record["payment"]}))
sys.exit(exit_status)
