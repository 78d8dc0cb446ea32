"""The bytes of 33 real libraries and stacks, replayed: ../shared/captures beside the clone, or
PSP_CAPTURES. Each file has a header with what the client printed, then its requests as sent.

The Stripe-like ones are answered with success, their key is understood in its spelling and echoed,
and the same bytes again are a replay. What belongs to another provider is answered in the words of
that one, and the same bytes again do what they do there. Credentials are placeholders there, so each
test puts a key of its own in their place; nothing else of the bytes is changed."""
import base64
import json
import os
import pathlib
import re
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import raw_http  # noqa: E402
from mockpsp_process import PspTest, main  # noqa: E402

FOLDER = pathlib.Path(os.environ.get("PSP_CAPTURES") or
                      pathlib.Path(os.environ["SOURCE_DIR"]).resolve().parent / "shared/captures")
EXPECTED = 33

# What the same bytes again are: the first answer, a refusal that names the first payment, a payment
# of its own (no key was sent), or an order of its own, which costs nobody anything.
REPLAY, CONFLICT, PAYS_AGAIN, ORDERS_AGAIN = "replay", "conflict", "pays again", "orders again"

# The client: its dialect, and of each of its requests the status, what has to be in the answer (a
# path of members to a value), and what the same bytes again are. Everybody else is Stripe-like.
OTHERS = {
    "adyen": ("adyen", [(200, {"resultCode": "Authorised", "amount.value": 2000,
                               "amount.currency": "EUR", "merchantReference": "order_1001"},
                         PAYS_AGAIN)]),
    # Its library reads XML only.
    "braintree": ("stripe", [(201, {"transaction.status": "submitted_for_settlement",
                                    "transaction.amount": "20.00",
                                    "transaction.currency-iso-code": "USD",
                                    "transaction.processor-response-code": "1000",
                                    "transaction.order-id": "order_1001"}, PAYS_AGAIN)]),
    "checkout": ("checkout", [(201, {"status": "Captured", "approved": True, "amount": 2000,
                                     "currency": "USD", "reference": "order_1001"}, PAYS_AGAIN)]),
    "gocardless": ("gocardless", [(201, {"payments.status": "confirmed", "payments.amount": 2000,
                                         "payments.currency": "GBP"}, CONFLICT)]),
    "mercadopago": ({"name": "mercadopago", "key": "X-Idempotency-Key"},
                    [(201, {"status": "approved", "transaction_amount": 20, "currency_id": "BRL",
                            "external_reference": "order_1001"}, REPLAY)]),
    "mollie": ("mollie", [(201, {"status": "paid", "amount.value": "20.00",
                                 "amount.currency": "EUR", "description": "order_1001"}, REPLAY)]),
    "paypal": ("paypal", [(200, {"token_type": "Bearer"}, None),
                          (201, {"status": "CREATED", "intent": "CAPTURE",
                                 "purchase_units.0.amount.value": "20.00",
                                 "purchase_units.0.amount.currency_code": "USD"}, ORDERS_AGAIN)]),
    "razorpay": ("stripe", [(200, {"status": "created", "amount": 2000, "amount_paid": 0,
                                   "currency": "INR", "receipt": "order_1001"}, ORDERS_AGAIN)]),
    "square": ("square", [(200, {"payment.status": "COMPLETED", "payment.amount_money.amount": 2000,
                                 "payment.amount_money.currency": "USD"}, REPLAY)]),
    "yoo": ("yookassa", [(200, {"status": "succeeded", "paid": True, "amount.value": "20.00",
                                "amount.currency": "RUB"}, REPLAY)]),
}


class Capture:
    """One file: the name of its client, its requests (bytes), and the key of each (or None)."""

    def __init__(self, file):
        self.name = file.stem
        parts = re.split(rb"^### (req=.*)\n", file.read_bytes(), flags=re.M)
        self.heads = [head.decode() for head in parts[1::2]]
        self.keys = [None if key == "-" else key
                     for key in (re.search(r" key=(\S+)", head)[1] for head in self.heads)]
        self.requests = [self.trim(raw) for raw in parts[2::2]]

    @staticmethod
    def trim(raw):
        """Without the empty lines that follow it in the file."""
        head, body = raw.split(b"\r\n\r\n", 1)
        if re.search(rb"^transfer-encoding: chunked", head, re.I | re.M):
            length = body.index(b"0\r\n\r\n") + 5
        else:
            length = int(re.search(rb"^content-length: *(\d+)", head, re.I | re.M)[1])
        assert len(body) >= length and body[length:].strip() == b"", body
        return head + b"\r\n\r\n" + body[:length]


def with_credentials(raw, account):
    """RAW with ACCOUNT where it had a placeholder, or nothing at all. In Basic it is both halves:
    some want their key as the user name, some as the password."""
    head, body = raw.split(b"\r\n\r\n", 1)
    basic = re.search(rb"^authorization: basic", head, re.I | re.M)
    api_key = re.search(rb"^x-api-key:", head, re.I | re.M)
    lines = [line for line in head.split(b"\r\n")
             if not re.match(rb"authorization:|x-api-key:", line, re.I)]
    new = b"X-API-Key: " if api_key else b"Authorization: Bearer "
    new += account.encode()
    if basic:
        new = b"Authorization: Basic " + base64.b64encode(f"{account}:{account}".encode())
    return b"\r\n".join([*lines, new]) + b"\r\n\r\n" + body


