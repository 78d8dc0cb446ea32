"""Which request a fault means, and how long it takes, through /_mock/faults and --faults: durations
that are drawn, chances, times, bursts. Everything follows --seed and the provider's clock, so
nothing here depends on luck."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import Mockpsp, main, new_account  # noqa: E402

PAY = [("amount", "1000"), ("currency", "eur"), ("payment_method", "pm_card_visa"),
       ("confirm", "true")]


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
        path = os.path.join(psp.home, "slow.lua")
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


if __name__ == "__main__":
    main()
