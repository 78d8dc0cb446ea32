#!/usr/bin/env python3
"""A small shop: POST /orders pays an order, GET /orders/ID says what became of it. How an order is
paid with care is told in ../lib/careful_order.py; it has its row before the first byte leaves."""
import http.server
import json
import os
import threading

from careful_order import CarefulOrder, database

one_at_a_time = threading.Lock()  # two clicks at the same moment: the second one finds it paid


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
            status = CarefulOrder(database(), order).settle()
        self.answer(503 if status == "pending" else 200, {"status": status})

    def log_message(self, format, *args):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["APP_PORT"])), Shop).serve_forever()
