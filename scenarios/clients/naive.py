#!/usr/bin/python3
"""A job that pays one order with the official Stripe library, written the way most are.

The library makes a random key for every call. It would help the library's own retries; this
version makes none unless told to. So every run of the job, and every retry of the job queue,
is a new payment.
"""
import os
import pathlib
import sys

import stripe

stripe.api_base = os.environ["PSP_URL"]
stripe.api_key = os.environ["PSP_API_KEY"]
stripe.default_http_client = stripe.http_client.RequestsClient(timeout=1)

paid_file = pathlib.Path(os.environ["STATE_DIR"], os.environ["ORDER_ID"] + ".paid")
if paid_file.exists():
    sys.exit(0)

try:
    payment = stripe.PaymentIntent.create(
        amount=int(os.environ["ORDER_AMOUNT"]),
        currency=os.environ["ORDER_CURRENCY"],
        payment_method="pm_card_visa",
        confirm=True,
    )
    # The mistake: whoever dies between the call and the line below has paid and does not know.
    paid_file.write_text(payment.id)
except stripe.error.CardError as error:
    sys.exit(f"declined: {error}")  # exit status 1
except stripe.error.StripeError as error:
    # The other mistake: "an error, so run the job again", although nobody knows what the call did.
    print(error, file=sys.stderr)
    sys.exit(75)
