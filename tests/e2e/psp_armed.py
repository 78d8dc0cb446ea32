"""POST /_mock/faults/next: faults that strike one request each, per account or for all, in front of
whatever else is in force."""
import json
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, PspTest, main, new_account, new_folder  # noqa: E402
from psp_once import Crowd, kinds  # noqa: E402
from raw_http import NoAnswer, request  # noqa: E402
from webhook_case import Hooked, at_webhook  # noqa: E402


def respond(status):
    return {"kind": "respond", "status": status}


class Armed(PspTest):
    def how(self, account=None, key=None, path="/v1/payment_intents"):
        """The status of a payment, or how its connection ended."""
        try:
            return self.pay(key, account=account or self.account, path=path).status
        except NoAnswer as end:
            return end.how

    def hows(self, count, account=None):
        return [self.how(account) for _ in range(count)]

    def arm(self, *rules):
        return self.psp.arm(*rules, account=self.account)

    def shown(self, account=None):
        return self.psp.control("GET", "faults", None, account or self.account)["next"]

    def refused(self, body):
        answer = self.psp.ask("POST", "/_mock/faults/next", self.account, body)
        self.assertEqual(answer.status, 400, answer.body)
        self.assertEqual(self.shown(), {"armed": [], "struck": 0})
        return json.loads(answer.body)["error"]["message"]


class Once(Armed):
    def test_it_strikes_one_request_and_is_gone(self):
        shown = self.psp.control("POST", "faults/next",
                                 '{"at":"after_commit","act":{"kind":"drop"}}', self.account)
        self.assertEqual(shown["faults"], None)
        self.assertEqual([rule["at"] for rule in shown["next"]["armed"]], ["after_commit"])
        self.assertEqual(self.hows(3), ["fin", 200, 200])
        self.assertEqual(self.shown(), {"armed": [], "struck": 1})
        self.assertCharges(3)

    def test_only_one_that_it_fits(self):
        self.arm({"on": "POST /v1/charges", "at": "received", "act": respond(503)})
        self.assertEqual(self.hows(2), [200, 200])
        self.assertEqual(self.shown()["struck"], 0)
        self.assertEqual(self.how(path="/v1/charges"), 503)
        self.assertEqual(self.shown(), {"armed": [], "struck": 1})

    def test_where_no_request_gets_it_waits(self):
        self.arm(("after_commit", "drop"))
        self.assertEqual(self.get("/v1/charges").status, 200)
        self.assertEqual(self.pay(params=[("amount", "no")]).status, 400)
        self.assertEqual(len(self.shown()["armed"]), 1)
        self.assertEqual(self.hows(2), ["fin", 200])

    def test_a_list_strikes_one_after_the_other(self):
        self.arm(("received", respond(500)), ("received", respond(502)))
        self.arm(("received", "reset"))
        self.assertEqual(self.hows(4), [500, 502, "rst", 200])
        self.assertEqual(self.shown(), {"armed": [], "struck": 3})

    def test_two_at_different_failpoints_strike_the_same_request(self):
        self.arm(("after_commit", "drop"), ("received", {"kind": "delay", "ms": 1}))
        self.assertEqual(self.hows(2), ["fin", 200])
        entries = [entry["data"]["at"] for entry in self.psp.journal(self.account)
                   if entry["kind"] == "fault"]
        self.assertEqual(entries, ["received", "after_commit"])

    def test_one_of_several_actions_does_them_all_to_one_request(self):
        self.psp.faults(("received", respond(500)), account=self.account)
        self.arm({"at": "received", "act": [{"kind": "delay", "ms": 1}, {"kind": "drop"}]})
        self.assertEqual(self.hows(2), ["fin", 500])
        self.assertEqual(self.shown(), {"armed": [], "struck": 1})
        self.psp.faults(account=self.account)
        self.arm({"on": "POST *", "at": "after_commit",
                  "act": [{"kind": "delay", "ms": 1}, respond(503)]})
        self.assertEqual(self.hows(2), [503, 200])

    def test_nth_and_attempt_count_from_when_it_was_armed(self):
        self.assertEqual(self.how(), 200)
        self.arm({"on": "POST *", "nth": 2, "at": "received", "act": respond(503)})
        self.assertEqual(self.hows(4), [200, 503, 200, 200])

    def test_pass_keeps_one_request_from_the_schedule(self):
        self.psp.faults(("received", respond(503)), account=self.account)
        self.arm(("received", "pass"))
        self.assertEqual(self.hows(2), [200, 503])

    def test_a_hang_strikes_once_and_others_go_on(self):
        self.arm(("received", "hang"))
        with self.psp.connect() as hanging:
            hanging.send(request("POST", "/v1/payment_intents", self.account, PAYMENT))
            self.psp.wait_for_fault(self.account, "received")
            self.assertEqual(self.hows(2), [200, 200])
            self.assertTrue(hanging.silent())


