"""A job that pays one order once, as careful.py does it, without any library, and in small steps: each
method is a decision that careless.py can get wrong.
"""
import http.client
import json
import os
import pathlib
import random
import signal
import sys
import time
import urllib.parse

TRIES = 4
MONEY_MOVES = ("succeeded", "processing", "requires_capture")
NEEDS_CUSTOMER = ("requires_payment_method", "requires_action", "canceled")  # not here
OUTCOMES = {"paid": ("succeeded", 0), "pending": ("unknown", 75), "failed": ("failed", 1)}


class NoAnswer(Exception):
    """Nobody knows what the call did."""


class TimedOut(NoAnswer):
    """It took too long."""


class Refused(NoAnswer):
    """Nobody listens."""


class HalfAnswer(NoAnswer):
    """There was one, but it cannot be read."""


class Answer:
    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text

    def json(self):
        try:
            value = json.loads(self.text)
        except ValueError as error:
            raise HalfAnswer(f"{self.status}, no JSON: {self.text[:60]}") from error
        if not isinstance(value, dict):
            raise HalfAnswer(f"{self.status}, no object: {self.text[:60]}")
        return value


class Job:
    seconds = 1.0  # for a call as a whole
    page = 100

    # --- the record: what this job knows

    def __init__(self):
        self.order = os.environ["ORDER_ID"]
        self.file = pathlib.Path(os.environ["STATE_DIR"], self.order + ".json")
        self.doubt = self.file.exists()  # something was sent, and nobody knows what became of it
        self.ask_first = self.doubt
        self.key_is_spent = False  # it answers with a stored 500, as long as it lives
        self.retry_after = 0.0  # seconds
        if self.doubt:
            self.record = json.loads(self.file.read_text())
            self.found_record()
        else:
            self.record = {}
            self.keep(attempt=1, state="pending", payment=None)

    def found_record(self):
        pass

    def keep(self, **change):
        """All or nothing, and there after a power cut: flush, rename, flush the folder."""
        self.record = {**self.record, **change}
        draft = self.file.with_suffix(".new")
        with open(draft, "w") as out:
            json.dump(self.record, out)
            out.flush()
            os.fsync(out.fileno())
        os.replace(draft, self.file)
        folder = os.open(self.file.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def paid(self, payment=None):
        self.keep(state="paid", payment=payment)

    def failed(self, payment=None):
        self.keep(state="failed", payment=payment)

    # --- the two calls

    def call(self, method, path, form=None, key=None):
        headers = {"Authorization": "Bearer " + os.environ["PSP_API_KEY"]}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if key is not None:
            headers["Idempotency-Key"] = key
        connection = http.client.HTTPConnection(
            urllib.parse.urlsplit(os.environ["PSP_URL"]).netloc)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        try:
            connection.request(method, path, form and urllib.parse.urlencode(form), headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, self.read(answer))
        except ConnectionRefusedError as error:
            raise Refused(str(error)) from error
        except OSError as error:
            raise NoAnswer(f"{type(error).__name__}: {error}") from error
        except http.client.HTTPException as error:
            raise HalfAnswer(f"{type(error).__name__}: {error}") from error
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            connection.close()

    def read(self, answer):
        return answer.read().decode(errors="replace")

    def amount(self):
        return os.environ["ORDER_AMOUNT"]

    def key(self):
        # Derived, not random: two runs of this job, even at once, cannot make two keys.
        return f"{self.order}-attempt-{self.record['attempt']}"

    def pay(self):
        return self.call("POST", "/v1/payment_intents", {
            "amount": self.amount(), "currency": os.environ["ORDER_CURRENCY"],
            "payment_method": "pm_card_visa", "confirm": "true",
            "metadata[order_id]": self.order}, self.key())

    def find(self):
        """The payment of this order, or None; all pages of the list."""
        after = ""
        while True:
            answer = self.call("GET", f"/v1/payment_intents?limit={self.page}{after}")
            if answer.status != 200:
                return self.no_list(answer)
            page = answer.json()
            for payment in page["data"]:
                ours = payment["metadata"].get("order_id") == self.order
                if ours and payment["status"] in MONEY_MOVES:
                    return payment
            if not self.goes_on(page):
                return None
            after = "&starting_after=" + page["data"][-1]["id"]

    def no_list(self, answer):
        raise NoAnswer(f"{answer.status} instead of a list")

    def goes_on(self, page):
        return page["has_more"]

    # --- what the provider says

    def step(self):
        payment = self.find() if self.ask_first else None
        if payment is None and self.key_is_spent:
            # The key has said its last word and there is no payment: now a new key is safe.
            self.keep(attempt=self.record["attempt"] + 1)
        self.ask_first = self.key_is_spent = False
        if payment is None:
            self.answered(self.pay())
        else:
            self.judge(payment)

    def answered(self, answer):
        seconds = answer.headers.get("Retry-After", "")
        self.retry_after = float(seconds) if seconds.isdigit() else 0.0
        if answer.status == 200:
            self.judge(answer.json())
        elif answer.status == 402:
            self.declined(answer.json().get("error", {}))
        elif answer.status == 409:
            self.in_flight()
        elif answer.status == 429:
            self.too_many()
        elif answer.status >= 500:
            self.broke(answer)
        else:
            self.rejected()

    def judge(self, payment):
        if payment.get("status") == "succeeded":
            self.paid(payment["id"])
        elif payment.get("status") in NEEDS_CUSTOMER:
            self.failed(payment["id"])
        else:  # not final yet, or no word that this job knows
            self.doubt = self.ask_first = True

    def declined(self, error):
        self.failed(error.get("payment_intent", {}).get("id"))

    def in_flight(self):
        self.doubt = True

    def too_many(self):
        pass  # it was not executed, and says nothing of an earlier try

    def broke(self, answer):
        self.doubt = True
        if answer.headers.get("Idempotent-Replayed") == "true":
            self.key_is_spent = self.ask_first = True

    def rejected(self):
        if self.doubt:  # on a retry it says nothing of the first try
            return
        self.failed()

    def no_answer(self, _error):
        self.doubt = True

    def timed_out(self, error):
        self.no_answer(error)

    def refused(self, error):
        self.no_answer(error)

    def half_answer(self, error):
        self.no_answer(error)

    # --- the job

    def attempt(self):
        try:
            self.step()
        except NoAnswer as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            {TimedOut: self.timed_out, Refused: self.refused, HalfAnswer: self.half_answer}.get(
                type(error), self.no_answer)(error)

    def run(self):
        for tries in range(TRIES):
            if self.record["state"] != "pending":
                break
            if tries > 0:
                backoff = 0.05 * 2**tries * random.uniform(0.5, 1)
                time.sleep(max(backoff, min(self.retry_after, 2)))
            self.attempt()
        return self.record
