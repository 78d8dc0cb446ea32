#!/usr/bin/python3
"""Webhook endpoints and events by the unmodified official library for Python, its own verifier
included, against mockpsp at $PSP_URL. Prints TAP."""
import http.server
import queue
import sys
import threading

import official_basics as base
import stripe
from official_basics import check, equal, pay, refusal

base.CHECKS.clear()
stripe.api_key += "webhooks"


class Receiver:
    """An endpoint of this process: what comes to it, as (body, signature)."""

    def __enter__(self):
        came = self.came = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                came.put((body, self.headers["Stripe-Signature"]))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def take(self, count):
        return [self.came.get(timeout=30) for _ in range(count)]


@check("a webhook endpoint is made, read, changed, listed and deleted")
def _():
    made = stripe.WebhookEndpoint.create(url="http://127.0.0.1:9/", description="d",
                                         enabled_events=["charge.succeeded"], metadata={"a": "1"})
    assert made.secret.startswith("whsec_"), made.secret
    read = stripe.WebhookEndpoint.retrieve(made.id)
    equal((read.url, read.status, read.enabled_events, read.metadata.to_dict()),
          ("http://127.0.0.1:9/", "enabled", ["charge.succeeded"], {"a": "1"}))
    assert "secret" not in read, read
    changed = stripe.WebhookEndpoint.modify(made.id, disabled=True, enabled_events=["*"],
                                            url="http://127.0.0.1:10/")
    equal((changed.status, changed.enabled_events, changed.url),
          ("disabled", ["*"], "http://127.0.0.1:10/"))
    others = [stripe.WebhookEndpoint.create(url="http://127.0.0.1:9/", enabled_events=["*"]).id
              for _ in range(3)]
    pages = stripe.WebhookEndpoint.list(limit=2).auto_paging_iter()
    equal([one.id for one in pages], [*others[::-1], made.id])
    for one in [*others, made.id]:
        equal(stripe.WebhookEndpoint.delete(one).deleted, True)
    error = refusal(stripe.error.InvalidRequestError, stripe.WebhookEndpoint.retrieve, id=made.id)
    equal((error.http_status, error.code), (404, "resource_missing"))


@check("what makes no endpoint is refused")
def _():
    wrong = stripe.error.InvalidRequestError
    for fields, param in (({"url": "ftp://127.0.0.1/", "enabled_events": ["*"]}, "url"),
                          ({"enabled_events": ["*"]}, "url"),
                          ({"url": "http://127.0.0.1:9/"}, "enabled_events"),
                          ({"url": "http://127.0.0.1:9/", "enabled_events": ["nonsense"]},
                           "enabled_events")):
        equal(refusal(wrong, stripe.WebhookEndpoint.create, **fields).param, param)


@check("a webhook passes the library's own verifier, a forged one does not")
def _():
    with Receiver() as receiver:
        endpoint = stripe.WebhookEndpoint.create(url=receiver.url, enabled_events=["*"])
        intent = pay()
        came = receiver.take(3)
        stripe.WebhookEndpoint.delete(endpoint.id)
    events = [stripe.Webhook.construct_event(body, signature, endpoint.secret)
              for body, signature in came]
    equal(sorted(event.type for event in events),
          ["charge.succeeded", "payment_intent.created", "payment_intent.succeeded"])
    told = next(event for event in events if event.type == "payment_intent.succeeded")
    equal((told.data.object.object, told.data.object.id), ("payment_intent", intent.id))
    equal(stripe.Event.retrieve(told.id).data.object.id, intent.id)
    body, signature = came[0]
    for text, secret, dated in ((body + b" ", endpoint.secret, signature),
                                (body, "whsec_other", signature),
                                (body, endpoint.secret, signature.replace("t=", "t=1"))):
        refusal(stripe.error.SignatureVerificationError, stripe.Webhook.construct_event,
                payload=text, sig_header=dated, secret=secret)


@check("events are listed to the end, by type, and read")
def _():
    made = [stripe.Customer.create(name=str(number)).id for number in range(5)][::-1]
    listed = stripe.Event.list(type="customer.created", limit=2)
    events = list(listed.auto_paging_iter())
    equal([event.data.object.id for event in events], made)
    stripe.Customer.modify(made[0], name="B")
    stripe.Customer.delete(made[0])
    types = [event.type for event in stripe.Event.list(types=["customer.updated",
                                                             "customer.deleted"])]
    equal(types, ["customer.deleted", "customer.updated"])
    equal(stripe.Event.retrieve(events[0].id), events[0])
    equal(refusal(stripe.error.InvalidRequestError, stripe.Event.retrieve, id="evt_none").code,
          "resource_missing")


if __name__ == "__main__":
    sys.exit(base.main())
