#!/usr/bin/env python3
"""A small shop: POST /orders pays an order, GET /orders/ID says what became of it. The order is in
the database, as pending and with its key, before the first byte leaves: whoever asks again, and
whoever dies in between, goes on with the same payment."""
import http.server
import json
import os
import sqlite3
import threading
import urllib.error
import urllib.parse
import urllib.request

env = os.environ
one_at_a_time = threading.Lock()  # two clicks at the same moment: the second one finds it paid


def database():
    db = sqlite3.connect(os.path.join(env["STATE_DIR"], "shop.db"), timeout=10, isolation_level=None)
    db.execute("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, status TEXT, payment TEXT,"
               " tries INTEGER)")
    return db


def call(path, form=None, key=None):
    """The answer as (status, JSON); whatever is no whole answer raises an error."""
    headers = {"Authorization": "Bearer " + env["PSP_API_KEY"]}
    if key:
        headers["Idempotency-Key"] = key
    data = urllib.parse.urlencode(form).encode() if form else None
    request = urllib.request.Request(env["PSP_URL"] + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=3) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def paid_before(order):
    """The payment that an earlier try has made, or None: a key is forgotten after a day."""
    path = "/v1/payment_intents?limit=100"
    while path:
        status, page = call(path)
        if status != 200:
            raise OSError(f"the list is not to be had: {status}")
        for intent in page["data"]:
            if intent["metadata"].get("order_id") == order["id"] and intent["status"] == "succeeded":
                return intent["id"]
        path = page["has_more"] and \
            "/v1/payment_intents?limit=100&starting_after=" + page["data"][-1]["id"]
    return None


def pay(order, tries):
    """What the order has come to, and its payment: (status, id)."""
    found = paid_before(order) if tries > 0 else None
    if found:
        return "succeeded", found
    form = {"amount": order["amount"], "currency": order["currency"], "confirm": "true",
            "payment_method": "pm_card_visa", "metadata[order_id]": order["id"]}
    status, answer = call("/v1/payment_intents", form, "pay-" + order["id"])
    if status == 200 and answer["status"] == "succeeded":
        return "succeeded", answer["id"]
    if status == 402:
        return "failed", None  # the card was declined: that is final
    return "pending", None     # unknown: neither paid nor failed


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
        order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with one_at_a_time:
            db = database()
            db.execute("INSERT OR IGNORE INTO orders VALUES (?, 'pending', NULL, 0)", (order["id"],))
            status, tries = db.execute("SELECT status, tries FROM orders WHERE id = ?",
                                       (order["id"],)).fetchone()
            if status == "pending":
                db.execute("UPDATE orders SET tries = tries + 1 WHERE id = ?", (order["id"],))
                try:
                    status, payment = pay(order, tries)
                    db.execute("UPDATE orders SET status = ?, payment = ? WHERE id = ?",
                               (status, payment, order["id"]))
                except (OSError, ValueError) as error:
                    self.answer(503, {"status": "pending", "error": str(error)})
                    return
        self.answer(503 if status == "pending" else 200, {"status": status})

    def log_message(self, format, *args):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(env["APP_PORT"])), Shop).serve_forever()
