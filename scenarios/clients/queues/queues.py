#!/usr/bin/env python3
"""queues.py shared|separate: a shop that puts two jobs into its queues for each order: the customer is
entered into a list that somebody else keeps, and the order is paid. `shared`: one queue for both,
`separate`: one for each provider. Whoever orders waits for two seconds at most. If nothing has been
sent by then they are told that it failed; but the job waits on, and pays when they are gone."""
import http.server
import json
import os
import queue
import sys
import threading

import psp

PATIENCE, TIMEOUT = 2, 6  # seconds: of a customer, of a call
orders, changed = {}, threading.Condition()


def enlist(order):
    try:
        psp.call("POST", "/v1/customers", {"description": "of " + order["id"]}, timeout=TIMEOUT)
    except psp.NoAnswer as error:
        print(error, file=sys.stderr)  # it is only a list


def pay(order):
    tell(order, "sent")
    tell(order, psp.pay(order, "pay-" + order["id"], TIMEOUT)[0])


def tell(order, status):
    with changed:
        if orders[order["id"]] != "failed":
            orders[order["id"]] = status
        changed.notify_all()


def work(jobs):
    while True:
        job, order = jobs.get()
        job(order)
        jobs.task_done()


class Shop(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with changed:
            orders[order["id"]] = "waits"
            lists.put((enlist, order))
            payments.put((pay, order))
            changed.wait_for(lambda: orders[order["id"]] in ("paid", "failed"), PATIENCE)
            if orders[order["id"]] == "waits":
                orders[order["id"]] = "failed"
        self.answer("thank you")

    def do_GET(self):
        if self.path == "/idle":  # when all that was begun has ended
            lists.join()
            payments.join()
        self.answer(orders.get(self.path.rpartition("/")[2], ""))

    def answer(self, text):
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format, *args):
        pass


lists = queue.Queue()
payments = lists if sys.argv[1] == "shared" else queue.Queue()
for jobs in {lists, payments}:
    threading.Thread(target=work, args=[jobs], daemon=True).start()
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["APP_PORT"])), Shop).serve_forever()
