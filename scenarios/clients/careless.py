#!/usr/bin/python3
"""A job that pays one order once, but for one mistake: careless.py --mistake NAME

Every mistake is one that real code makes, and all the rest is done as careful.py does it; so what
the harness finds is that mistake and no other. Without one the job passes every scenario. Each
scenario names the mistake that has to fail it, its control (tests/e2e/scenario_controls.py).

`careless.py --list` says what the mistakes are. Job does everything right; each class here is a
mistake, and overrides the one decision that goes wrong.
"""
import argparse
import http.client
import json
import os
import signal
import sys
import time
import traceback
import uuid

sys.dont_write_bytecode = True
from careless_job import OUTCOMES, HalfAnswer, Job, NoAnswer, TimedOut  # noqa: E402


# --- mistakes about the key -----------------------------------------------------------------------

class no_key(Job):
    """no idempotency key at all"""
    def key(self):
        return None

    def find(self):
        return None


class new_key_every_try(Job):
    """the key is made where the call is made, so every try has its own"""
    def key(self):
        return str(uuid.uuid4())


class new_key_every_run(Job):
    """the key is made when the job starts and dies with it; nothing else is remembered"""
    def __init__(self):
        super().__init__()
        self.made = str(uuid.uuid4())

    def key(self):
        return self.made

    def find(self):
        return None


class one_key_for_all(Job):
    """the key is taken from something that is the same for every order, as a customer's id is"""
    def key(self):
        return "customer-1"


class dated_key(Job):
    """the key has the date in it, and nobody is asked: "once a day" is over at midnight"""
    def key(self):
        return f"{self.order}-{time.strftime('%Y-%m-%d')}"

    def find(self):
        return None


class key_trusted_forever(Job):
    """an unfinished record: the same key again, however old it is, and nobody is asked"""
    def find(self):
        return None


class new_key_after_error(Job):
    """an error of the provider: "so it did not happen", and the next try has a new key"""
    def broke(self, answer):
        super().broke(answer)
        self.keep(attempt=self.record["attempt"] + 1)


class new_key_after_replay(Job):
    """the key repeats a 500: the next try has a new key, and nobody is asked"""
    def broke(self, answer):
        super().broke(answer)
        self.ask_first = False


class one_key_forever(Job):
    """the key repeats a 500: tried again, and again, with the same key, and nobody is asked"""
    def broke(self, answer):
        self.doubt = True

    def find(self):
        return None


# --- mistakes about silence -----------------------------------------------------------------------

class silence_is_failure(Job):
    """no answer is taken for "failed": an exception that nobody catches ends with status 1"""
    def no_answer(self, _error):
        self.failed()


class silence_is_success(Job):
    """no answer is taken for "it went through": sent is paid"""
    def no_answer(self, _error):
        self.paid()


class timeout_is_failure(Job):
    """a timeout is taken for "failed"; other lost answers are not"""
    def timed_out(self, _error):
        self.failed()


class timeout_is_success(Job):
    """a timeout is taken for "it will have gone through"; other lost answers are not"""
    def timed_out(self, _error):
        self.paid()


class refused_is_failure(Job):
    """"connection refused" is taken for the outcome, also on a retry"""
    def refused(self, _error):
        self.failed()


class refused_is_success(Job):
    """the provider is down: the order is handed out, and the money collected later"""
    def refused(self, _error):
        self.paid()


class impatient(Job):
    """a timeout shorter than a slow day of the provider, and then a new key"""
    seconds = 0.2

    def timed_out(self, error):
        super().timed_out(error)
        self.keep(attempt=self.record["attempt"] + 1)


# --- mistakes about answers -----------------------------------------------------------------------

class any_answer_is_success(Job):
    """an answer came, so it worked: curl without --fail, fetch() without a look at .ok"""
    def answered(self, _answer):
        self.paid()


class status_200_is_success(Job):
    """the status line says 200, so the order is paid; the body is not read"""
    def read(self, answer):
        try:
            return super().read(answer)
        except http.client.IncompleteRead:
            return ""

    def answered(self, answer):
        if answer.status == 200:
            self.paid()
        else:
            super().answered(answer)


class html_is_failure(Job):
    """the body is parsed before the status is looked at: a proxy's HTML ends the job as failed"""
    def answered(self, answer):
        try:
            answer.json()
        except HalfAnswer:
            self.failed()
        else:
            super().answered(answer)


class not_final_is_failure(Job):
    """whatever is not "succeeded" is taken for failed"""
    def judge(self, payment):
        if payment.get("status") == "succeeded":
            self.paid(payment["id"])
        else:
            self.failed()


