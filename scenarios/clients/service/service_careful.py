#!/usr/bin/env python3
"""A small shop: POST /orders pays an order, GET /orders/ID says what became of it. The order is in
the database, as pending and with the number of its payment attempt, before the first byte leaves:
whoever asks again, and whoever dies in between, goes on with the same key."""
import http.server
import json
import os
import random
import sqlite3
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

TRIES = 4  # while the customer waits
MONEY_MOVES = ("succeeded", "processing", "requires_capture")

env = os.environ
one_at_a_time = threading.Lock()  # two clicks at the same moment: the second one finds it paid


class Unknown(Exception):
    """Nobody knows what the call did. KEY_IS_SPENT: its key will answer with that 500 for a day."""
    def __init__(self, why, pause=0.0, key_is_spent=False):
        super().__init__(why)
        self.pause, self.key_is_spent = pause, key_is_spent


def database():
    db = sqlite3.connect(os.path.join(env["STATE_DIR"], "shop.db"), timeout=10, isolation_level=None)
    db.execute("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, status TEXT, payment TEXT,"
               " tries INTEGER, attempt INTEGER)")
    return db


def call(path, form=None, key=None):
    """The answer as (status, headers, JSON)."""
    headers = {"Authorization": "Bearer " + env["PSP_API_KEY"]}
    if key:
        headers["Idempotency-Key"] = key
    data = urllib.parse.urlencode(form).encode() if form else None
    request = urllib.request.Request(env["PSP_URL"] + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=2) as answer:
            return answer.status, answer.headers, json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code == 402:
            return error.code, error.headers, json.load(error)
        wait = error.headers.get("Retry-After", "")
        raise Unknown(f"{path}: {error.code}", float(wait) if wait.isdigit() else 0.0,
                      error.headers.get("Idempotent-Replayed") == "true") from error


def find(order):
    """The payment that an earlier try has made, or None: a key is forgotten after a day."""
    path = "/v1/payment_intents?limit=100"
    while path:
        _, _, page = call(path)
        for intent in page["data"]:
            if intent["metadata"].get("order_id") == order["id"] and \
                    intent["status"] in MONEY_MOVES:
                return intent
        path = page["has_more"] and \
            "/v1/payment_intents?limit=100&starting_after=" + page["data"][-1]["id"]
    return None


def judge(intent):
    """What the order has come to, and its payment."""
    if intent["status"] == "succeeded":
        return "succeeded", intent["id"]
    if intent["status"] in MONEY_MOVES:
        raise Unknown("the bank has it, and has not decided")
    return "failed", intent["id"]


def pay(order, attempt):
    form = {"amount": order["amount"], "currency": order["currency"], "confirm": "true",
            "payment_method": "pm_card_visa", "metadata[order_id]": order["id"]}
    status, _, answer = call("/v1/payment_intents", form, f"pay-{order['id']}-{attempt}")
    if status == 402:
        return "failed", None  # the card was declined: that is final
    return judge(answer)


class Order:
    """Its row, as far as it is known."""
    def __init__(self, db, given):
        self.db, self.given, self.key_is_spent = db, given, False
        db.execute("INSERT OR IGNORE INTO orders VALUES (?, 'pending', NULL, 0, 1)", (given["id"],))
        self.status, self.tries, self.attempt = db.execute(
            "SELECT status, tries, attempt FROM orders WHERE id = ?", (given["id"],)).fetchone()

    def keep(self, **change):
        columns = ", ".join(name + " = ?" for name in change)
        self.db.execute(f"UPDATE orders SET {columns} WHERE id = ?",
                        (*change.values(), self.given["id"]))
        vars(self).update(change)

    def step(self):
        found = find(self.given) if self.tries > 0 else None
        if found is None and self.key_is_spent:
            # It has said its last word and there is no payment: only now is a new key safe.
            self.keep(attempt=self.attempt + 1)
        self.key_is_spent = False
        self.keep(tries=self.tries + 1)
        status, payment = judge(found) if found else pay(self.given, self.attempt)
        self.keep(status=status, payment=payment)

    def settle(self):
        pause = 0.0
        for tries in range(TRIES):
            if self.status != "pending":
                return
            backoff = 0.1 * 2**tries * random.uniform(0.5, 1) if tries > 0 else 0.0
            time.sleep(max(backoff, min(pause, 2)))
            try:
                self.step()
            except Unknown as error:
                pause = error.pause
                self.key_is_spent = self.key_is_spent or error.key_is_spent
            except (OSError, ValueError, KeyError, TypeError):
                pause = 0.0  # no answer, or half of one: neither paid nor failed


class Shop(http.server.BaseHTTPRequestHandler):
    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        row = database().execute("SELECT status, payment FROM orders WHERE id = ?",
                                 (self.path.rpartition("/")[2],)).fetchone()
        self.answer(200, {"status": row[0], "payment": row[1]} if row else {"status": "unknown"})

    def do_POST(self):
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with one_at_a_time:
            order = Order(database(), given)
            order.settle()
        self.answer(503 if order.status == "pending" else 200, {"status": order.status})

    def log_message(self, format, *args):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(env["APP_PORT"])), Shop).serve_forever()
