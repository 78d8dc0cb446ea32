#!/usr/bin/env python3
"""Makes the tables, once."""
import os
import sqlite3

db = sqlite3.connect(os.path.join(os.environ["STATE_DIR"], "orders.db"))
db.execute("CREATE TABLE orders (id TEXT PRIMARY KEY, status TEXT)")
db.execute("CREATE TABLE outbox (id INTEGER PRIMARY KEY, order_id TEXT, amount INTEGER,"
           " currency TEXT, published INTEGER)")
db.execute("PRAGMA journal_mode = WAL")
