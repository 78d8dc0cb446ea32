#!/usr/bin/python3
"""Customers, payment methods, setup intents and checkout sessions by the unmodified official library
for Python, against mockpsp at $PSP_URL. Prints TAP."""
import json
import sys
import urllib.request

import official_basics as base
import stripe
from official_basics import check, equal, pay, refusal

base.CHECKS.clear()


def control(path, **fields):
    """A call of the control plane: what the customer does."""
    put = urllib.request.Request(
        stripe.api_base + "/_mock/" + path,
        method="POST",
        headers={"Authorization": "Bearer " + stripe.api_key, "Content-Type": "application/json"},
        data=json.dumps(fields).encode(),
    )
    return json.load(urllib.request.urlopen(put))


@check("a customer is changed, found, and deleted")
def _():
    made = stripe.Customer.create(email="a@x.org", metadata={"a": "1", "b": "2"},
                                  address={"city": "Bern"})
    changed = stripe.Customer.modify(made.id, name="A", metadata={"b": "", "c": "3"})
    equal((changed.name, changed.metadata.to_dict()), ("A", {"a": "1", "c": "3"}))
    equal(changed.address.city, "Bern")
    made.name = "B"
    made.save()
    equal(stripe.Customer.retrieve(made.id).name, "B")
    equal([one.id for one in stripe.Customer.list(email="a@x.org")], [made.id])
    found = stripe.Customer.search(query="metadata['c']:'3' AND email:'a@x.org'")
    equal((found.object, [one.id for one in found]), ("search_result", [made.id]))
    assert made.delete().deleted
    assert stripe.Customer.retrieve(made.id).deleted
    equal(len(stripe.Customer.list(email="a@x.org")), 0)


@check("customers are listed to the end, and by time")
def _():
    account = {"api_key": stripe.api_key + "many"}
    ids = [stripe.Customer.create(**account).id for _ in range(7)][::-1]
    pages = stripe.Customer.list(limit=3, **account).auto_paging_iter()
    equal([one.id for one in pages], ids)
    equal(len(stripe.Customer.list(created={"lt": 1000}, **account)), 0)
    equal(len(stripe.Customer.list(created={"gte": 1000}, **account)), 7)


@check("a card is saved by hand, pays, and is taken away")
def _():
    customer = stripe.Customer.create()
    method = stripe.PaymentMethod.create(type="card", card={"token": "tok_mastercard"},
                                         billing_details={"name": "A", "address": {"city": "x"}})
    equal((method.card.brand, method.customer), ("mastercard", None))
    equal(stripe.PaymentMethod.attach(method.id, customer=customer.id).customer, customer.id)
    changed = stripe.PaymentMethod.modify(method.id, metadata={"a": "1"})
    equal((changed.metadata.to_dict(), changed.billing_details.name), ({"a": "1"}, "A"))
    default = {"default_payment_method": method.id}
    customer = stripe.Customer.modify(customer.id, invoice_settings=default,
                                      expand=["invoice_settings.default_payment_method"])
    equal(customer.invoice_settings.default_payment_method.card.last4, "4444")
    paid = pay(customer=customer.id, payment_method=method.id, expand=["latest_charge"])
    equal((paid.payment_method, paid.latest_charge.payment_method), (method.id, method.id))
    listed = stripe.PaymentMethod.list(customer=customer.id, type="card")
    equal([one.id for one in listed], [method.id])
    equal([one.id for one in customer.list_payment_methods(type="card")], [method.id])
    equal(stripe.Customer.retrieve_payment_method(customer.id, method.id), listed.data[0])
    refusal(stripe.error.InvalidRequestError, pay, payment_method=method.id)
    equal(stripe.PaymentMethod.detach(method.id).customer, None)
    refusal(stripe.error.InvalidRequestError, pay, customer=customer.id, payment_method=method.id)


@check("a customer with a source is charged without naming it")
def _():
    customer = stripe.Customer.create(source="tok_amex")
    charge = stripe.Charge.create(amount=500, currency="usd", customer=customer.id)
    equal(charge.payment_method_details.card.brand, "amex")
    equal(charge.payment_method, customer.default_source)
    refusal(stripe.error.CardError, stripe.Customer.create, source="tok_chargeDeclined")


@check("a setup intent saves a card that pays later")
def _():
    customer = stripe.Customer.create()
    setup = stripe.SetupIntent.create(customer=customer.id, usage="off_session",
                                      payment_method_types=["card"])
    equal(setup.status, "requires_payment_method")
    setup = stripe.SetupIntent.confirm(setup.id, payment_method="pm_card_visa")
    equal((setup.status, setup.last_setup_error), ("succeeded", None))
    equal(pay(customer=customer.id, payment_method=setup.payment_method,
              off_session=True).status, "succeeded")
    error = refusal(stripe.error.CardError, stripe.SetupIntent.create, confirm=True,
                    payment_method="pm_card_chargeDeclined")
    equal(error.error.setup_intent.status, "requires_payment_method")
    equal(stripe.SetupIntent.cancel(error.error.setup_intent.id).status, "canceled")
    waits = stripe.SetupIntent.create(confirm=True, customer=customer.id,
                                      payment_method="pm_card_authenticationRequired")
    equal(waits.status, "requires_action")
    control(f"setup_intents/{waits.id}/complete", outcome="succeeded")
    equal(stripe.SetupIntent.retrieve(waits.id).status, "succeeded")
    listed = stripe.SetupIntent.list(customer=customer.id)
    equal([one.id for one in listed], [waits.id, setup.id])


def page(**more):
    price = {"currency": "usd", "unit_amount": 1500, "product_data": {"name": "a pen"}}
    return stripe.checkout.Session.create(
        mode="payment", line_items=[{"price_data": price, "quantity": 2}],
        success_url="https://x.org/good", cancel_url="https://x.org/back", **more)


@check("a checkout session is paid on its page")
def _():
    made = page(client_reference_id="6735", payment_intent_data={"metadata": {"order_id": "6735"}})
    equal((made.status, made.payment_status, made.amount_total), ("open", "unpaid", 3000))
    items = stripe.checkout.Session.list_line_items(made.id)
    equal([(one.description, one.amount_total) for one in items], [("a pen", 3000)])
    equal(control(f"checkout/sessions/{made.id}/complete", outcome="declined")["status"], "open")
    control(f"checkout/sessions/{made.id}/complete", outcome="paid")
    done = stripe.checkout.Session.retrieve(made.id, expand=["payment_intent", "line_items"])
    equal((done.status, done.payment_status), ("complete", "paid"))
    equal((done.payment_intent.status, done.payment_intent.metadata.to_dict()),
          ("succeeded", {"order_id": "6735"}))
    equal(done.line_items.data[0].quantity, 2)
    listed = stripe.checkout.Session.list(payment_intent=done.payment_intent.id)
    equal([one.id for one in listed], [made.id])


@check("a checkout session is expired")
def _():
    made = page()
    equal(stripe.checkout.Session.expire(made.id).status, "expired")
    refusal(stripe.error.InvalidRequestError, stripe.checkout.Session.expire, session=made.id)


if __name__ == "__main__":
    sys.exit(base.main())
