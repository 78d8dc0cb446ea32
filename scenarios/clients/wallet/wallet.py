#!/usr/bin/env python3
"""wallet.py read|lock: POST /orders pays an order out of its owner's wallet, which has enough for
one, GET /orders/ID says whether it is paid. Each debit is one payment and has its own key. `lock`
reads the balance FOR UPDATE, and that is all the difference."""
import glob
import http.server
import json
import os
import subprocess
import sys
import time

import psp
import psycopg2

SOCKET = "@wallet-" + os.environ["APP_PORT"]  # in the abstract namespace: no file
FOR_UPDATE = " FOR UPDATE" if sys.argv[1] == "lock" else ""


def start_postgres():
    """In a namespace of its own, see cluster.sh. Processes die here, the machine does not: no fsync."""
    postgres = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"))[-1]
    subprocess.Popen(["unshare", "--user", "--ipc", postgres, "-F",
                      "-D", os.path.join(os.environ["STATE_DIR"], "cluster"),
                      "-c", "listen_addresses=", "-c", "unix_socket_directories=" + SOCKET,
                      "-c", "dynamic_shared_memory_type=mmap"])
    while True:
        try:
            return database().close()
        except psycopg2.OperationalError:
            time.sleep(0.02)


def database():
    return psycopg2.connect(host=SOCKET, user="wallet", dbname="postgres")


def debit(db, order):
    with db, db.cursor() as sql:
        sql.execute("INSERT INTO wallets VALUES (%s, %s) ON CONFLICT DO NOTHING",
                    (order["id"], order["amount"]))
    with db, db.cursor() as sql:
        sql.execute("SELECT balance FROM wallets WHERE owner = %s" + FOR_UPDATE, (order["id"],))
        balance, = sql.fetchone()
        time.sleep(0.2)  # limits, fees, an audit row: something always is in between
        if balance >= order["amount"]:
            sql.execute("UPDATE wallets SET balance = %s WHERE owner = %s",
                        (balance - order["amount"], order["id"]))
            sql.execute("INSERT INTO debits (owner) VALUES (%s)", (order["id"],))


def pay(db, order):
    with db, db.cursor() as sql:
        sql.execute("SELECT id FROM debits WHERE owner = %s AND NOT paid", (order["id"],))
        debits = [number for number, in sql.fetchall()]
    for number in debits:
        if psp.pay(order, f"debit-{number}")[0] == "paid":
            with db, db.cursor() as sql:
                sql.execute("UPDATE debits SET paid = true WHERE id = %s", (number,))


def is_paid(db, owner):
    with db, db.cursor() as sql:
        sql.execute("SELECT bool_and(paid) FROM debits WHERE owner = %s", (owner,))
        return sql.fetchone()[0]


class Wallet(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        db = database()
        self.answer(200 if is_paid(db, self.path.rpartition("/")[2]) else 404)
        db.close()

    def do_POST(self):
        order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        db = database()
        debit(db, order)
        pay(db, order)
        self.answer(200 if is_paid(db, order["id"]) else 503)
        db.close()

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format, *args):
        pass


start_postgres()
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["APP_PORT"])), Wallet).serve_forever()