class status_5xx_is_failure(Job):
    """an error of the provider is taken for failed"""
    def broke(self, _answer):
        self.failed()


class status_409_is_failure(Job):
    """409, the key is in use, is taken for failed"""
    def in_flight(self):
        self.failed()


class status_429_is_failure(Job):
    """429, too many requests, is taken for "failed", also on a retry"""
    def too_many(self):
        self.failed()


class status_4xx_is_failure(Job):
    """a refusal is taken for "failed", also on a retry"""
    def rejected(self):
        self.failed()


class half_answer_is_failure(Job):
    """an answer that cannot be read is taken for "failed": JSON.parse throws, nobody catches it"""
    def half_answer(self, _error):
        self.failed()


class decline_is_unknown(Job):
    """a decline is tried again for ever, like an error of the network"""
    def declined(self, _error):
        self.doubt = True


# --- mistakes about the end of a job ---------------------------------------------------------------

class out_of_tries_is_failure(Job):
    """after the last try the order is called failed"""
    def run(self):
        super().run()
        if self.record["state"] == "pending":
            self.failed()
        return self.record


class last_try_is_failure(Job):
    """the queue is out of tries, and the handler for that calls the order failed"""
    def run(self):
        super().run()
        last = os.environ.get("JOB_ATTEMPT") == os.environ.get("JOB_TRIES", "none")
        if self.record["state"] == "pending" and last:
            self.failed()
        return self.record


class stopped_is_failure(Job):
    """told to stop (SIGTERM), the job ends in good order, with status 1"""
    def __init__(self):
        signal.signal(signal.SIGTERM, lambda _signal, _frame: os._exit(1))
        super().__init__()


# --- mistakes about the record --------------------------------------------------------------------

class no_record(Job):
    """nothing is remembered: a job that is delivered twice is two jobs"""
    def found_record(self):
        self.file.unlink()
        self.__init__()


class record_for_a_day(Job):
    """what is remembered expires after a day, as a unique lock does, or a row in a cache"""
    def found_record(self):
        if time.time() - self.file.stat().st_mtime > 24 * 3600:
            self.file.unlink()
            self.__init__()


class record_is_success(Job):
    """an unfinished record is taken for "paid": it was sent, after all"""
    def found_record(self):
        if self.record["state"] == "pending":
            self.paid()


class record_is_failure(Job):
    """an unfinished record is taken for "failed": the job died, after all"""
    def found_record(self):
        if self.record["state"] == "pending":
            self.failed()


# --- mistakes about the list ----------------------------------------------------------------------

class no_list_is_none(Job):
    """the list of payments cannot be had, which is taken for there are none"""
    def find(self):
        try:
            return super().find()
        except NoAnswer:
            return None

    def no_list(self, answer):
        return None


class empty_list_is_proof(Job):
    """an unfinished record, and the list does not have the payment: so a new key is safe"""
    def find(self):
        payment = super().find()
        if payment is None:
            self.keep(attempt=self.record["attempt"] + 1)
        return payment


class first_page_is_all(Job):
    """only the first page of the list is looked at, which is a short one"""
    page = 1

    def goes_on(self, page):
        return False


# --- mistakes about money -------------------------------------------------------------------------

class amount_in_units(Job):
    """the amount is sent in dollars where the provider takes cents"""
    def amount(self):
        return str(int(os.environ["ORDER_AMOUNT"]) // 100)


def unknown(*error):
    traceback.print_exception(*error)
    os._exit(75)  # Python would exit 1, which says "failed and not paid": nobody knows that


MISTAKES = {kind.__name__: kind for kind in Job.__subclasses__()}


def too_late(_signal, _frame):
    raise TimedOut("no answer in time")


def play(careful, mistakes):
    """Runs the job that the command line asks for, and says what became of its order."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mistake", choices=["none", *mistakes], default="none")
    parser.add_argument("--list", action="store_true", help="what the mistakes are")
    given = parser.parse_args()
    if given.list:
        for name, kind in mistakes.items():
            print(f"{name:24} {kind.__doc__}")
        return 0
    sys.excepthook = unknown
    signal.signal(signal.SIGALRM, too_late)
    record = mistakes.get(given.mistake, careful)().run()
    outcome, status = OUTCOMES[record["state"]]
    claim = {"order": os.environ["ORDER_ID"], "outcome": outcome, "payment": record["payment"]}
    print(json.dumps(claim))
    return status


if __name__ == "__main__":
    sys.exit(play(Job, MISTAKES))
