"""crash_psp at every failpoint, on a cold and on a warm connection."""
import os
import signal
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, main  # noqa: E402
from raw_http import request  # noqa: E402
from wire_case import once  # noqa: E402
from wire_table import FAILPOINTS, STANDS  # noqa: E402


class Crash(unittest.TestCase):
    """crash_psp is a real kill -9; what was committed is there when it is started again."""

    def crash(self, at, warm):
        """What the client saw, and the provider, started again."""
        psp = Mockpsp("--quiet", "--clock", "manual", "--db", "psp.db")
        self.addCleanup(psp.clean)
        with psp.connect() as connection:
            if warm:
                connection.ask(request("GET", "/v1/charges", "sk_test_1"))
            psp.faults(once(at, "crash_psp"))
            connection.send(request("POST", "/v1/payment_intents", "sk_test_1", PAYMENT, "key"))
            got, _ = connection.rest()
        self.assertEqual(psp.process.wait(), -signal.SIGKILL)
        psp.restart()
        return got, psp

    def test_at_every_failpoint(self):
        for at in FAILPOINTS:
            for warm in (False, True):
                with self.subTest(at=at, warm=warm):
                    got, psp = self.crash(at, warm)
                    stands = at in STANDS
                    self.assertEqual(len(psp.charges()), 1 if stands else 0)
                    again = psp.ask("POST", "/v1/payment_intents", "sk_test_1", PAYMENT, "key")
                    self.assertEqual(again.status, 200)
                    self.assertEqual(again.header("idempotent-replayed"),
                                     "true" if stands else None)
                    self.assertEqual(len(psp.charges()), 1)
                    # At responded the whole answer has left before the end; elsewhere not a byte.
                    self.assertEqual(got[-len(again.body):], again.body if at == "responded" else b"")
                    kinds = [entry["kind"] for entry in psp.journal() if entry["kind"] != "up"]
                    self.assertEqual(kinds[-1], "ok")
                    self.assertEqual("effect" in kinds[:kinds.index("fault")], stands)
                    self.assertEqual(psp.stop(), 0)


if __name__ == "__main__":
    main()
