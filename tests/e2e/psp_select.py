"""Which request a fault means, and how long it takes, through /_mock/faults and --faults: durations
that are drawn, chances, times, bursts. Everything follows --seed and the provider's clock, so
nothing here depends on luck."""
import json
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import Mockpsp, main, new_account  # noqa: E402
from raw_http import request  # noqa: E402

PAY = [("amount", "1000"), ("currency", "eur"), ("payment_method", "pm_card_visa"),
       ("confirm", "true")]


def new_folder(test):
    folder = tempfile.mkdtemp()
    test.addCleanup(shutil.rmtree, folder)
    return folder


class Provider(unittest.TestCase):
    def start(self, *options):
        psp = Mockpsp("--quiet", *options)
        self.addCleanup(psp.clean)
        return psp

    def struck(self, psp, account):
        """What the faults of the account's requests did, in order."""
        return [entry["data"]["act"] for entry in psp.journal(account) if entry["kind"] == "fault"]

    def pay_all(self, psp, account, orders):
        """The status of a payment for each of ORDERS, one after the other."""
        return [psp.ask("POST", "/v1/payment_intents", account,
                        PAY + [("metadata[order_id]", order)]).status for order in orders]


class Drawn(Provider):
    RULE = {"on": "POST *", "at": "received",
            "act": {"kind": "delay", "ms": {"spread": "uniform", "low": 0, "high": "40ms"}}}

    def drawn(self, seed, orders):
        """Which delay each order got."""
        psp, account = self.start("--seed", str(seed)), new_account()
        psp.faults(self.RULE, account=account)
        self.pay_all(psp, account, orders)
        return dict(zip(orders, self.struck(psp, account)))

    def test_the_seed_and_the_order_decide_and_not_who_comes_first(self):
        orders = [f"order {i}" for i in range(8)]
        first = self.drawn(1, orders)
        self.assertGreater(len(set(first.values())), 4, first)
        for act in first.values():
            self.assertRegex(act, r"^delay \d+ms$")
        self.assertEqual(first, self.drawn(1, orders[::-1]))
        self.assertNotEqual(first, self.drawn(2, orders))

    def test_a_script_draws_in_the_same_way(self):
        psp, account = self.start("--seed", "1"), new_account()
        path = os.path.join(new_folder(self), "slow.lua")
        with open(path, "w", encoding="utf-8") as file:
            file.write('return scenario { faults = { { on = "POST *", at = "received",\n'
                       'act = delay(uniform("0", "40ms")) } } }\n')
        scripted = self.start("--seed", "1", "--faults", path)
        psp.faults(self.RULE, account=account)
        for one in psp, scripted:
            self.pay_all(one, account, ["a", "b", "a"])
        self.assertEqual(self.struck(psp, account), self.struck(scripted, account))

    def test_what_is_put_in_place_can_be_read_back(self):
        psp, account = self.start(), new_account()
        psp.faults(self.RULE, account=account)
        shown = psp.control("GET", "faults", None, account)["faults"][0]["act"]
        self.assertEqual(shown, {"kind": "delay",
                                 "ms": {"spread": "uniform", "low": 0, "high": 40}})

    def test_a_profile_follows_the_provider_s_clock(self):
        psp, account = self.start("--clock", "manual"), new_account()
        psp.faults({"on": "POST *", "at": "received",
                    "act": {"kind": "delay", "ms": {"spread": "ramp", "from": 1, "to": "31ms",
                                                    "over": "30s"}}}, account=account)
        for _ in range(4):
            self.pay_all(psp, account, ["a"])
            psp.advance("10s")
        self.assertEqual(self.struck(psp, account),
                         ["delay 1ms", "delay 11ms", "delay 21ms", "delay 31ms"])


