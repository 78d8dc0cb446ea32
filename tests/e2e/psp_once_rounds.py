"""Once is once, in ten thousand rounds of eight requests that come at the same moment.

In every round eight connections send the same request, of a new order and with a new key. Four faults
that strike once each, one by each way to count, take four of them, and whoever is left gets one charge
and its replays. The provider is stopped while the eight are sent, so that all of them are there when
it looks; every other round it runs on, and finds them as they come."""
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, PspTest, main  # noqa: E402
from raw_http import request  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", "10000"))
TOGETHER = 8

# Each strikes one of the eight, and is told from the others by its status. Those that count for the
# run begin anew with every PUT.
ONCE = [({"attempt": 1}, 500), ({"nth": 2}, 501), ({"nth": 3, "per": "key"}, 502),
        ({"times": 1}, 503)]
RULES = [{"on": "POST *", "at": "received", **rule, "act": {"kind": "respond", "status": status}}
         for rule, status in ONCE]
EXPECTED = sorted([status for _, status in ONCE] + ["charged"] + ["replayed"] * 3, key=str)


def kind(answer):
    if answer.status != 200:
        return answer.status
    return "replayed" if answer.header("idempotent-replayed") else "charged"


class Rounds(PspTest):
    def round_of(self, connections, number):
        """What each of the eight got, in no order."""
        data = request("POST", "/v1/payment_intents", self.account,
                       PAYMENT + [("metadata[order_id]", f"order {number}")], f"key {number}")
        if number % 2 == 0:
            os.kill(self.psp.process.pid, signal.SIGSTOP)
        try:
            for connection in connections:
                connection.send(data)
        finally:
            os.kill(self.psp.process.pid, signal.SIGCONT)
        return sorted([kind(connection.answer()) for connection in connections], key=str)

    def test_once_is_once(self):
        connections = [self.psp.connect() for _ in range(TOGETHER)]
        for connection in connections:
            self.addCleanup(connection.close)
        for number in range(ROUNDS):
            self.psp.faults(*RULES, account=self.account)
            self.assertEqual(self.round_of(connections, number), EXPECTED, f"round {number}")
            if number % 500 == 0:
                shown = self.psp.control("GET", "faults", None, self.account)
                self.assertEqual(shown["struck"], [1] * len(ONCE))
        self.assertCharges(ROUNDS)


if __name__ == "__main__":
    main()
