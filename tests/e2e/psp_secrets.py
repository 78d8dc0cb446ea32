"""What must never be kept: API keys of live mode, and numbers of real cards. They are refused, and
their bytes are neither in the database nor in what the program prints nor in any answer."""
import base64
import glob
import json
import os
import sys
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, PspTest, main  # noqa: E402
from raw_http import request  # noqa: E402

# No key that ever existed. MARK is what is looked for: no encoding hides it.
MARK = "51NoSuchKey0123456789"
LIVE = "sk_" + "live_" + MARK
KINDS = [kind + "_" + "live_" + MARK for kind in ("sk", "rk", "pk", "SK")]
ENCODED = "".join(f"%{byte:02x}" for byte in LIVE.encode())

# Passes the check digit, and is no test card of ours.
CARD = "4111111111111111"
CARDS = [CARD, "4111 1111 1111 1111", "4111-1111-1111-1111", "5105105105105100", "371449635398431"]


def basic(text):
    return "Basic " + base64.b64encode(text.encode()).decode()


class Secrets(PspTest):
    OPTIONS = ("--clock", "manual", "--db", "psp.db")

    def kept(self):
        """Every byte that the provider has written, its database and its output."""
        files = glob.glob(os.path.join(self.psp.home, "*"))
        self.assertTrue(any(name.endswith("-wal") for name in files), files)
        pieces = []
        for name in files:
            with open(name, "rb") as file:
                pieces.append(file.read())
        return b"\n".join(pieces)

    def assertNowhere(self, *texts):
        kept = self.kept() + json.dumps(self.psp.journal()).encode()
        for text in texts:
            at = kept.find(text.encode())
            self.assertEqual(at, -1, kept[max(at - 200, 0):at + 50])


class LiveKeys(Secrets):
    def tearDown(self):
        self.assertNowhere(MARK)
        self.assertCharges(0)

    def refused(self, data, method="POST"):
        with self.psp.connect() as connection:
            answer = connection.ask(data, method)
        self.assertEqual(answer.status, 401, answer.raw)
        self.assertNotIn(MARK.encode(), answer.raw)
        self.assertNotIn(ENCODED.encode(), answer.raw)

    def post(self, **options):
        options = {"account": self.account, "body": PAYMENT, "key": "key", **options}
        return request("POST", options.pop("path", "/v1/payment_intents"), **options)

    def test_as_bearer_and_basic(self):
        for live in KINDS:
            self.refused(self.post(account=live))
            for text in (live, live + ":", live + ":x", "sk_test_1:" + live):
                self.refused(self.post(account=None, headers=[("Authorization", basic(text))]))

    def test_in_a_parameter(self):
        for live in KINDS:
            for name in ("description", "metadata[key]", "source", "amount", "currency", "nothing"):
                self.refused(self.post(body=PAYMENT + [(name, live)]))
        self.refused(self.post(body=PAYMENT + [(f"metadata[{LIVE}]", "x")]))
        self.refused(self.post(body=PAYMENT + [("description", f"my key is {LIVE}, thanks")]))

    def test_percent_encoded_once_and_twice(self):
        for text in (ENCODED, LIVE.replace("_", "%5F"), urllib.parse.quote(ENCODED)):
            self.refused(self.post(body="amount=1&currency=usd&description=" + text))

    def test_in_a_body_that_is_no_form(self):
        for body in ('{"key":"' + LIVE + '"}', LIVE, f"%{LIVE}", f"[{LIVE}", f"a=%00&b={LIVE}"):
            self.refused(self.post(body=body))

    def test_in_the_path_and_in_the_query(self):
        for path in (f"/v1/charges/{LIVE}", f"/{LIVE}", f"/v1/charges/{ENCODED}",
                     f"/v1/charges?key={LIVE}", f"/v1/charges?{ENCODED}=1"):
            self.refused(request("GET", path, self.account), "GET")

    def test_in_the_idempotency_key_and_in_other_headers(self):
        self.refused(self.post(key=LIVE))
        self.refused(self.post(key="order-1-" + LIVE))
        for name in ("Stripe-Account", "Stripe-Version", "User-Agent", "X-Anything"):
            self.refused(self.post(headers=[(name, LIVE)]))
        self.refused(self.post(headers=[(LIVE, "x")]))

    def test_as_the_method(self):
        self.refused(request(LIVE, "/v1/charges", self.account), LIVE)

    def test_on_an_unknown_url_and_without_a_key_of_its_own(self):
        self.refused(self.post(path="/nothing", headers=[("X-Key", LIVE)]))
        self.refused(self.post(account=None, headers=[("X-Key", LIVE)]))

    def test_in_the_control_plane(self):
        self.refused(request("GET", "/_mock/journal", LIVE), "GET")
        self.refused(request("GET", "/_mock/journal", None,
                             headers=[("Authorization", basic(LIVE + ":"))]), "GET")
        rule = {"order": LIVE, "at": "received", "act": {"kind": "respond", "status": 500}}
        self.refused(request("PUT", "/_mock/faults", self.account, json.dumps([rule])))
        self.refused(request("POST", "/_mock/clock", None, f"advance={LIVE}"))
        self.refused(request("POST", "/_mock/clock", None, f"{LIVE}[=1"))
        escaped = "\\u0073" + LIVE[1:].replace("_", "\\u005f")
        for body in (f'[{{"order":"{escaped}"}}]', f'{{"{escaped}":1}}', f'{{"a":[["{escaped}"]]}}',
                     f'"{escaped}"'):
            self.refused(request("PUT", "/_mock/faults", self.account, body))

    def test_nothing_is_remembered_under_the_key_of_a_refused_request(self):
        self.refused(self.post(body=PAYMENT + [("description", LIVE)]))
        self.refused(self.post(body=PAYMENT + [("description", LIVE)]))
        answer = self.pay("key", "amount=1&currency=usd")
        self.assertFirst(answer)

    def test_the_attempt_is_in_the_journal_without_a_word_of_it(self):
        self.refused(self.post(body=PAYMENT + [("description", LIVE)]))
        invoke, outcome = self.psp.journal()[-2:]
        self.assertEqual((invoke["kind"], outcome["kind"]), ("invoke", "fail"))
        self.assertEqual(outcome["data"]["status"], 401)

    def test_what_only_sounds_like_one_passes(self):
        for text in ("sk_test_live", "live_", "alive", "_live_", "k_live_", "desk live_show"):
            self.assertEqual(self.pay(None, [("amount", "1"), ("currency", "usd"),
                                             ("description", text)]).status, 200, text)


