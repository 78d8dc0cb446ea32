"""stale: reads that do not see yet what has happened. By request, exactly what it made is hidden; by
read, what is younger than asked for."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, PspTest, main  # noqa: E402
from wire_case import once  # noqa: E402

INTENTS = "/v1/payment_intents"
WRITE = once("after_commit", "stale", ms="30s")


class Written(PspTest):
    """At after_commit of a write."""

    def hidden(self, path=INTENTS, params=None):
        """What a POST made that met the fault, as its answer has it."""
        self.psp.faults(WRITE, account=self.account)
        return json.loads(self.pay(params=params, path=path).body)

    def status(self, path):
        return self.get(path).status

    def ids(self, path):
        return [one["id"] for one in self.json(self.get(path))["data"]]

    def test_what_it_made_is_nowhere_and_appears_in_time(self):
        intent = self.hidden()
        self.assertEqual(intent["status"], "succeeded")
        charge = intent["latest_charge"]
        self.assertEqual(len(self.psp.charges(self.account)), 1)
        places = [f"{INTENTS}/{intent['id']}", f"/v1/charges/{charge}"]
        lists = [INTENTS, "/v1/charges", f"/v1/charges?payment_intent={intent['id']}",
                 "/v1/events", "/v1/balance_transactions",
                 INTENTS + "/search?query=status:'succeeded'"]
        self.assertEqual([self.status(path) for path in places], [404, 404])
        self.assertEqual([self.ids(path) for path in lists], [[]] * len(lists))
        self.psp.advance("29s")
        self.assertEqual([self.status(path) for path in places], [404, 404])
        self.psp.advance("1s")
        self.assertEqual([self.status(path) for path in places], [200, 200])
        self.assertNotIn([], [self.ids(path) for path in lists])

    def test_the_key_remembers_and_writes_go_on(self):
        self.psp.faults(WRITE, account=self.account)
        first = self.pay("key")
        self.assertReplay(self.pay("key"), first)
        charge = json.loads(first.body)["latest_charge"]
        refund = self.json(self.pay(path="/v1/refunds", params={"charge": charge}))
        self.assertEqual(refund["status"], "succeeded")
        self.assertEqual(self.status(f"/v1/refunds/{refund['id']}"), 200)

    def test_others_of_the_same_second_are_seen(self):
        """A page is as long as it was asked to be, and knows whether there is more."""
        old = self.json(self.pay())["id"]
        gone = self.hidden()["id"]
        new = [self.json(self.pay())["id"] for _ in range(2)]
        self.assertEqual(self.ids(INTENTS), [new[1], new[0], old])
        page = self.json(self.get(INTENTS + "?limit=3"))
        self.assertEqual((len(page["data"]), page["has_more"]), (3, False))
        page = self.json(self.get(INTENTS + "?limit=2"))
        self.assertEqual((len(page["data"]), page["has_more"]), (2, True))
        self.assertEqual(self.ids(INTENTS + f"?starting_after={new[0]}"), [old])
        self.assertNotEqual(gone, old)

    def test_what_it_changed_is_seen(self):
        intent = self.json(self.pay(params={"amount": 700, "currency": "usd"}))["id"]
        changed = self.hidden(f"{INTENTS}/{intent}/confirm", {"payment_method": "pm_card_visa"})
        self.assertEqual(changed["status"], "succeeded")
        self.assertEqual(self.json(self.get(f"{INTENTS}/{intent}"))["status"], "succeeded")
        self.assertEqual(self.status(f"/v1/charges/{changed['latest_charge']}"), 404)

    def test_every_kind_of_object(self):
        for path, params in (("/v1/customers", {"email": "a@b.c"}), ("/v1/charges", PAYMENT[:2]),
                             ("/v1/setup_intents", {}),
                             ("/v1/webhook_endpoints",
                              {"url": "http://127.0.0.1:1/", "enabled_events[]": "*"})):
            with self.subTest(path=path):
                made = self.hidden(path, params)["id"]
                self.assertEqual(self.status(f"{path}/{made}"), 404)
                self.assertNotIn(made, self.ids(path))
                self.psp.advance("30s")
                self.assertEqual(self.status(f"{path}/{made}"), 200)
                self.assertIn(made, self.ids(path))

    def test_the_plain_face(self):
        made = self.hidden("/payments", {"amount": 700, "currency": "EUR", "card": "tok_visa"})
        self.assertEqual(self.status(f"/payments/{made['id']}"), 404)
        self.assertEqual(self.ids("/payments"), [])
        self.psp.advance("30s")
        self.assertEqual(self.status(f"/payments/{made['id']}"), 200)

    def test_an_account_does_not_see_another_s(self):
        intent = self.hidden()
        other = self.account + "other"
        self.assertEqual(self.pay(account=other).status, 200)
        self.assertEqual(len(self.json(self.get(INTENTS, other))["data"]), 1)
        self.assertEqual(self.status(f"{INTENTS}/{intent['id']}"), 404)

    def test_a_write_that_made_nothing_hides_nothing(self):
        self.psp.faults(WRITE, account=self.account)
        self.assertEqual(self.pay(params={"amount": "x"}).status, 400)
        self.assertEqual(self.json(self.pay())["status"], "succeeded")


class Restart(PspTest):
    OPTIONS = ("--quiet", "--clock", "manual", "--db", "psp.db")

    def test_it_outlives_the_provider_but_no_reset(self):
        psp = Mockpsp(*self.OPTIONS)
        self.addCleanup(psp.clean)
        psp.faults(WRITE)
        made = json.loads(psp.ask("POST", INTENTS, "sk_test_1", PAYMENT).body)["id"]
        psp.kill()
        psp.restart()
        self.assertEqual(psp.ask("GET", f"{INTENTS}/{made}", "sk_test_1").status, 404)
        psp.control("POST", "reset")
        self.assertEqual(psp.ask("GET", INTENTS, "sk_test_1").status, 200)


class Read(PspTest):
    """At received of a read."""

    def asked(self, path):
        """The answer that meets the fault, and the next one."""
        self.psp.faults({"on": "GET *", "nth": 1, "at": "received",
                         "act": {"kind": "stale", "ms": "10s"}}, account=self.account)
        return self.get(path), self.get(path)

    def test_it_sees_what_was_there_so_long_ago(self):
        old = self.json(self.pay())["id"]
        self.psp.advance("11s")
        new = self.json(self.pay())["id"]
        stale, fresh = self.asked(f"{INTENTS}/{new}")
        self.assertEqual((stale.status, fresh.status), (404, 200))
        stale, _ = self.asked(f"{INTENTS}/{old}")
        self.assertEqual(stale.status, 200)
        for path in (INTENTS, INTENTS + "/search?query=status:'succeeded'"):
            stale, fresh = self.asked(path)
            self.assertEqual([one["id"] for one in self.json(stale)["data"]], [old])
            self.assertEqual(len(self.json(fresh)["data"]), 2)

    def test_a_write_is_no_read_and_does_not_count(self):
        self.psp.faults({"nth": 1, "at": "received", "act": {"kind": "stale", "ms": "10s"}},
                        account=self.account)
        made = self.json(self.pay())["id"]
        self.assertEqual(self.get(f"{INTENTS}/{made}").status, 404)
        shown = self.psp.control("GET", "faults", None, self.account)
        self.assertEqual(shown["struck"], [1])

    def test_faults_that_could_never_strike_are_refused(self):
        for on, at, word in (("POST *", "received", "stale at received is for reads"),
                             ("GET *", "after_commit", "a GET never comes to after_commit")):
            rules = json.dumps([{"on": on, "at": at, "act": {"kind": "stale", "ms": "10s"}}])
            answer = self.psp.ask("PUT", "/_mock/faults", self.account, rules)
            self.assertIn(word, self.error(answer, 400)["message"])


if __name__ == "__main__":
    main()
