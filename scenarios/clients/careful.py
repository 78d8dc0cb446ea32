#!/usr/bin/python3
"""A job that pays one order once, with the official Stripe library, whatever happens to it.

1. Its key is on the disk before the first byte is sent, so every later run sends the same one.
2. No answer is an answer of its own: unknown. The same key is tried again, and after a few times
   the job says 75, "run me again". Unknown is never "failed".
3. A run that finds an unfinished record asks the provider before it pays: a key lives for a day,
   a record for ever.
"""
import json
import os
import pathlib
import random
import sys
import time
import traceback

import stripe


def unknown(*error):
    traceback.print_exception(*error)
    os._exit(75)  # Python would exit 1, which says "failed and not paid": nobody knows that


sys.excepthook = unknown

TRIES = 4
MONEY_MOVES = ("succeeded", "processing", "requires_capture")
NEEDS_CUSTOMER = ("requires_payment_method", "requires_action", "canceled")  # not here
OUTCOMES = {"paid": ("succeeded", 0), "pending": ("unknown", 75), "failed": ("failed", 1)}
ORDER = os.environ["ORDER_ID"]
STATE_DIR = os.environ["STATE_DIR"]

stripe.api_base = os.environ["PSP_URL"]
stripe.api_key = os.environ["PSP_API_KEY"]
stripe.default_http_client = stripe.http_client.RequestsClient(timeout=1)
stripe.max_network_retries = 0  # Job.run retries: one policy, not two


def pay(attempt):
    return stripe.PaymentIntent.create(
        amount=int(os.environ["ORDER_AMOUNT"]),
        currency=os.environ["ORDER_CURRENCY"],
        payment_method="pm_card_visa",
        confirm=True,
        metadata={"order_id": ORDER},  # how the payment is found when its answer is lost
        # Derived, not random: two runs of this job, even at once, cannot make two keys.
        idempotency_key=f"{ORDER}-attempt-{attempt}",
    )


def find():
    """All pages; a big shop narrows them with `created` or `customer`. Not the search: that lags
    behind, and would show nothing over a charge that stands."""
    for payment in stripe.PaymentIntent.list(limit=100).auto_paging_iter():
        if payment.status in MONEY_MOVES and payment.metadata.get("order_id") == ORDER:
            return payment
    return None


class Job:
    def __init__(self):
        self.file = pathlib.Path(STATE_DIR, ORDER + ".json")
        known = self.file.exists()
        self.record = json.loads(self.file.read_text()) if known else {}
        self.doubt = known  # something was sent, and nobody knows what became of it
        self.ask_first = known
        self.key_is_spent = False  # it answers with a stored 500, as long as it lives
        self.retry_after = 0.0  # seconds
        if not known:
            self.keep(attempt=1, state="pending", payment=None)

    def keep(self, **change):
        """All or nothing, and there after a power cut: flush, rename, flush the folder."""
        record = {**self.record, **change}
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
            except stripe.error.StripeError as error:
                self.judge_error(error)
            if self.record["state"] != "pending":
                break

    def step(self):
        found = find() if self.ask_first else None
        if self.key_is_spent and not found:
            # The key has said its last word and there is no payment: now a new key is safe.
            self.keep(attempt=self.record["attempt"] + 1)
        self.ask_first = self.key_is_spent = False
        self.judge(found or pay(self.record["attempt"]))

    def judge(self, payment):
        if payment.get("status") == "succeeded":
            self.keep(state="paid", payment=payment.id)
        elif payment.get("status") in NEEDS_CUSTOMER:
            self.keep(state="failed", payment=payment.id)
        else:  # not final yet, or no word that this job knows
            self.doubt = self.ask_first = True

    def judge_error(self, error):
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        seconds = error.headers.get("retry-after", "")
        self.retry_after = float(seconds) if seconds.isdigit() else 0.0
        refused = (stripe.error.InvalidRequestError, stripe.error.AuthenticationError)
        if isinstance(error, stripe.error.CardError):
            payment = error.error.payment_intent
            self.keep(state="failed", payment=payment and payment["id"])
        elif isinstance(error, refused) and not self.doubt:
            self.keep(state="failed")  # on a retry it would say nothing of the first try
        else:
            replayed = error.headers.get("idempotent-replayed") == "true"
            self.key_is_spent = replayed and (error.http_status or 0) >= 500
            self.ask_first = self.ask_first or self.key_is_spent
            self.doubt = True


job = Job()
if job.record["state"] == "pending":
    job.run()
outcome, status = OUTCOMES[job.record["state"]]
print(json.dumps({"order": ORDER, "outcome": outcome, "payment": job.record["payment"]}))
sys.exit(status)