class CardNumbers(Secrets):
    def tearDown(self):
        self.assertNowhere(*CARDS)

    def refused(self, path, params):
        answer = self.pay("key", params, path)
        self.assertEqual(answer.status, 400)
        for number in CARDS:
            self.assertNotIn(number.encode(), answer.raw)

    def test_where_a_card_belongs(self):
        charge = [("amount", "100"), ("currency", "usd")]
        for number in CARDS:
            for name in ("source", "card", "payment_method", "source[number]", "card[number]"):
                self.refused("/v1/charges", charge + [(name, number)])
            for name in ("payment_method", "payment_method_data[card][number]",
                         "payment_method_data[card][token]"):
                self.refused("/v1/payment_intents", charge + [(name, number)])
        self.assertCharges(0)

    def test_where_no_card_belongs(self):
        for number in CARDS:
            for name in ("number", "nothing", number, f"x[{number}]",
                         "amount", "currency", "customer"):
                params = [("amount", "100"), ("currency", "usd"), (name, number)]
                answer = self.pay("key", params, "/v1/charges")
                self.assertEqual(answer.status, 400, name)
            self.assertEqual(self.pay("key", [("charge", number)], "/v1/refunds").status, 404)

    def test_the_security_code_is_not_kept_either(self):
        code = "90210777"
        self.pay(None, [("amount", "100"), ("currency", "usd"), ("source[number]", "4242424242424242"),
                        ("source[cvc]", code)], "/v1/charges")
        self.assertNowhere(code)

    def test_test_cards_pay_by_number(self):
        for number in ("4242424242424242", "4242 4242 4242 4242", "5555555555554444",
                       "378282246310005"):
            answer = self.pay(None, [("amount", "100"), ("currency", "usd"),
                                     ("source[number]", number)], "/v1/charges")
            card = self.json(answer)["payment_method_details"]["card"]
            self.assertEqual(card["last4"], number[-4:])


class FreeText(Secrets):
    """A description is the client's own text and given back as it came. The journal, which people
    pass around, has it without what looks like a card."""

    def test_the_journal_blanks_it(self):
        for text in CARDS + [f"paid with {CARD}", f"({CARDS[1]}) exp 12/30"]:
            made = self.json(self.pay(None, [("amount", "100"), ("currency", "usd"),
                                             ("description", text)]))
            self.assertEqual(made["description"], text)
            journal = json.dumps(self.psp.journal(self.account))
            for number in CARDS:
                self.assertNotIn(number, journal)

    def test_numbers_that_are_no_cards_stay(self):
        for text in ("order 20241130", "call 555 0100", "invoice 4111111111111112 is late"):
            self.pay(None, [("amount", "100"), ("currency", "usd"), ("description", text)])
            invoke = [entry for entry in self.psp.journal(self.account)
                      if entry["kind"] == "invoke"][-1]
            self.assertEqual(invoke["data"]["params"]["description"], text)


del Secrets  # has no tests of its own


if __name__ == "__main__":
    main()
