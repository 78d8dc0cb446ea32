#!/usr/bin/env python3
"""Saves the payment attempt as pending, then charges, with a key that is made of the two. What it
does not know is not its business to find out: reconcile.py does."""
import orders
import psp

db = orders.database()
order = psp.order()
if orders.add(db, order):
    outcome, payment = psp.pay(order, f"{order['id']}-1")
    orders.keep(db, order["id"], outcome, payment)
