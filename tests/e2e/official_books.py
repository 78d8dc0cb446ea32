#!/usr/bin/python3
"""The balance, disputes and limits by the unmodified official library for Python, against mockpsp at
$PSP_URL. Prints TAP."""
import json
import sys
import urllib.request

import official_basics as base
import stripe
from official_basics import check, equal, pay, refusal

base.CHECKS.clear()


def put_limits(**fields):
    put = urllib.request.Request(stripe.api_base + "/_mock/limits", method="PUT",
                                 data=json.dumps(fields).encode())
    return json.load(urllib.request.urlopen(put))


def own_account(name):
    return {"api_key": stripe.api_key + name}


def balance(account):
    return {one.currency: one.amount for one in stripe.Balance.retrieve(**account).available}


@check("the balance is what moved")
def _():
    account = own_account("balance")
    equal(balance(account), {"usd": 0})
    paid = pay(expand=["latest_charge.balance_transaction"], **account)
    moved = paid.latest_charge.balance_transaction
    equal((moved.amount, moved.fee, moved.net, moved.type), (2000, 0, 2000, "charge"))
    back = stripe.Refund.create(payment_intent=paid.id, amount=500, **account)
    pay(currency="jpy", amount=7, **account)
    equal(balance(account), {"usd": 1500, "jpy": 7})
    one = stripe.BalanceTransaction.retrieve(back.balance_transaction, expand=["source"], **account)
    equal((one.amount, one.type, one.source.id), (-500, "refund", back.id))
    pages = stripe.BalanceTransaction.list(limit=1, **account).auto_paging_iter()
    equal([one.amount for one in pages], [7, -500, 2000])
    listed = stripe.BalanceTransaction.list(type="charge", currency="usd", **account)
    equal([one.id for one in listed], [moved.id])
    refusal(stripe.error.InvalidRequestError, stripe.BalanceTransaction.list, type="gift")


@check("a dispute is argued and won")
def _():
    account = own_account("won")
    paid = pay(payment_method="pm_card_createDispute", expand=["latest_charge.dispute"], **account)
    dispute = paid.latest_charge.dispute
    equal((dispute.status, dispute.amount, balance(account)),
          ("needs_response", 2000, {"usd": 0}))
    refusal(stripe.error.InvalidRequestError, stripe.Refund.create, payment_intent=paid.id,
            **account)
    changed = stripe.Dispute.modify(dispute.id, evidence={"customer_name": "A"}, submit=False,
                                    metadata={"order_id": "6735"}, **account)
    equal((changed.status, changed.evidence.customer_name, changed.metadata.to_dict()),
          ("needs_response", "A", {"order_id": "6735"}))
    won = stripe.Dispute.modify(dispute.id, evidence={"uncategorized_text": "winning_evidence"},
                                **account)
    equal((won.status, [one.amount for one in won.balance_transactions], balance(account)),
          ("won", [-2000, 2000], {"usd": 2000}))
    types = [event.type for event in stripe.Event.list(type="charge.dispute.*", **account)]
    equal(types, ["charge.dispute.closed", "charge.dispute.funds_reinstated",
                  "charge.dispute.updated", "charge.dispute.funds_withdrawn",
                  "charge.dispute.created"])


@check("a dispute is given up")
def _():
    account = own_account("lost")
    paid = pay(payment_method="pm_card_createDispute", **account)
    dispute, = stripe.Dispute.list(payment_intent=paid.id, **account)
    equal(stripe.Dispute.close(dispute.id, **account).status, "lost")
    equal(stripe.Dispute.retrieve(dispute.id, expand=["charge"], **account).charge.disputed, True)
    refusal(stripe.error.InvalidRequestError, stripe.Dispute.close, dispute=dispute.id, **account)


@check("who asks too often is told so")
def _():
    account = own_account("often")
    put_limits(rate="1/1h")
    try:
        stripe.Balance.retrieve(**account)
        error = refusal(stripe.error.RateLimitError, stripe.Balance.retrieve, **account)
    finally:
        put_limits(rate="off")
    equal((error.http_status, error.json_body["error"]["code"]), (429, "rate_limit"))
    equal(error.headers["Retry-After"], "3600")
    stripe.Balance.retrieve(**account)


@check("lists show late what was made, and retrieval does not")
def _():
    put_limits(list_lag="1h")
    try:
        made = pay(**own_account("late"))
        equal(len(stripe.PaymentIntent.list(**own_account("late"))), 0)
        equal(stripe.PaymentIntent.retrieve(made.id, **own_account("late")).id, made.id)
    finally:
        put_limits(list_lag="0")
    equal([one.id for one in stripe.PaymentIntent.list(**own_account("late"))], [made.id])


if __name__ == "__main__":
    sys.exit(base.main())
