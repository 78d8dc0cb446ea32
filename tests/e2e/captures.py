"""The bytes of 33 real libraries and stacks, replayed: ../shared/captures beside the clone, or
PSP_CAPTURES. Each file has a header with what the client printed, then its requests as sent.

The Stripe-like ones are answered with success, their key is understood in its spelling and echoed,
and the same bytes again are a replay. What belongs to a provider that is not here gets a clean 4xx
in JSON on a connection that stays open. Credentials are placeholders there, so each test puts a key
of its own in their place; nothing else of the bytes is changed."""
import base64
import json
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import raw_http  # noqa: E402
from mockpsp_process import PspTest, main  # noqa: E402

FOLDER = pathlib.Path(os.environ.get("PSP_CAPTURES") or
                      pathlib.Path(os.environ["SOURCE_DIR"]).resolve().parent / "shared/captures")
EXPECTED = 33

# The client: its dialect, and what each of its requests is answered. Everybody else is Stripe-like.
OTHERS = {
    "adyen": ("adyen", [404]),  # POST /v71/payments, chunked
    "braintree": ("stripe", [404]),  # POST /merchants/m/transactions
    "checkout": ("checkout", [400]),  # POST /payments is ours; its token tok_x is no test card
    "gocardless": ("gocardless", [400]),  # POST /payments is ours; not in an envelope
    "mercadopago": ({"name": "mercadopago", "key": "X-Idempotency-Key"}, [404]),  # /v1/payments
    "mollie": ("mollie", [404]),  # POST /v2/payments
    "paypal": ("paypal", [200, 404]),  # a token, then POST /v2/checkout/orders
    "razorpay": ("stripe", [404]),  # POST /v1/orders
    "square": ("square", [404]),  # POST /v2/payments, the key is in the body
    "yoo": ("yookassa", [404]),  # POST /v3/payments
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
    lines = [line for line in head.split(b"\r\n")
             if not re.match(rb"authorization:|x-api-key:", line, re.I)]
    new = b"Authorization: Bearer " + account.encode()
    if basic:
        new = b"Authorization: Basic " + base64.b64encode(f"{account}:{account}".encode())
    return b"\r\n".join([*lines, new]) + b"\r\n\r\n" + body


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

    def refused(self, dialect, raw, key, number, status):
        self.dialect(dialect)
        answer = self.replay(raw)
        said = self.json(answer, status)
        self.assertEqual(answer.header("content-type"), "application/json")
        if status == 200:
            self.assertEqual(said["token_type"], "Bearer")
        else:
            self.assertTrue(said.get("message") or said["error"]["message"])
        self.assertEqual(self.seen(number).get("key"), key)
        self.assertTrue(self.seen(number)["params"])
        self.assertCharges(0)


def test_of(capture):
    def test(self):
        if capture.name not in OTHERS:
            self.assertEqual(len(capture.requests), 1)
            self.paid(capture, capture.requests[0], capture.keys[0])
            return
        dialect, statuses = OTHERS[capture.name]
        self.assertEqual(len(capture.requests), len(statuses))
        for number, status in enumerate(statuses):
            self.refused(dialect, capture.requests[number], capture.keys[number], number, status)
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
