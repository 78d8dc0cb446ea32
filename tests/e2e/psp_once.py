"""Once is once, however many come at the same moment: a fault that strikes the first request strikes
one, and a key that a hundred bring along charges one."""
import collections
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, PspTest, main  # noqa: E402
from raw_http import NoAnswer, request  # noqa: E402


class Crowd:
    """COUNT threads, each with a connection of its own that is opened anew when it has ended. Each
    call of `all_send` lets them send the same bytes at the same moment."""

    def __init__(self, psp, count):
        self.psp = psp
        self.barrier = threading.Barrier(count + 1)
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def _serve(self):
        connection = self.psp.connect()
        while True:
            self.barrier.wait()
            if self.data is None:
                connection.close()
                return
            try:
                seen = connection.ask(self.data)
            except NoAnswer as end:
                seen = end.how
                connection.close()
                connection = self.psp.connect()
            with self.lock:
                self.answers.append(seen)
            self.barrier.wait()

    def all_send(self, data):
        self.data, self.answers = data, []
        self.barrier.wait()
        self.barrier.wait()
        return self.answers

    def end(self):
        self.data = None
        self.barrier.wait()
        for thread in self.threads:
            thread.join()


def kinds(answers):
    """How many answers of each kind: fin, rst, first, replay, or the status of an error."""
    count = collections.Counter()
    for answer in answers:
        if isinstance(answer, str):
            count[answer] += 1
        elif answer.status != 200:
            count[answer.status] += 1
        else:
            count["replay" if answer.header("idempotent-replayed") else "first"] += 1
    return dict(count)


class Once(PspTest):
    def crowd(self, count):
        crowd = Crowd(self.psp, count)
        self.addCleanup(crowd.end)
        return crowd

    def payment(self, key=None):
        return request("POST", "/v1/payment_intents", self.account, PAYMENT, key)

    def test_a_fault_for_the_first_of_eight_strikes_one_two_hundred_times(self):
        crowd = self.crowd(8)
        for _ in range(200):
            self.psp.faults({"on": "POST *", "nth": 1, "at": "received", "act": {"kind": "drop"}},
                            account=self.account)
            self.assertEqual(kinds(crowd.all_send(self.payment())), {"fin": 1, "first": 7})
            shown = self.psp.control("GET", "faults", None, self.account)
            self.assertEqual(shown["struck"], [1])
        self.assertCharges(200 * 7)

    def test_the_third_attempt_of_an_order_is_one_as_well(self):
        crowd = self.crowd(8)
        self.psp.faults({"on": "POST *", "attempt": 3, "at": "after_commit",
                         "act": {"kind": "reset"}}, account=self.account)
        for order in range(50):
            data = request("POST", "/v1/payment_intents", self.account,
                           PAYMENT + [("metadata[order_id]", f"order {order}")])
            self.assertEqual(kinds(crowd.all_send(data)), {"rst": 1, "first": 7})

    def test_a_hundred_twins_charge_once(self):
        crowd = self.crowd(100)
        for round_number in range(5):
            seen = kinds(crowd.all_send(self.payment(f"key {round_number}")))
            self.assertEqual(seen, {"first": 1, "replay": 99})
            self.assertCharges(round_number + 1)

    def test_a_hundred_twins_of_one_that_waits_charge_once(self):
        crowd = self.crowd(100)
        for at in ("before_commit", "after_commit"):
            self.account += at
            self.psp.faults({"on": "POST *", "nth": 1, "at": at,
                             "act": {"kind": "delay", "ms": 100}}, account=self.account)
            seen = kinds(crowd.all_send(self.payment("key")))
            # Whoever comes while the first waits is told to come back, or gets its answer.
            self.assertEqual(seen.pop("first"), 1)
            self.assertEqual(sum(seen.values()), 99)
            self.assertLessEqual(set(seen), {409, "replay"} if at == "before_commit" else {"replay"})
            self.assertCharges(1)

    def test_a_hundred_twins_over_a_crowd_of_faults_charge_once(self):
        crowd = self.crowd(100)
        rules = [{"on": "POST *", "nth": 1 + i, "at": at, "act": act}
                 for i, (at, act) in enumerate([("before_commit", {"kind": "drop"}),
                                                ("before_commit", {"kind": "delay", "ms": 5}),
                                                ("before_commit", {"kind": "reset"}),
                                                ("after_commit", {"kind": "drop"}),
                                                ("received", {"kind": "delay", "ms": 5})])]
        for round_number in range(5):
            self.psp.faults(*rules, account=self.account)
            crowd.all_send(self.payment(f"key {round_number}"))
            answer = self.pay(f"key {round_number}")
            self.assertEqual(answer.header("idempotent-replayed"), "true")
            self.assertCharges(round_number + 1)


if __name__ == "__main__":
    main()