def member(body, path):
    """What the members PATH, as in "amount.value", lead to."""
    for name in path.split("."):
        body = body[int(name)] if isinstance(body, list) else body.get(name)
    return body


def from_xml(element):
    """The text of an element, or its elements by name."""
    return {child.tag: from_xml(child) for child in element} or element.text


def understood(answer):
    """Its body, JSON or XML, as its media type says."""
    if answer.header("content-type") == "application/xml; charset=utf-8":
        root = xml.etree.ElementTree.fromstring(answer.body)
        return {root.tag: from_xml(root)}
    assert answer.header("content-type") == "application/json", answer.head
    return json.loads(answer.body)


def id_in(body):
    inner = body.get("payment") or body.get("payments") or body.get("transaction") or body
    return inner.get("pspReference") or inner["id"]


class Replay(PspTest):
    def dialect(self, dialect):
        self.psp.control("PUT", "dialect", {"name": dialect} if isinstance(dialect, str)
                         else json.dumps(dialect))

    def replay(self, raw):
        """The answer, from a connection that does afterwards what the client asked for."""
        with self.psp.connect() as connection:
            answer = connection.ask(with_credentials(raw, self.account))
            if re.search(rb"^connection: close", raw, re.I | re.M):
                self.assertEqual(connection.rest(), (b"", "fin"))
            else:
                look = raw_http.request("GET", "/v1/charges", self.account)
                self.assertEqual(connection.ask(look, "GET").status, 200)
        return answer

    def seen(self, number):
        return [entry for entry in self.psp.journal(self.account)
                if entry["kind"] == "invoke" and entry["data"]["method"] == "POST"][number]["data"]

    def paid(self, capture, raw, key):
        self.dialect("stripe")
        first = self.replay(raw)
        made = self.json(first)
        self.assertEqual(made["amount"], 2000, made)
        self.assertTrue(made["id"].startswith(("ch_", "pi_")))
        self.assertEqual(made["status"], "succeeded")
        self.assertEqual(first.header("idempotency-key"), key)
        self.assertEqual(self.seen(0).get("key"), key)
        again = self.replay(raw)
        if key is None:
            self.assertNotEqual(self.json(again)["id"], made["id"])
            self.assertCharges(2)
        else:
            self.assertReplay(again, first)
            self.assertCharges(1)

    def answered(self, capture, number, dialect, expected):
        status, members, again = expected
        raw, key = capture.requests[number], capture.keys[number]
        self.dialect(dialect)
        first = self.replay(raw)
        self.assertEqual(first.status, status, first.body)
        said = understood(first)
        for path, value in members.items():
            self.assertEqual(member(said, path), value, path)
        self.assertEqual(self.seen(number).get("key"), key)
        self.assertTrue(self.seen(number)["params"])
        self.assertCharges(1 if again in (REPLAY, CONFLICT, PAYS_AGAIN) else 0)
        if again is not None:
            self.same_bytes_again(raw, first, again)

    def same_bytes_again(self, raw, first, again):
        made = id_in(understood(first))
        second = self.replay(raw)
        said = understood(second)
        if again == REPLAY:
            self.assertEqual((second.status, second.body), (first.status, first.body))
            self.assertEqual(second.header("original-request"), first.header("request-id"))
        elif again == CONFLICT:
            self.assertEqual(second.status, 409, second.body)
            self.assertEqual(said["error"]["errors"][0]["links"]["conflicting_resource_id"], made)
            self.assertEqual(id_in(self.json(self.get("/payments/" + made))), made)
        else:
            self.assertEqual(second.status, first.status, second.body)
            self.assertNotEqual(id_in(said), made)
        self.assertCharges({PAYS_AGAIN: 2, ORDERS_AGAIN: 0}.get(again, 1))


def test_of(capture):
    def test(self):
        if capture.name not in OTHERS:
            self.assertEqual(len(capture.requests), 1)
            self.paid(capture, capture.requests[0], capture.keys[0])
            return
        dialect, expected = OTHERS[capture.name]
        self.assertEqual(len(capture.requests), len(expected))
        for number, one in enumerate(expected):
            self.answered(capture, number, dialect, one)
    return test


class Complete(unittest.TestCase):
    def test_all_of_them_are_there(self):
        self.assertEqual(len(FILES), EXPECTED)
        self.assertEqual(set(OTHERS) - {file.stem for file in FILES}, set())


FILES = sorted(FOLDER.glob("*.txt")) if FOLDER.is_dir() else []
for one in FILES:
    setattr(Replay, "test_" + re.sub(r"\W", "_", one.stem), test_of(Capture(one)))

if __name__ == "__main__":
    if not FILES:
        print(f"skipped: the captures are not in {FOLDER}")
        sys.exit(77)
    main()
