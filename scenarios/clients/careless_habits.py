#!/usr/bin/python3
"""A job that pays one order once, but for one bad habit: careless_habits.py --mistake NAME

For the invariants that no mistake of careless.py breaks alone: how often a job tries, and how long it
waits. Without a mistake it is what careless.py is without one. With --batch as the first word it pays
many: JSON lines in, a line for each out.
"""
import json
import os
import sys
import time

sys.dont_write_bytecode = True
from careless import play  # noqa: E402
from careless_job import Job  # noqa: E402


class live_key(Job):
    """a look at the balance, with the key of live mode that somebody has left there"""
    def pay(self):
        os.environ["PSP_API_KEY"], ours = "sk_live_0123456789abcdefghij", os.environ["PSP_API_KEY"]
        self.call("GET", "/v1/balance")
        os.environ["PSP_API_KEY"] = ours
        return super().pay()


class body_changes(Job):
    """each try says when it is: the same key, another request. Then as it was at first"""
    tries = 0

    def call(self, method, path, form=None, key=None):
        if form is not None:
            self.tries += 1
            form = {**form, "description": f"try {self.tries % 2}"}
        return super().call(method, path, form, key)


class decline_again(Job):
    """a decline is tried once more, in case it was not meant"""
    declines = 0

    def declined(self, error):
        self.declines += 1
        if self.declines > 1:
            super().declined(error)


class second_card(Job):
    """no mistake: the card was declined, so the customer gives another one, which is a new payment"""
    def declined(self, error):
        if self.record["attempt"] > 1:
            super().declined(error)
        else:
            self.keep(attempt=2)


class refunds_one(Job):
    """a new key for the second try, and whatever was paid twice is given back"""
    def no_answer(self, error):
        self.keep(attempt=2)

    def paid(self, payment=None):
        answer = self.call("GET", "/v1/charges?limit=100")
        for charge in answer.json()["data"][1:]:
            self.call("POST", "/v1/refunds", {"charge": charge["id"]}, "back-" + charge["id"])
        super().paid(payment)


class Loop(Job):
    """Tries as often as it is told, PAUSE between them, in one run."""
    tries, seconds_between = 4, 0.05

    def run(self):
        for _ in range(self.tries):
            if self.record["state"] != "pending":
                break
            self.attempt()
            if self.record["state"] == "pending":
                time.sleep(self.seconds_between)
        return self.record

    def step(self):
        self.answered(self.pay())


class no_end(Loop):
    """tries fourteen times"""
    tries = 14


class no_pause(Loop):
    """tries again at once"""
    tries, seconds_between = 6, 0


class no_timeout(Job):
    """waits for as long as it takes"""
    seconds = 1000.0


class no_breaker(Loop):
    """each order is tried nine times, however long nothing has worked for any of them"""
    tries, seconds_between = 9, 0.03


class shipped_before(Job):
    """what is bought leaves the house before the provider is asked"""
    def pay(self):
        print('{"order":"%s","effect":"shipped"}' % self.order, flush=True)
        return super().pay()


HABITS = {kind.__name__: kind for kind in vars().copy().values()
          if isinstance(kind, type) and issubclass(kind, Job) and kind.__name__[0].islower()}


def play_batch():
    sys.argv.remove("--batch")
    for line in sys.stdin:
        order = json.loads(line)
        os.environ.update(ORDER_ID=order["order"], ORDER_AMOUNT=str(order["amount"]),
                          ORDER_CURRENCY=order["currency"])
        play(Job, HABITS)
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    if "--batch" in sys.argv:
        sys.exit(play_batch())
    sys.exit(play(Job, HABITS))
