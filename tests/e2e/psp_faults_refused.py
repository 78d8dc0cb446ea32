"""Faults that make no sense are refused with a sentence that says why, and change nothing."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PspTest, main  # noqa: E402
from wire_table import ACTIONS, FAILPOINTS, act  # noqa: E402


class Refused(PspTest):
    """What makes no sense is refused with a sentence that says why, and changes nothing."""

    def refused(self, body):
        answer = self.psp.ask("PUT", "/_mock/faults", self.account, body)
        return self.error(answer, 400)["message"]

    def test_every_pair_that_is_not_allowed(self):
        for kind, row in ACTIONS.items():
            for at in FAILPOINTS:
                rules = json.dumps([{"at": at, "act": act(kind)}])
                answer = self.psp.ask("PUT", "/_mock/faults", self.account, rules)
                if at in row.where and not row.needs_harness:
                    self.assertEqual(answer.status, 200, answer.body)
                elif row.needs_harness:
                    self.assertIn("only psp-harness", self.error(answer, 400)["message"])
                else:
                    self.assertIn(f"{kind} makes no sense at {at}",
                                  self.error(answer, 400)["message"])

    def test_wrong_words_are_named(self):
        good = {"at": "received", "act": {"kind": "drop"}}
        for change, word in [({"at": "commited"}, "commited"), ({"at": None}, "at is the name of one failpoint"),
                             ({"act": {"kind": "dorp"}}, "dorp"), ({"act": "drop"}, "drop()"),
                             ({"on": "POST"}, "on = "), ({"attempt": 0}, "attempt"),
                             ({"nth": 0}, "nth"), ({"when": 1}, "when"),
                             ({"act": {"kind": "drop", "ms": 5}}, "ms"),
                             ({"act": {"kind": "delay"}}, "delay"),
                             ({"act": {"kind": "delay", "ms": "soon"}}, "soon"),
                             ({"act": {"kind": "respond"}}, "status"),
                             ({"act": {"kind": "respond", "status": 100}}, "200 to 599"),
                             ({"act": {"kind": "respond", "status": 600}}, "200 to 599")]:
            with self.subTest(change=change):
                self.assertIn(word, self.refused(json.dumps([good, {**good, **change}])))
                self.assertIn("fault 2: ", self.refused(json.dumps([good, {**good, **change}])))

    def test_what_is_no_list_is_refused(self):
        for body in ("", "drop", "[", '{"faults":7}', '{"fault":[]}', '"drop"', "nil"):
            with self.subTest(body=body):
                self.assertTrue(self.refused(body))

    def test_a_refused_schedule_leaves_the_old_one_in_place(self):
        rule = {"on": "POST *", "at": "received", "act": {"kind": "respond", "status": 418}}
        self.psp.faults(rule, account=self.account)
        self.refused('[{"at":"nowhere","act":{"kind":"drop"}}]')
        self.assertEqual(self.pay().status, 418)
        shown = self.psp.control("GET", "faults", None, self.account)
        self.assertEqual((shown["faults"], shown["struck"]), ([rule], [1]))

    def test_faults_of_one_account_are_no_other_s(self):
        self.psp.faults(("received", "drop"), account=self.account)
        self.assertEqual(self.pay(account=self.account + "other").status, 200)
        self.psp.no_faults(self.account)
        self.assertEqual(self.pay().status, 200)


if __name__ == "__main__":
    main()
