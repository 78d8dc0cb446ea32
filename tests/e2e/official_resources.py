#!/usr/bin/python3
"""A row per resource, the same checks for each, by the unmodified official library for Python against
mockpsp at $PSP_URL: create, retrieve, update, list by pages both ways, expand, and the error class of
what is not there. Prints TAP."""
import sys

import official_basics as base
import stripe
from official_basics import check, equal, pay, refusal

base.CHECKS.clear()
KEY = stripe.api_key + "resources"
stripe.api_key = KEY


def customer_with_card():
    customer = stripe.Customer.create()
    card = stripe.PaymentMethod.attach("pm_card_visa", customer=customer.id)
    return stripe.Customer.modify(customer.id, invoice_settings={"default_payment_method": card.id})


def method():
    return stripe.PaymentMethod.attach("pm_card_visa", customer=stripe.Customer.create().id)


def session():
    price = {"currency": "usd", "unit_amount": 1500, "product_data": {"name": "a pen"}}
    return stripe.checkout.Session.create(
        mode="payment", line_items=[{"price_data": price, "quantity": 2}],
        success_url="https://x.org/good")


def disputed():
    return pay(payment_method="pm_card_createDispute", expand=["latest_charge.dispute"])


def event():
    made = stripe.Customer.create(name="A")
    return next(one for one in stripe.Event.list(type="customer.created")
                if one.data.object.id == made.id)


def endpoint():
    return stripe.WebhookEndpoint.create(url="http://127.0.0.1:9/", enabled_events=["*"],
                                         description="d")


class Row:
    """A resource: its class, how one is made, whether its metadata can be changed, what can be
    expanded to an object of which kind, and what else a list has to be told."""

    def __init__(self, kind, make, expand=None, to=None, modify=True, filters=None):
        self.kind, self.make, self.expand, self.to = kind, make, expand, to
        self.modify, self.filters = modify, filters or (lambda one: {})


ROWS = [
    Row(stripe.PaymentIntent, pay, "latest_charge", "charge"),
    Row(stripe.Charge, lambda: stripe.Charge.create(amount=700, currency="usd", source="tok_visa"),
        "balance_transaction", "balance_transaction"),
    Row(stripe.Refund, lambda: stripe.Refund.create(payment_intent=pay().id, amount=1),
        "charge.payment_intent", "charge"),
    Row(stripe.Customer, customer_with_card, "invoice_settings.default_payment_method", "payment_method"),
    Row(stripe.PaymentMethod, method, "customer", "customer",
        filters=lambda one: {"customer": one.customer}),
    Row(stripe.SetupIntent, lambda: stripe.SetupIntent.create(confirm=True,
                                                              payment_method="pm_card_visa"),
        "payment_method", "payment_method"),
    Row(stripe.checkout.Session, session, "line_items", "list", modify=False),
    Row(stripe.Dispute, lambda: disputed().latest_charge.dispute, "charge", "charge"),
    Row(stripe.BalanceTransaction, lambda: stripe.BalanceTransaction.retrieve(
        pay(expand=["latest_charge"]).latest_charge.balance_transaction), "source", "charge",
        modify=False),
    Row(stripe.Event, event, modify=False, filters=lambda one: {"type": one.type}),
    Row(stripe.WebhookEndpoint, endpoint),
]


def without_secret(one):
    """An endpoint tells its secret when it is made, and never again."""
    return {name: value for name, value in one.to_dict_recursive().items() if name != "secret"}


def check_row(row):
    made = row.make()
    read = row.kind.retrieve(made.id)
    equal(without_secret(read), without_secret(made))
    assert isinstance(read, row.kind), read

    if row.modify:
        equal(row.kind.modify(made.id, metadata={"a": "1"}).metadata.to_dict(), {"a": "1"})
        equal(row.kind.retrieve(made.id).metadata.to_dict(), {"a": "1"})

    if row.expand:
        first = row.expand.split(".")[0]
        inner = row.kind.retrieve(made.id, expand=[row.expand])[first]
        equal(inner["default_payment_method"].object if first == "invoice_settings" else inner.object,
              row.to)
        error = refusal(stripe.error.InvalidRequestError, row.kind.retrieve, id=made.id,
                        expand=["nothing"])
        equal(error.http_status, 400)

    error = refusal(stripe.error.InvalidRequestError, row.kind.retrieve, id="none_1")
    equal((error.http_status, error.code), (404, "resource_missing"))
    assert "none_1" in error.user_message, error.user_message


def check_list(row):
    filters = row.filters(row.make())
    for _ in range(2):
        if row.kind is stripe.PaymentMethod:
            stripe.PaymentMethod.attach("pm_card_visa", **filters)
        else:
            row.make()
    forward = [one.id for one in row.kind.list(limit=1, **filters).auto_paging_iter()]
    assert len(forward) >= 3, forward
    equal(len(set(forward)), len(forward))
    equal([one.id for one in row.kind.list(limit=100, **filters)], forward)
    page = row.kind.list(limit=1, ending_before=forward[-1], **filters)
    equal([one.id for one in page.auto_paging_iter()], forward[-2::-1])
    error = refusal(stripe.error.InvalidRequestError, row.kind.list, starting_after="none_1",
                    **filters)
    equal((error.code, error.param), ("resource_missing", "starting_after"))
    refusal(stripe.error.InvalidRequestError, row.kind.list, limit=0, **filters)


for each in ROWS:
    name = each.kind.OBJECT_NAME
    check(f"{name}: made, read, changed, expanded, missed")(lambda row=each: check_row(row))
    check(f"{name}: listed to the end, both ways")(lambda row=each: check_list(row))


@check("the balance is one object")
def _():
    equal(stripe.Balance.retrieve().object, "balance")


@check("a setup intent is changed, confirmed and canceled; an intent as well")
def _():
    setup = stripe.SetupIntent.create()
    equal(stripe.SetupIntent.modify(setup.id, description="d").description, "d")
    equal(stripe.SetupIntent.confirm(setup.id, payment_method="pm_card_visa").status, "succeeded")
    equal(stripe.SetupIntent.cancel(stripe.SetupIntent.create().id).status, "canceled")


if __name__ == "__main__":
    sys.exit(base.main())
