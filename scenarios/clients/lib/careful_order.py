"""An order that is paid with care. Its row is there, as pending and with the number of its payment
attempt, before the first byte leaves: whoever asks again, whoever comes at the same moment, and
whoever dies in between, goes on with the same key."""
import os
import random
import sqlite3
import time

import psp

TRIES = 4  # of one call of settle
SECONDS = 2  # for a call
LONGEST_WAIT = 2  # seconds, whatever Retry-After asks for


class Unknown(Exception):
    """Nobody knows what became of the order; for so long somebody asks to be left alone."""
    def __init__(self, why, pause=0.0, key_is_spent=False):
        super().__init__(why)
        self.pause, self.key_is_spent = pause, key_is_spent


def database():
    db = sqlite3.connect(os.path.join(os.environ["STATE_DIR"], "orders.db"), timeout=10,
                         isolation_level=None)
    db.execute("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, status TEXT, payment TEXT,"
               " tries INTEGER, attempt INTEGER)")
    return db


def call(method, path, form=None, key=None):
    """The status, 200 or 402, and the JSON. Anything else says nothing of the order."""
    status, headers, answer = psp.call(method, path, form, key, SECONDS)
    if status not in (200, 402):
        wait = headers.get("Retry-After", "")
        raise Unknown(f"{method} {path}: {status}", float(wait) if wait.isdigit() else 0.0,
                      status >= 500 and headers.get("Idempotent-Replayed") == "true")
    return status, answer


def find(order):
    """The payment that an earlier try has made, or None: a key is forgotten after a day."""
    path = "/v1/payment_intents?limit=100"
    while path:
        _, page = call("GET", path)
        for intent in page["data"]:
            if intent["metadata"].get("order_id") == order["id"] and \
                    intent["status"] in psp.MONEY_MOVES:
                return intent
        path = page["has_more"] and \
            "/v1/payment_intents?limit=100&starting_after=" + page["data"][-1]["id"]
    return None


def judge(intent):
    """What the order has come to, and its payment."""
    if intent["status"] == "succeeded":
        return "succeeded", intent["id"]
    if intent["status"] in psp.MONEY_MOVES:
        raise Unknown("the bank has it, and has not decided")
    return "failed", intent["id"]


def pay(order, attempt):
    status, answer = call("POST", "/v1/payment_intents", {
        "amount": order["amount"], "currency": order["currency"], "confirm": "true",
        "payment_method": "pm_card_visa", "metadata[order_id]": order["id"]},
        f"pay-{order['id']}-{attempt}")
    if status == 402:
        return "failed", None  # the card was declined: that is final
    return judge(answer)


class CarefulOrder:
    """The row of ORDER (id, amount, currency), made when it is not there yet."""
    def __init__(self, db, order):
        self.db, self.order, self.key_is_spent = db, order, False
        db.execute("INSERT OR IGNORE INTO orders VALUES (?, 'pending', NULL, 0, 1)", (order["id"],))
        self.read()

    def read(self):
        self.status, self.payment, self.tries, self.attempt = self.db.execute(
            "SELECT status, payment, tries, attempt FROM orders WHERE id = ?",
            (self.order["id"],)).fetchone()

    def next_attempt(self):
        """A new key, and the same one for all who want one now."""
        self.db.execute("UPDATE orders SET attempt = attempt + 1 WHERE id = ? AND attempt = ?",
                        (self.order["id"], self.attempt))
        self.read()

    def step(self):
        found = find(self.order) if self.tries > 0 else None
        if found is None and self.key_is_spent:
            self.next_attempt()  # it has said its last word, and there is no payment: now it is safe
        self.key_is_spent = False
        self.db.execute("UPDATE orders SET tries = tries + 1 WHERE id = ?", (self.order["id"],))
        status, payment = judge(found) if found else pay(self.order, self.attempt)
        self.db.execute("UPDATE orders SET status = ?, payment = ? WHERE id = ?",
                        (status, payment, self.order["id"]))

    def settle(self):
        """Tries a few times; a status that is still pending is unknown: neither paid nor failed."""
        pause = 0.0
        for tries in range(TRIES):
            if self.status != "pending":
                break
            backoff = 0.1 * 2**tries * random.uniform(0.5, 1) if tries > 0 else 0.0
            time.sleep(max(backoff, min(pause, LONGEST_WAIT)))
            pause = 0.0
            try:
                self.step()
            except Unknown as error:
                pause = error.pause
                self.key_is_spent = self.key_is_spent or error.key_is_spent
            except (psp.NoAnswer, KeyError, TypeError):
                pass  # no answer, or half of one
            self.read()
        return self.status
