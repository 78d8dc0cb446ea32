"""The control plane: clock, journal, ledger, faults and reset, for one account or for all, and what of it
outlives a restart."""
import json
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, PspTest, main, new_account, wait_until  # noqa: E402
from raw_http import request  # noqa: E402

START = 1767225600000  # 2026-01-01T00:00:00Z


class Clock(unittest.TestCase):
    def start(self, kind):
        psp = Mockpsp("--quiet", "--db", "psp.db", "--clock", kind)
        self.addCleanup(psp.clean)
        return psp

    def now(self, psp):
        return psp.control("GET", "clock")["now_ms"]

    def test_a_manual_clock_stands_still_until_it_is_moved(self):
        psp = self.start("manual")
        shown = psp.control("GET", "clock")
        self.assertEqual(shown, {"mode": "manual", "now_ms": START, "now": "2026-01-01T00:00:00Z"})
        self.assertEqual(psp.advance("25h"), START + 90_000_000)
        self.assertEqual(psp.advance("1ms"), START + 90_000_001)
        self.assertEqual(psp.advance("0"), START + 90_000_001)
        for end in (psp.stop, psp.kill):
            end()
            psp.restart()
            self.assertEqual(self.now(psp), START + 90_000_001)

    def test_a_real_clock_keeps_what_was_added(self):
        psp = self.start("real")
        day = 86_400_000
        before = time.time() * 1000
        self.assertGreaterEqual(self.now(psp), before - 1)
        psp.advance("10d")
        self.assertGreaterEqual(self.now(psp), before + 10 * day - 1)
        psp.kill()
        psp.restart()
        self.assertGreaterEqual(self.now(psp), before + 10 * day - 1)
        self.assertLess(self.now(psp), before + 11 * day)

    def test_objects_are_dated_by_it(self):
        psp = self.start("manual")
        for _ in range(2):
            answer = psp.ask("POST", "/v1/charges", "sk_test_1", "amount=1&currency=usd")
            self.assertEqual(json.loads(answer.body)["created"], self.now(psp) // 1000)
            psp.advance("3d")

    def test_an_advance_is_in_the_journal(self):
        psp = self.start("manual")
        psp.advance("2s")
        entry = psp.journal()[-1]
        self.assertEqual((entry["kind"], entry["data"]),
                         ("clock", {"advanced": 2000, "now": START + 2000}))

    def test_what_is_no_way_forward_is_refused(self):
        psp = self.start("manual")
        for body in ("", "advance=", "advance=25", "advance=-1h", "advance=soon", "advance=101y",
                     "advance=1e3s", '{"advance":7}', '{"advance":"1 h"}', "back=1h", "{"):
            answer = psp.ask("POST", "/_mock/clock", None, body)
            self.assertEqual(answer.status, 400, body)
        for _ in range(200):
            if psp.ask("POST", "/_mock/clock", None, "advance=36500d").status == 400:
                break
        else:
            self.fail("it went past the year 9999")
        self.assertLess(self.now(psp), 253402300800000)
        self.assertEqual(psp.ask("GET", "/_mock/clock").status, 200)

    def test_json_and_query_say_it_as_well(self):
        psp = self.start("manual")
        self.assertEqual(psp.ask("POST", "/_mock/clock", None, '{"advance":"1h"}').status, 200)
        self.assertEqual(psp.ask("POST", "/_mock/clock?advance=1h").status, 200)
        self.assertEqual(self.now(psp), START + 7_200_000)


class Journal(PspTest):
    def test_one_payment(self):
        answer = self.pay("key", PAYMENT + [("metadata[order_id]", "order 7")])
        intent = self.json(answer)
        invoke, effect, outcome = self.psp.journal(self.account)
        self.assertEqual([one["kind"] for one in (invoke, effect, outcome)],
                         ["invoke", "effect", "ok"])
        self.assertEqual({one["order"] for one in (invoke, effect, outcome)}, {"order 7"})
        self.assertEqual(len({one["request"] for one in (invoke, effect, outcome)}), 1)
        data = invoke["data"]
        self.assertEqual((data["method"], data["path"], data["route"], data["key"]),
                         ("POST", "/v1/payment_intents", "POST /v1/payment_intents", "key"))
        self.assertEqual((data["amount"], data["currency"], data["order"], data["account"]),
                         (2000, "usd", "order 7", self.account))
        self.assertEqual(data["request_id"], answer.header("request-id"))
        self.assertEqual(effect["data"], {"object": "charge", "id": intent["latest_charge"],
                                          "amount": 2000, "currency": "usd",
                                          "payment_intent": intent["id"]})
        self.assertEqual(outcome["data"], {"status": 200, "replayed": False, "id": intent["id"]})

    def test_a_replay_and_a_decline_have_no_effect(self):
        self.pay("key")
        self.pay("key")
        self.pay(None, "amount=1&currency=usd&confirm=true&payment_method=pm_card_chargeDeclined")
        entries = self.psp.journal(self.account)
        self.assertEqual([entry["kind"] for entry in entries],
                         ["invoke", "effect", "ok", "invoke", "ok", "invoke", "fail"])
        self.assertTrue(entries[4]["data"]["replayed"])
        failed = entries[6]["data"]
        self.assertEqual((failed["status"], failed["code"], failed["decline_code"]),
                         (402, "card_declined", "generic_decline"))

    def test_a_refund_is_an_effect(self):
        charge = self.json(self.pay(None, "amount=100&currency=usd", "/v1/charges"))["id"]
        refund = self.json(self.pay(None, f"charge={charge}&amount=30", "/v1/refunds"))["id"]
        effect = [entry for entry in self.psp.journal(self.account) if entry["kind"] == "effect"][1]
        self.assertEqual(effect["data"], {"object": "refund", "id": refund, "amount": 30,
                                          "currency": "usd", "charge": charge})

    def test_reading_in_pieces(self):
        for _ in range(7):
            self.get("/v1/charges")
        everything = self.psp.journal(self.account)
        pieces, after = [], 0
        while True:
            piece = self.psp.control("GET", f"journal?after={after}&limit=3", None, self.account)
            pieces += piece["entries"]
            after = piece["last"]
            if piece["complete"]:
                break
        self.assertEqual(pieces, everything)
        self.assertEqual(len(everything), 14)

    def test_wrong_numbers(self):
        for query in ("after=x", "after=-1", "limit=10001", "limit=x", "after=1.5", "limit=",
                      "after=99999999999999999999"):
            self.assertEqual(self.psp.ask("GET", "/_mock/journal?" + query).status, 400, query)

    def test_fingerprints_say_which_requests_are_the_same(self):
        self.pay("a", "amount=1&currency=usd")
        self.pay("b", "currency=usd&amount=1")
        self.pay("c", "currency=usd&amount=2")
        first, second, third = [entry["data"]["fingerprint"]
                                for entry in self.psp.journal(self.account)
                                if entry["kind"] == "invoke"]
        self.assertEqual(first, second)
        self.assertNotEqual(first, third)


class Plane(PspTest):
    def test_health(self):
        health = self.psp.control("GET", "health")
        self.assertEqual(health["status"], "ok")
        self.assertRegex(health["version"], r"^\d+\.\d+\.\d+$")

    def test_what_it_does_not_have(self):
        for method, path, status in (("GET", "/_mock", 404),
                                     ("GET", "/_mock/nothing", 404), ("DELETE", "/_mock/clock", 405),
                                     ("GET", "/_mock/reset", 405), ("POST", "/_mock/ledger", 405)):
            self.assertEqual(self.psp.ask(method, path).status, status, path)
        self.assertEqual(self.psp.ask("PATCH", "/_mock/faults").header("allow"), "GET, PUT, DELETE")

    def test_it_does_not_show_up_in_the_journal(self):
        before = self.psp.journal()
        for path in ("health", "clock", "faults", "ledger", "journal"):
            self.psp.control("GET", path)
        self.assertEqual(self.psp.journal(), before)

    def test_ledger_of_one_account_and_of_all(self):
        other = new_account()
        self.pay()
        self.pay(account=other)
        self.pay(account=other)
        self.assertCharges(1)
        self.assertCharges(2, other)
        accounts = [charge["account"] for charge in self.psp.charges()]
        self.assertEqual((accounts.count(self.account), accounts.count(other)), (1, 2))

    def test_basic_names_the_account_as_well(self):
        import base64
        self.pay()
        basic = "Basic " + base64.b64encode((self.account + ":").encode()).decode()
        with self.psp.connect() as connection:
            answer = connection.ask(request("GET", "/_mock/ledger", None,
                                            headers=[("Authorization", basic)]), "GET")
        self.assertEqual(len(json.loads(answer.body)["charges"]), 1)


class Reset(PspTest):
    def reset(self, account):
        self.assertEqual(self.psp.control("POST", "reset", None, account), {"reset": True})

    def test_one_account(self):
        other = new_account()
        first = self.pay("key")
        kept = self.pay("key", account=other)
        self.psp.faults(("received", "drop"), account=self.account)
        now = self.psp.advance("1h")
        self.reset(self.account)
        self.assertEqual(self.psp.ledger(self.account)["charges"], [])
        self.assertEqual(self.psp.journal(self.account), [])
        self.assertEqual(self.json(self.get("/v1/payment_intents"))["data"], [])
        again = self.pay("key")
        self.assertFirst(again)
        self.assertNotEqual(again.body, first.body)
        self.assertReplay(self.pay("key", account=other), kept)
        self.assertEqual(self.psp.control("GET", "clock")["now_ms"], now)

    def test_everything(self):
        psp = Mockpsp("--quiet", "--clock", "manual", "--db", "psp.db")
        self.addCleanup(psp.clean)
        seen = set()
        for _ in range(3):
            answer = psp.ask("POST", "/v1/payment_intents", "sk_test_1", PAYMENT, "key")
            self.assertFirst(answer)
            seen |= {answer.header("request-id"), json.loads(answer.body)["id"]}
            psp.faults(("received", "drop"))
            psp.control("POST", "reset")
            self.assertEqual(psp.ledger()["charges"], [])
            self.assertEqual(psp.journal(), [])
            psp.kill()
            psp.restart()
        self.assertEqual(len(seen), 6)  # ids do not come again

    def test_while_requests_are_under_way(self):
        for ms in (300, 1200, 4800):  # a longer one when the machine is busy
            self.account = new_account()
            charge = self.json(self.pay(None, "amount=100&currency=usd", "/v1/charges"))["id"]
            intent, other = [self.json(self.pay(None, "amount=100&currency=usd"))["id"]
                             for _ in range(2)]
            customer = self.json(self.pay(None, "", "/v1/customers"))["id"]
            posts = [("/v1/refunds", f"charge={charge}", 404),
                     (f"/v1/payment_intents/{intent}/confirm", "payment_method=pm_card_visa", 404),
                     (f"/v1/payment_intents/{other}/cancel", "", 404),
                     ("/v1/charges", f"amount=7&currency=usd&customer={customer}", 200),
                     ("/v1/payment_intents", PAYMENT, 200)]
            self.psp.faults(("before_commit", {"kind": "delay", "ms": ms}), account=self.account)
            lines = [self.sent(path, params, f"key {number}")
                     for number, (path, params, _) in enumerate(posts)]
            wait_until(lambda: self.waiting() == len(posts), "all of them wait")
            self.reset(self.account)
            if all(line.silent() for line in lines):
                break
        else:
            self.fail("no delay was long enough")
        self.assertEqual([line.answer().status for line in lines], [post[2] for post in posts])
        shown = self.json(self.get("/v1/charges?expand[]=data.customer"))["data"]
        self.assertEqual([charge["customer"] for charge in shown], [None, customer])
        self.assertCharges(2)

    def sent(self, path, params, key):
        line = self.psp.connect()
        self.addCleanup(line.close)
        return line.send(request("POST", path, self.account, params, key))

    def waiting(self):
        return len([one for one in self.psp.journal(self.account) if one["kind"] == "fault"])


if __name__ == "__main__":
    main()