class Crowded(Armed):
    def crowd(self, count):
        crowd = Crowd(self.psp, count)
        self.addCleanup(crowd.end)
        return crowd

    def test_of_eight_at_once_it_strikes_one_three_hundred_times(self):
        crowd = self.crowd(8)
        for number in range(1, 301):
            at = ("received", "before_commit", "after_commit", "responding")[number % 4]
            self.arm((at, "reset"))
            data = request("POST", "/v1/payment_intents", self.account, PAYMENT)
            self.assertEqual(kinds(crowd.all_send(data)), {"rst": 1, "first": 7})
            self.assertEqual(self.shown(), {"armed": [], "struck": number})

    def test_three_strike_three_of_eight(self):
        crowd = self.crowd(8)
        for number in range(1, 51):
            self.arm(*[("received", "drop")] * 3)
            data = request("POST", "/v1/payment_intents", self.account, PAYMENT)
            self.assertEqual(kinds(crowd.all_send(data)), {"fin": 3, "first": 5})
            self.assertEqual(self.shown(), {"armed": [], "struck": number * 3})

    def test_eight_that_arm_and_pay_for_themselves_do_not_disturb_each_other(self):
        wrong = []

        def work(account, status):
            for _ in range(60):
                self.psp.arm(("received", respond(status)), account=account)
                seen = self.hows(2, account)
                if seen != [status, 200]:
                    wrong.append((account, seen))

        threads = [threading.Thread(target=work, args=(new_account(), 500 + i)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_what_waits_is_struck_once_although_many_wait(self):
        self.psp.faults(("received", {"kind": "delay", "ms": 100}), account=self.account)
        self.arm(("after_commit", "drop"))
        crowd = self.crowd(8)
        data = request("POST", "/v1/payment_intents", self.account, PAYMENT)
        self.assertEqual(kinds(crowd.all_send(data)), {"fin": 1, "first": 7})


class Others(Armed):
    def test_one_account_s_is_nothing_to_another(self):
        other = new_account()
        self.arm(("received", respond(503)))
        self.assertEqual(self.hows(3, other), [200] * 3)
        self.assertEqual(self.shown(other), {"armed": [], "struck": 0})
        self.psp.no_faults(other)
        self.assertEqual(self.hows(2), [503, 200])

    def test_it_goes_before_the_schedule_which_counts_all_the_same(self):
        self.psp.faults({"on": "POST *", "nth": 2, "at": "received", "act": respond(502)},
                        {"on": "POST *", "nth": 1, "at": "responding", "act": respond(504)},
                        account=self.account)
        self.arm(("received", {"kind": "delay", "ms": 1}))
        self.assertEqual(self.hows(3), [504, 502, 200])
        self.assertEqual(self.psp.control("GET", "faults", None, self.account)["struck"], [1, 1])

    def test_it_does_not_come_between_the_actions_of_a_schedule(self):
        several = [{"kind": "delay", "ms": 1}, {"kind": "delay", "ms": 1}, respond(502)]
        for at in ("received", "before_commit", "responding"):
            self.psp.faults({"on": "POST *", "nth": 1, "at": at, "act": several},
                            account=self.account)
            self.arm({"on": "POST *", "nth": 2, "at": at, "act": respond(503)})
            self.assertEqual(self.hows(3), [502, 503, 200])

    def test_delete_disarms_and_put_does_not(self):
        self.arm(("received", respond(503)))
        self.psp.faults(("received", respond(502)), account=self.account)
        self.assertEqual(self.hows(2), [503, 502])
        self.arm(("received", respond(503)))
        self.psp.no_faults(self.account)
        self.assertEqual(self.how(), 200)
        self.assertEqual(self.shown(), {"armed": [], "struck": 0})

    def test_a_reset_disarms(self):
        self.arm(("received", respond(503)))
        self.psp.control("POST", "reset", None, self.account)
        self.assertEqual(self.how(), 200)

    def test_one_that_was_disarmed_does_not_strike_who_came_before(self):
        for ms in (150, 600, 2400, 9600):
            self.account = new_account()
            self.psp.faults(("received", {"kind": "delay", "ms": ms}), account=self.account)
            self.arm(("after_commit", "drop"))
            with self.psp.connect() as waiting:
                waiting.send(request("POST", "/v1/payment_intents", self.account, PAYMENT))
                self.psp.wait_for_fault(self.account, "received")
                self.psp.no_faults(self.account)
                if self._ended():
                    continue  # before it was disarmed, for the machine is busy
                self.assertEqual(waiting.answer().status, 200)
                return
        self.fail("no delay was long enough")

    def test_one_that_is_armed_meanwhile_strikes_who_comes_after(self):
        def arm():
            self.psp.faults(account=self.account)
            self.arm(("after_commit", "drop"))
        self.assertEqual(self.while_it_waits("received", arm).status, 200)
        self.assertEqual(self.hows(2), ["fin", 200])


class ForAll(Armed):
    """Without an account it strikes whoever comes, so these have a provider of their own."""

    def setUp(self):
        super().setUp()
        home = new_folder()
        with open(os.path.join(home, "faults.lua"), "w", encoding="utf-8") as file:
            file.write('return scenario { faults = {\n'
                       '{ on = "POST *", attempt = 2, at = "received", act = respond(502) } } }')
        self.shared, self.psp = self.psp, Mockpsp("--faults", "faults.lua", home=home)
        self.addCleanup(self.psp.clean)

    def test_it_strikes_one_whoever_it_is(self):
        others = [new_account() for _ in range(3)]
        self.psp.arm(("received", respond(503)))
        self.assertEqual([self.how(account) for account in others], [503, 200, 200])
        shown = self.psp.control("GET", "faults")["next"]
        self.assertEqual(shown, {"armed": [], "struck": 1})

    def test_one_s_own_goes_first(self):
        self.psp.arm(("received", respond(503)))
        self.arm(("received", respond(500)))
        self.assertEqual(self.hows(3), [500, 503, 200])

    def test_the_script_counts_what_it_did_not_strike(self):
        self.arm(("received", "drop"))
        self.assertEqual(self.hows(3), ["fin", 502, 200])

    def test_many_at_once_of_many_accounts_are_struck_once(self):
        accounts = [new_account() for _ in range(8)]
        for _ in range(100):
            self.psp.arm({"on": "GET *", "at": "responding", "act": {"kind": "drop"}})
            connections = [self.psp.connect() for _ in accounts]
            for connection, account in zip(connections, accounts):
                connection.send(request("GET", "/v1/charges", account))
            seen = []
            for connection in connections:
                try:
                    seen.append(str(connection.answer().status))
                except NoAnswer as end:
                    seen.append(end.how)
                connection.close()
            self.assertEqual(sorted(seen), ["200"] * 7 + ["fin"])


class Webhooks(Hooked):
    def test_one_webhook_is_struck_and_the_requests_are_not(self):
        self.listen("charge.succeeded")
        shown = self.psp.arm(at_webhook("charge.succeeded", "lose"), account=self.account)
        self.assertEqual(len(shown["next"]["armed"]), 1)
        self.json(self.pay())
        self.wait_for("lost")
        self.json(self.pay())
        self.wait_for("delivered")
        self.assertEqual(len(self.faults()), 1)
        shown = self.psp.control("GET", "faults", None, self.account)
        self.assertEqual(shown["next"], {"armed": [], "struck": 1})


class Wrong(Armed):
    def test_the_sentence_says_which_word(self):
        for body, sentence in [
                (None, "Send a fault"), ("amount=1", "Send a fault"), ("[]", "An empty list"),
                ('{"at":"recieved","act":{"kind":"drop"}}', "'recieved' is no failpoint"),
                ('{"kind":"drop"}', ""), ("{}", ""), ("[1]", "fault 1: "),
                ('{"faults":7}', "faults is a list"),
                ('[{"at":"received","act":{"kind":"drop"}},{"at":"received","act":{}}]', "fault 2: "),
                ('{"at":"received","act":{"kind":"truncate","bytes":1}}', "truncate"),
                ('{"at":"received","act":{"kind":"crash_client"}}', "only psp-harness"),
                ('{"at":"received","times":3,"act":{"kind":"drop"}}', "strikes once")]:
            with self.subTest(body=body):
                self.assertIn(sentence, self.refused(body))

    def test_a_thousand_are_the_most(self):
        self.arm(*[("received", "drop")] * 999)
        answer = self.psp.ask("POST", "/_mock/faults/next", self.account,
                              json.dumps([{"at": "received", "act": {"kind": "drop"}}] * 2))
        self.assertEqual(answer.status, 400)
        self.assertIn(b"999 faults are armed already", answer.body)
        self.arm(("received", "drop"))
        self.assertEqual(len(self.shown()["armed"]), 1000)

    def test_only_post(self):
        for method in ("GET", "PUT", "DELETE"):
            answer = self.psp.ask(method, "/_mock/faults/next", self.account)
            self.assertEqual(answer.status, 405)
            self.assertEqual(answer.header("allow"), "POST")
            self.assertIn(b"This call takes POST: ", answer.body)


if __name__ == "__main__":
    main()
