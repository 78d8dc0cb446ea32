#!/usr/bin/env python3
"""receiver.py unique|select|believe|late: POST /orders pays an order, POST /hooks hears of it, and
ships it. `unique`: the id of an event is a row that only one can insert. `select`: looks whether it
has been seen. `believe`: looks, too, and whatever a body says is how things stand, whoever has sent
it. `late`: as `unique`, but an order is in the database when it has been paid."""
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import sqlite3
import sys
import time

import psp

KIND = sys.argv[1]
STATE, PORT = pathlib.Path(os.environ["STATE_DIR"]), int(os.environ["APP_PORT"])
STATUS = {"payment_intent.created": "pending", "payment_intent.succeeded": "paid",
          "payment_intent.payment_failed": "failed"}


def database():
    db = sqlite3.connect(STATE / "shop.db", timeout=10)
    unique = "PRIMARY KEY" if KIND in ("unique", "late") else ""
    db.executescript(f"""CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, status TEXT);
        CREATE TABLE IF NOT EXISTS events (id TEXT {unique});
        CREATE TABLE IF NOT EXISTS shipments (order_id TEXT);""")
    return db


def secret():
    """Of our endpoint, which is made once."""
    file = STATE / "secret"
    if not file.exists():
        status, _, endpoint = psp.call("POST", "/v1/webhook_endpoints", {
            "url": f"http://127.0.0.1:{PORT}/hooks", "enabled_events[]": "*"})
        if status != 200:
            raise SystemExit(f"no endpoint: {status}")
        file.write_text(endpoint["secret"])
    return file.read_text()


def is_signed(body, signature):
    fields = [field.split("=", 1) for field in (signature or "").split(",") if "=" in field]
    signed = dict(fields).get("t", "").encode() + b"." + body
    wanted = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value, wanted) for name, value in fields)


def hear(db, event):
    order = event["data"]["object"]["metadata"]["order_id"]
    if not db.execute("SELECT 1 FROM orders WHERE id = ?", (order,)).fetchone():
        return  # somebody else's
    if KIND in ("unique", "late"):
        db.execute("INSERT INTO events VALUES (?)", (event["id"],))  # or it has been heard
    elif db.execute("SELECT 1 FROM events WHERE id = ?", (event["id"],)).fetchone():
        return
    elif event["type"] == "payment_intent.succeeded":
        time.sleep(0.2)  # the parcel service is called
    if KIND == "believe":
        db.execute("UPDATE orders SET status = ? WHERE id = ?", (STATUS[event["type"]], order))
    if event["type"] == "payment_intent.succeeded":
        db.execute("UPDATE orders SET status = 'paid' WHERE id = ?", (order,))
        db.execute("INSERT INTO shipments VALUES (?)", (order,))
    if KIND in ("select", "believe"):
        db.execute("INSERT INTO events VALUES (?)", (event["id"],))


def pay(db, order):
    if KIND != "late":
        with db:
            db.execute("INSERT OR IGNORE INTO orders VALUES (?, 'pending')", (order["id"],))
    outcome, _ = psp.pay(order, "pay-" + order["id"], timeout=10)
    with db:
        if outcome in ("paid", "failed"):
            db.execute("INSERT INTO orders VALUES (?, ?) ON CONFLICT DO UPDATE SET status = ?",
                       (order["id"], outcome, outcome))
        elif KIND == "believe":
            time.sleep(2)  # a webhook will say
    return outcome


class Shop(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        db = database()
        if self.path == "/orders":
            self.answer(503 if pay(db, json.loads(body)) == "unknown" else 200)
        elif KIND == "believe" or is_signed(body, self.headers["Stripe-Signature"]):
            event = json.loads(body)
            try:
                with db:
                    if event["type"] in STATUS:
                        hear(db, event)
            except sqlite3.IntegrityError:
                pass
            self.answer(200)
        else:
            self.answer(400)

    def do_GET(self):
        row = database().execute("SELECT status FROM orders WHERE id = ?",
                                 (self.path.rpartition("/")[2],)).fetchone()
        self.answer(200, row[0] if row else "pending")

    def answer(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format, *args):
        pass


database().close()
server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Shop)
SECRET = secret()
print("open", flush=True)
server.serve_forever()
