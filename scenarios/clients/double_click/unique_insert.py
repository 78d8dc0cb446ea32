#!/usr/bin/env python3
"""Takes the order by a row that only one process can insert, with the number that its key is made of.
Whoever comes second uses the first one's key: however many there are, there is one payment. (The
row, and the rest of what care takes: ../lib/careful_order.py.)"""
import sys

import psp
from careful_order import CarefulOrder, database

status = CarefulOrder(database(), psp.order()).settle()
sys.exit({"succeeded": 0, "failed": 1}.get(status, 75))  # unknown: run me again
