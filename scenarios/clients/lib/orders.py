"""The table of orders that the clients of the field have in common, in SQLite."""
import os
import sqlite3


def database():
    db = sqlite3.connect(os.path.join(os.environ["STATE_DIR"], "orders.db"), timeout=10,
                         isolation_level=None)
    db.execute("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, status TEXT, payment TEXT,"
               " attempt INTEGER, amount INTEGER, currency TEXT)")
    return db


def add(db, order):
    """True when it was not there."""
    return db.execute("INSERT OR IGNORE INTO orders VALUES (?, 'pending', NULL, 1, ?, ?)",
                      (order["id"], order["amount"], order["currency"])).rowcount == 1


def keep(db, order_id, status, payment=None):
    db.execute("UPDATE orders SET status = ?, payment = ? WHERE id = ?", (status, payment, order_id))
