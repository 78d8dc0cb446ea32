#!/usr/bin/python3
"""PaymentIntents, charges and refunds in all their ways by the unmodified official library for Python,
against mockpsp (its clock is moved by hand) at $PSP_URL. Prints TAP."""
import sys

import official_basics as base
import stripe
from official_people import control
from official_basics import check, equal, refusal

base.CHECKS.clear()
MONEY = {"amount": 2000, "currency": "usd"}


def pay(**fields):
    return stripe.PaymentIntent.create(
        **{**MONEY, "payment_method": "pm_card_visa", "confirm": True, **fields})


@check("an intent is authorized, captured in part, and refunded")
def _():
    intent = pay(capture_method="manual")
    equal((intent.status, intent.amount_capturable), ("requires_capture", 2000))
    done = stripe.PaymentIntent.capture(intent.id, amount_to_capture=1500)
    equal((done.status, done.amount_received), ("succeeded", 1500))
    error = refusal(stripe.error.InvalidRequestError, lambda: intent.capture())
    equal(error.code, "payment_intent_unexpected_state")
    refund = stripe.Refund.create(payment_intent=intent.id)
    equal((refund.amount, refund.status), (1500, "succeeded"))
    charge = stripe.Charge.retrieve(done.latest_charge)
    equal((charge.amount_captured, charge.refunded), (1500, True))


@check("an intent is canceled")
def _():
    intent = pay(capture_method="manual").cancel(cancellation_reason="abandoned")
    equal((intent.status, intent.cancellation_reason), ("canceled", "abandoned"))


@check("an intent is changed before it is confirmed, its metadata after that as well")
def _():
    intent = stripe.PaymentIntent.create(**MONEY, metadata={"a": "1", "b": "2"})
    stripe.PaymentIntent.modify(intent.id, amount=2500, description="d", metadata={"a": ""})
    paid = stripe.PaymentIntent.confirm(intent.id, payment_method="pm_card_visa")
    equal((paid.amount_received, paid.description), (2500, "d"))
    changed = stripe.PaymentIntent.modify(intent.id, metadata={"c": "3"})
    equal(changed.metadata.to_dict(), {"b": "2", "c": "3"})
    refusal(stripe.error.InvalidRequestError,
            lambda: stripe.PaymentIntent.modify(intent.id, amount=1))


@check("intents and charges are searched, page by page")
def _():
    made = [pay(metadata={"batch": "7"}).id for _ in range(5)][::-1]
    query = "metadata['batch']:'7' AND status:'succeeded'"
    found = stripe.PaymentIntent.search(query=query, limit=2)
    equal([one.id for one in found.auto_paging_iter()], made)
    equal(len(stripe.Charge.search(query="metadata['batch']:'7'").data), 5)


@check("a bank account pays in its own time, or does not")
def _():
    good = pay(payment_method="pm_usBankAccount_success")
    bad = pay(payment_method="pm_usBankAccount_accountClosed")
    equal((good.status, bad.status), ("processing", "processing"))
    control("clock", advance="1m")
    equal(stripe.PaymentIntent.retrieve(good.id).status, "succeeded")
    failed = stripe.PaymentIntent.retrieve(bad.id, expand=["latest_charge"])
    equal((failed.status, failed.latest_charge.failure_code),
          ("requires_payment_method", "account_closed"))


@check("a customer authenticates")
def _():
    intent = pay(payment_method="pm_card_authenticationRequired")
    equal(intent.status, "requires_action")
    control(f"payment_intents/{intent.id}/complete", outcome="succeeded")
    equal(intent.refresh().status, "succeeded")
    error = refusal(stripe.error.CardError, pay, off_session=True,
                    payment_method="pm_card_authenticationRequired")
    equal(error.error.decline_code, "authentication_required")


@check("a charge is authorized, captured, changed")
def _():
    charge = stripe.Charge.create(**MONEY, source="tok_visa", capture=False)
    equal((charge.paid, charge.captured), (True, False))
    equal(stripe.Charge.capture(charge.id).captured, True)
    changed = stripe.Charge.modify(charge.id, description="d", metadata={"a": "1"})
    equal((changed.description, changed.metadata.a), ("d", "1"))


@check("a refund is pending, changed, canceled")
def _():
    intent = pay(payment_method="pm_card_pendingRefund")
    refund = stripe.Refund.create(payment_intent=intent.id, amount=700)
    equal(refund.status, "pending")
    equal(stripe.Refund.modify(refund.id, metadata={"a": "1"}).metadata.a, "1")
    equal(stripe.Refund.cancel(refund.id).status, "canceled")
    listed = stripe.Refund.list(payment_intent=intent.id)
    equal([(one.id, one.status) for one in listed], [(refund.id, "canceled")])


if __name__ == "__main__":
    sys.exit(base.main())
