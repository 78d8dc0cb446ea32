#!/usr/bin/python3
"""The unmodified official Stripe library for Python, against mockpsp at $PSP_URL. Prints TAP."""
import json
import os
import sys
import traceback
import urllib.request
import uuid

import stripe

# A key of its own is an account of its own, so this can run beside other tests on one port.
stripe.api_key = "sk_test_python" + uuid.uuid4().hex
stripe.api_base = os.environ["PSP_URL"]
stripe.default_http_client = stripe.http_client.RequestsClient(timeout=5)

CHECKS = []


def check(title):
    def register(body):
        CHECKS.append((title, body))
        return body

    return register


def payment(**change):
    wanted = {
        "amount": 2000,
        "currency": "usd",
        "payment_method": "pm_card_visa",
        "payment_method_types": ["card"],
        "confirm": True,
    }
    return {**wanted, **change}


def pay(**change):
    return stripe.PaymentIntent.create(**payment(**change))


def new_key():
    return str(uuid.uuid4())


def refusal(error_class, call, **params):
    """The error of ERROR_CLASS that CALL must raise."""
    try:
        call(**params)
    except error_class as error:
        return error
    raise AssertionError(f"expected {error_class.__name__}, nothing was raised")


def equal(got, wanted):
    assert got == wanted, f"{got!r} is not {wanted!r}"


# --- create, retrieve, list, refund ---------------------------------------------------------------


@check("create a payment and confirm it")
def _():
    made = pay(metadata={"order_id": "6735"}, description="a pen")
    assert made.id.startswith("pi_"), made.id
    equal(made.object, "payment_intent")
    equal((made.status, made.amount, made.amount_received), ("succeeded", 2000, 2000))
    equal((made.currency, made.livemode), ("usd", False))
    equal(made.metadata.to_dict(), {"order_id": "6735"})
    assert made.latest_charge.startswith("ch_"), made.latest_charge
    assert made.last_response.request_id.startswith("req_")


@check("retrieve a payment")
def _():
    made = pay()
    equal(stripe.PaymentIntent.retrieve(made.id), made)


@check("expand the charge of a payment")
def _():
    made = pay(expand=["latest_charge"])
    equal(made.latest_charge.object, "charge")
    equal((made.latest_charge.payment_intent, made.latest_charge.paid), (made.id, True))


@check("create a payment without confirming it")
def _():
    made = pay(confirm=False)
    equal((made.status, made.latest_charge), ("requires_confirmation", None))


@check("list payments page by page, newest first")
def _():
    account = {"api_key": stripe.api_key + "pages"}
    ids = [pay(**account).id for _ in range(5)][::-1]
    first = stripe.PaymentIntent.list(limit=2, **account)
    equal((first.object, first.has_more), ("list", True))
    equal([item.id for item in first.data], ids[:2])
    pages = stripe.PaymentIntent.list(limit=2, **account).auto_paging_iter()
    equal([item.id for item in pages], ids)


@check("create and retrieve a customer, and pay for it")
def _():
    customer = stripe.Customer.create(email="jenny@example.com", metadata={"shop": "pens"})
    assert customer.id.startswith("cus_"), customer.id
    read = stripe.Customer.retrieve(customer.id)
    equal((read.email, read.metadata.to_dict()), ("jenny@example.com", {"shop": "pens"}))
    made = pay(customer=customer.id)
    equal(made.customer, customer.id)
    theirs = stripe.PaymentIntent.list(customer=customer.id)
    equal([item.id for item in theirs.data], [made.id])


@check("create, retrieve and list charges")
def _():
    charge = stripe.Charge.create(amount=700, currency="eur", source="tok_visa")
    assert charge.id.startswith("ch_"), charge.id
    equal((charge.status, charge.paid), ("succeeded", True))
    equal(stripe.Charge.retrieve(charge.id).amount, 700)
    made = pay()
    listed = stripe.Charge.list(payment_intent=made.id)
    equal([item.id for item in listed.data], [made.latest_charge])


@check("refund a payment in two parts, and no more")
def _():
    made = pay()
    part = stripe.Refund.create(payment_intent=made.id, amount=500)
    assert part.id.startswith("re_"), part.id
    equal((part.status, part.amount, part.charge), ("succeeded", 500, made.latest_charge))
    equal(stripe.Refund.retrieve(part.id).payment_intent, made.id)
    equal(stripe.Refund.create(charge=made.latest_charge).amount, 1500)
    charge = stripe.Charge.retrieve(made.latest_charge)
    equal((charge.amount_refunded, charge.refunded), (2000, True))
    refusal(stripe.error.InvalidRequestError, stripe.Refund.create, charge=made.latest_charge)