class Selected(Provider):
    """What a fault means, seen from outside: 503 where it strikes, 200 where it does not."""

    def statuses(self, psp, account, orders, **rule):
        psp.faults({"on": "POST *", "at": "received", **rule,
                    "act": {"kind": "respond", "status": 503}}, account=account)
        return self.pay_all(psp, account, orders)

    def test_a_chance_follows_the_seed_and_the_order(self):
        orders = [f"order {i}" for i in range(60)]

        def fate(seed, order_of_arrival):
            psp, account = self.start("--seed", str(seed)), new_account()
            return dict(zip(order_of_arrival,
                            self.statuses(psp, account, order_of_arrival, chance=0.5)))
        first = fate(1, orders)
        self.assertGreater(list(first.values()).count(503), 15)
        self.assertGreater(list(first.values()).count(200), 15)
        self.assertEqual(first, fate(1, orders[::-1]))
        self.assertNotEqual(first, fate(2, orders))

    def test_from_and_to_follow_the_provider_s_clock_from_where_the_fault_was_put(self):
        psp, account = self.start("--clock", "manual"), new_account()
        psp.advance("1h")
        seen = self.statuses(psp, account, ["a"], **{"from": "10s", "to": "20s"})
        for _ in range(3):
            psp.advance("9s")
            seen += self.pay_all(psp, account, ["a"])
        self.assertEqual(seen, [200, 200, 503, 200])

    def test_a_script_s_time_counts_from_the_start(self):
        file = os.path.join(new_folder(self), "storm.lua")
        with open(file, "w", encoding="utf-8") as script:
            script.write('return scenario { faults = {\n'
                         'storm { rate = 1, from = "1h", to = "2h", with = respond(503) } } }\n')
        psp, account = self.start("--clock", "manual", "--faults", file), new_account()
        seen = []
        for _ in range(3):
            seen += self.pay_all(psp, account, ["a"])
            psp.advance("1h")
        self.assertEqual(seen, [200, 503, 200])

    def test_bursts(self):
        psp, account = self.start(), new_account()
        seen = self.statuses(psp, account, ["a"] * 8, burst={"strikes": 1, "of": 4})
        self.assertEqual(seen, [503, 200, 200, 200] * 2)

    def test_nth_per_key_and_per_connection(self):
        psp, account = self.start(), new_account()
        rule = {"on": "POST *", "at": "received", "nth": 2, "act": {"kind": "respond",
                                                                    "status": 503}}
        psp.faults({**rule, "per": "key"}, account=account)
        seen = [psp.ask("POST", "/v1/payment_intents", account, PAY, key).status
                for key in ["k1", "k2", None, None, "k2", "k1", "k1"]]
        self.assertEqual(seen, [200, 200, 200, 200, 503, 503, 200])
        psp.faults({**rule, "per": "connection"}, account=account)
        data = request("POST", "/v1/payment_intents", account, PAY)
        for _ in range(2):
            connection = psp.connect()
            self.assertEqual([connection.ask(data).status for _ in range(3)], [200, 503, 200])
            connection.close()

    def test_lists_and_templates_of_routes(self):
        psp, account = self.start(), new_account()
        made = psp.ask("POST", "/v1/charges", account,
                       [("amount", "1000"), ("currency", "eur"), ("source", "tok_visa"),
                        ("capture", "false")])
        charge = json.loads(made.body)["id"]
        psp.faults({"on": ["POST /v1/charges/{id}/capture", "GET /v1/charges/{id}"],
                    "at": "received", "act": {"kind": "respond", "status": 503}}, account=account)
        asked = [("POST", f"/v1/charges/{charge}/capture", 503), ("GET", "/v1/charges", 200),
                 ("GET", f"/v1/charges/{charge}", 503), ("POST", f"/v1/charges/{charge}", 200),
                 ("GET", "/v1/charges/search?query=amount%3A1000", 200)]
        for method, path, status in asked:
            self.assertEqual(psp.ask(method, path, account).status, status, path)

    def test_armed_faults_have_chances_of_their_own(self):
        psp, account = self.start("--seed", "1"), new_account()
        seen = []
        for _ in range(40):
            psp.arm({"on": "POST *", "chance": 0.5, "at": "received",
                     "act": {"kind": "respond", "status": 503}}, account=account)
            seen += self.pay_all(psp, account, ["a"])
            psp.no_faults(account)
        self.assertGreater(seen.count(503), 8)
        self.assertGreater(seen.count(200), 8)

    def test_what_contradicts_itself_is_refused(self):
        psp, account = self.start(), new_account()
        for rules, words in [
                ([{"chance": 0}], "chance is a number above 0"),
                ([{"from": "2s", "to": "1s"}], "it ends (to = 1s) before it begins"),
                ([{"burst": {"strikes": 2, "of": 2}}], "of has to be above strikes"),
                ([{"nth": 1, "attempt": 2}], "number 1 of the run is never one"),
                ([{}, {"nth": 1}], "fault 2: fault 1 strikes every request"),
                ([{"chanse": 0.5}], "did you mean chance?")]:
            body = json.dumps([{"at": "received", "act": {"kind": "drop"}, **rule}
                               for rule in rules])
            answer = psp.ask("PUT", "/_mock/faults", account, body)
            self.assertEqual(answer.status, 400, rules)
            self.assertIn(words, json.loads(answer.body)["error"]["message"])


if __name__ == "__main__":
    main()
