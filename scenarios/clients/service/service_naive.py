#!/usr/bin/env python3
"""A small shop: POST /orders pays an order and writes down that it is paid, GET /orders/ID says so.
Nothing is written before the call, and every call has a new key: whoever asks again pays again."""
import http.server
import json
import os
import sqlite3
import urllib.error
import urllib.parse
import urllib.request

env = os.environ


def database():
    db = sqlite3.connect(os.path.join(env["STATE_DIR"], "shop.db"), timeout=10, isolation_level=None)
    db.execute("CREATE TABLE IF NOT EXISTS paid (order_id TEXT, payment TEXT)")
    return db


def pay(order):
    form = {"amount": order["amount"], "currency": order["currency"], "confirm": "true",
            "payment_method": "pm_card_visa", "metadata[order_id]": order["id"]}
    request = urllib.request.Request(env["PSP_URL"] + "/v1/payment_intents",
                                     urllib.parse.urlencode(form).encode(),
                                     {"Authorization": "Bearer " + env["PSP_API_KEY"],
                                      "Idempotency-Key": os.urandom(8).hex()})
    with urllib.request.urlopen(request, timeout=3) as answer:
        return json.load(answer)["id"]


class Shop(http.server.BaseHTTPRequestHandler):
    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        row = database().execute("SELECT payment FROM paid WHERE order_id = ?",
                                 (self.path.rpartition("/")[2],)).fetchone()
        self.answer(200, {"status": "succeeded", "payment": row[0]} if row
                    else {"status": "unknown"})

    def do_POST(self):
        order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        db = database()
        if not db.execute("SELECT 1 FROM paid WHERE order_id = ?", (order["id"],)).fetchone():
            try:
                db.execute("INSERT INTO paid VALUES (?, ?)", (order["id"], pay(order)))
            except (urllib.error.URLError, OSError, ValueError) as error:
                self.answer(502, {"error": str(error)})
                return
        self.answer(200, {"status": "succeeded"})

    def log_message(self, format, *args):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(env["APP_PORT"])), Shop).serve_forever()