# --- replays --------------------------------------------------------------------------------------


@check("the same key twice is one payment")
def _():
    key = new_key()
    first, again = pay(idempotency_key=key), pay(idempotency_key=key)
    equal(again, first)
    assert "idempotent-replayed" not in first.last_response.headers
    equal(again.last_response.headers["idempotent-replayed"], "true")
    equal(again.last_response.idempotency_key, key)
    assert again.last_response.request_id != first.last_response.request_id
    equal(again.last_response.headers["original-request"], first.last_response.request_id)


@check("the same key twice is one refund")
def _():
    made, key = pay(), new_key()
    wanted = {"payment_intent": made.id, "amount": 100, "idempotency_key": key}
    equal(stripe.Refund.create(**wanted).id, stripe.Refund.create(**wanted).id)
    equal(stripe.Charge.retrieve(made.latest_charge).amount_refunded, 100)


@check("a decline is replayed as a decline")
def _():
    declined = payment(payment_method="pm_card_chargeDeclined", idempotency_key=new_key())
    first = refusal(stripe.error.CardError, stripe.PaymentIntent.create, **declined)
    again = refusal(stripe.error.CardError, stripe.PaymentIntent.create, **declined)
    equal(again.http_body, first.http_body)
    equal(again.headers["idempotent-replayed"], "true")


@check("the library tries again by itself after a fault, and meets the replay")
def _():
    stripe.max_network_retries = 2
    for act in ({"kind": "drop"}, {"kind": "reset"}, {"kind": "respond", "status": 500}):
        account = stripe.api_key + act["kind"]
        faults = [{"on": "POST *", "nth": 1, "at": "after_commit", "act": act}]
        put = urllib.request.Request(
            stripe.api_base + "/_mock/faults",
            method="PUT",
            headers={"Authorization": "Bearer " + account},
            data=json.dumps(faults).encode(),
        )
        equal(urllib.request.urlopen(put).status, 200)
        made = pay(api_key=account)
        equal(made.last_response.headers["idempotent-replayed"], "true")
        listed = stripe.PaymentIntent.list(api_key=account)
        equal([item.id for item in listed.data], [made.id])
    stripe.max_network_retries = 0


# --- the library's own error classes --------------------------------------------------------------


@check("a decline is a CardError")
def _():
    declines = {
        "pm_card_chargeDeclined": "generic_decline",
        "pm_card_chargeDeclinedInsufficientFunds": "insufficient_funds",
    }
    for method, reason in declines.items():
        error = refusal(stripe.error.CardError, pay, payment_method=method)
        equal((error.http_status, error.code), (402, "card_declined"))
        equal((error.error.type, error.error.decline_code), ("card_error", reason))
        assert error.error.charge.startswith("ch_"), error.error.charge
        declined = error.error.payment_intent
        equal(declined.status, "requires_payment_method")
        equal(declined.last_payment_error.decline_code, reason)


@check("a key with other parameters is an IdempotencyError")
def _():
    key = new_key()
    pay(idempotency_key=key)
    error = refusal(stripe.error.IdempotencyError, pay, amount=2001, idempotency_key=key)
    equal((error.http_status, error.error.type), (400, "idempotency_error"))


@check("a key on another endpoint is an IdempotencyError")
def _():
    key = new_key()
    stripe.Customer.create(idempotency_key=key)
    refusal(stripe.error.IdempotencyError, pay, idempotency_key=key)


@check("an unknown API key is an AuthenticationError")
def _():
    call = stripe.PaymentIntent.list
    error = refusal(stripe.error.AuthenticationError, call, api_key="sk_nobody")
    equal(error.http_status, 401)


@check("what does not exist is an InvalidRequestError")
def _():
    call = stripe.PaymentIntent.retrieve
    error = refusal(stripe.error.InvalidRequestError, call, id="pi_none")
    equal((error.http_status, error.code), (404, "resource_missing"))


@check("wrong parameters are InvalidRequestErrors that name them")
def _():
    wrong, create = stripe.error.InvalidRequestError, stripe.PaymentIntent.create
    missing = refusal(wrong, create, currency="usd")
    equal((missing.code, missing.param), ("parameter_missing", "amount"))
    unknown = refusal(wrong, pay, amuont=1)
    equal((unknown.code, unknown.param), ("parameter_unknown", "amuont"))


def main():
    failures = 0
    for number, (title, body) in enumerate(CHECKS, 1):
        try:
            body()
            print(f"ok {number} - {title}", flush=True)
        except Exception:
            failures += 1
            print(f"not ok {number} - {title}")
            for line in traceback.format_exc().splitlines():
                print("#", line, flush=True)
    print(f"1..{len(CHECKS)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
