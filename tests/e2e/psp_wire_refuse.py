"""refuse: for a while nothing listens, on any door where the API is served; then the same ones do."""
import os
import shutil
import socket
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, main, new_account, wait_until  # noqa: E402
from raw_http import Connection, request  # noqa: E402
from wire_case import once  # noqa: E402
from wire_table import STANDS, UNSENT  # noqa: E402


class Refuse(unittest.TestCase):
    """The control plane has a door of its own, and stays."""

    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="psp-refuse.")
        self.addCleanup(shutil.rmtree, self.home)
        self.path = os.path.join(self.home, "psp.sock")
        self.psp = Mockpsp("--quiet", "--control-port", "0", "--socket", self.path)
        self.addCleanup(self.psp.clean)
        self.api = self.psp.port
        self.psp.port = int(self.psp.process.stdout.readline().rsplit(":", 1)[1])
        self.account = new_account()

    def connect(self):
        connection = Connection(self.api)
        self.addCleanup(connection.close)
        return connection

    def listens(self):
        try:
            Connection(self.api).close()
        except ConnectionRefusedError:
            return False
        return True

    def socket_listens(self):
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(self.path)
            except (ConnectionRefusedError, FileNotFoundError):  # its name is removed, then made
                return False
        return True

    def struck(self, at, warm, ms):
        """What came of a payment that met the fault: bytes and end."""
        connection = self.connect()
        if warm:
            self.assertEqual(connection.ask(self.get()).status, 200)
        self.psp.faults(once(at, "refuse", ms=ms), account=self.account)
        connection.send(request("POST", "/v1/payment_intents", self.account, PAYMENT, "key"))
        return connection.rest()

    def get(self):
        return request("GET", "/v1/charges", self.account)

    def test_at_every_failpoint(self):
        for at in UNSENT:
            for warm in (False, True):
                with self.subTest(at=at, warm=warm):
                    self.account = new_account()
                    other = self.connect()
                    self.assertEqual(other.ask(self.get()).status, 200)
                    # Far longer than what is looked at here takes; the next one waits until it ends.
                    self.assertEqual(self.struck(at, warm, 400), (b"", "fin"))
                    stands = at in STANDS
                    self.assertEqual(len(self.psp.charges(self.account)), 1 if stands else 0)
                    self.assertEqual(other.ask(self.get()).status, 200)
                    wait_until(self.listens, "the port listens again")
                    retry = self.connect().ask(request("POST", "/v1/payment_intents", self.account,
                                                       PAYMENT, "key"))
                    self.assertEqual(retry.header("idempotent-replayed"),
                                     "true" if stands else None)
                    self.assertEqual(len(self.psp.charges(self.account)), 1)
                    ends = [entry["data"] for entry in self.psp.journal(self.account)
                            if entry["kind"] == "info"]
                    self.assertEqual(ends, [{"how": "closed"}])

    def test_nothing_listens(self):
        other = self.connect()
        self.assertEqual(other.ask(self.get()).status, 200)
        self.assertEqual(self.struck("received", False, "1h"), (b"", "fin"))
        for _ in range(3):
            self.assertFalse(self.listens())
            self.assertFalse(self.socket_listens())
        self.assertEqual(other.ask(self.get()).status, 200)
        self.assertEqual(self.psp.stop(), 0)
        self.assertFalse(os.path.exists(self.path))

    def test_every_door_listens_again(self):
        self.assertEqual(self.struck("received", False, 1), (b"", "fin"))
        wait_until(self.listens, "the port listens again")
        wait_until(self.socket_listens, "the socket listens again")
        self.assertEqual(self.connect().ask(self.get()).status, 200)
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(20)
            client.connect(self.path)
            client.sendall(self.get())
            self.assertIn(b"200 OK", client.recv(65536))

    def test_the_longer_one_counts(self):
        warm = self.connect()
        self.assertEqual(warm.ask(self.get()).status, 200)
        self.assertEqual(self.struck("received", False, "1h"), (b"", "fin"))
        self.psp.faults(once("received", "refuse", ms=1), account=self.account)
        warm.send(request("POST", "/v1/payment_intents", self.account, PAYMENT))
        self.assertEqual(warm.rest(), (b"", "fin"))
        self.psp.control("GET", "health")  # the loop has turned
        self.assertFalse(self.listens())


if __name__ == "__main__":
    main()
