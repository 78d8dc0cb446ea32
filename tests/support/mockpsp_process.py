"""A mockpsp of one's own: started on a free port, asked through its control plane, stopped by its
process id. PspTest is the test case that has one."""
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import raw_http

MOCKPSP = os.environ["MOCKPSP"]
_accounts = itertools.count(1)


def wait_until(condition, what):
    """Looks again and again until CONDITION() is true, and returns what it was."""
    deadline = time.monotonic() + raw_http.PATIENCE
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.002)
    raise AssertionError(f"never happened: {what}")


def new_account():
    return f"sk_test_e2e{os.getpid()}x{next(_accounts)}"


def new_folder():
    """A folder of one's own, in memory where that can be had: what a kill leaves behind is the same
    there, and hundreds of commits on a busy disk take longer than all the rest."""
    shared = "/dev/shm"
    return tempfile.mkdtemp(prefix="psp-e2e.", dir=shared if os.access(shared, os.W_OK) else None)


class Mockpsp:
    """One provider. OPTIONS are command-line options; port and port file are given. It runs in a
    directory of its own, HOME or a new one, where relative names of files lead."""

    def __init__(self, *options, home=None, env=None, preexec=None, must_start=True):
        self.home = new_folder() if home is None else home
        self.own_home = home is None
        self.options = options
        self.env = env
        self.preexec = preexec
        self.port = None
        self.start(must_start)

    def start(self, must_start=True):
        self.port_file = os.path.join(self.home, "port")
        self.err_file = open(os.path.join(self.home, "err"), "a+", encoding="utf-8")
        self.process = subprocess.Popen(
            [MOCKPSP, "--port", "0", "--port-file", self.port_file, *self.options],
            cwd=self.home, stdout=subprocess.PIPE, stderr=self.err_file, text=True, env=self.env,
            preexec_fn=self.preexec)
        self.ready = self.process.stdout.readline()
        if self.ready.startswith("mockpsp listening on http://"):
            self.port = int(self.ready.rsplit(":", 1)[1])
        elif must_start:
            self.process.wait()
            raise AssertionError(f"mockpsp did not start: {self.stderr()}")

    def stderr(self):
        self.err_file.seek(0)
        return self.err_file.read()

    def _gone(self):
        status = self.process.wait(raw_http.PATIENCE)
        self.process.stdout.close()
        return status

    def stop(self):
        """Asks it to end, as a supervisor would; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self._gone()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        return self._gone()

    def restart(self):
        """After kill or stop: the same command again, on another port."""
        self.process.stdout.close()
        self.err_file.close()
        self.start()

    def clean(self):
        """Ends it, if it still runs, and removes what it left."""
        if self.process.poll() is None:
            self.kill()
        self.process.stdout.close()
        self.err_file.close()
        if self.own_home:
            shutil.rmtree(self.home, ignore_errors=True)

    # --- talking to it ----------------------------------------------------------------------------

    def connect(self):
        return raw_http.Connection(self.port)

    def ask(self, method, path, account=None, body=None, key=None, headers=()):
        """One request on a connection of its own."""
        with self.connect() as connection:
            data = raw_http.request(method, path, account, body, key, headers)
            return connection.ask(data, method)

    def control(self, method, path, body=None, account=None):
        """A call of the control plane that must work; its JSON."""
        answer = self.ask(method, "/_mock/" + path, account, body)
        if answer.status != 200:
            raise AssertionError(f"/_mock/{path}: {answer.status} {answer.body!r}")
        return json.loads(answer.body)

    def faults(self, *rules, account=None):
        """Puts RULES in place: (at, act) or dicts. An act is a kind, or a dict."""
        return self.control("PUT", "faults", json.dumps([_rule(rule) for rule in rules]), account)

    def arm(self, *rules, account=None):
        """The same, each for one request only."""
        return self.control("POST", "faults/next", json.dumps([_rule(rule) for rule in rules]),
                            account)

    def no_faults(self, account=None):
        return self.control("DELETE", "faults", None, account)

    def ledger(self, account=None):
        return self.control("GET", "ledger", None, account)

    def charges(self, account=None):
        """The charges that moved money. The books are audited on the way."""
        books = self.ledger(account)
        if books["audit"]["wrong"] != 0:
            raise AssertionError(f"the books are wrong: {books}")
        return [charge for charge in books["charges"] if charge["status"] == "succeeded"]

    def journal(self, account=None, after=0):
        return self.control("GET", f"journal?after={after}", None, account)["entries"]

    def advance(self, duration):
        return self.control("POST", "clock", {"advance": duration})["now_ms"]

    def wait_for_fault(self, account, at):
        """Until the journal says that a fault has struck there."""
        wait_until(lambda: [entry for entry in self.journal(account)
                            if entry["kind"] == "fault" and entry["data"]["at"] == at],
                   f"a fault at {at}")


def _rule(rule):
    if isinstance(rule, dict):
        return rule
    at, act = rule
    return {"on": "POST *", "at": at, "act": {"kind": act} if isinstance(act, str) else act}


PAYMENT = [("amount", "2000"), ("currency", "usd"), ("payment_method", "pm_card_visa"),
           ("confirm", "true")]


class PspTest(unittest.TestCase):
    """Tests that share one provider, each with an account of its own."""

    OPTIONS = ("--quiet", "--clock", "manual")

    @classmethod
    def setUpClass(cls):
        cls.psp = Mockpsp(*cls.OPTIONS)

    @classmethod
    def tearDownClass(cls):
        status = cls.psp.stop()
        said = cls.psp.stderr()
        cls.psp.clean()
        if status != 0:
            raise AssertionError(f"mockpsp ended with {status}: {said}")

    def setUp(self):
        self.account = new_account()

    def pay(self, key=None, params=None, path="/v1/payment_intents", account=None, headers=()):
        return self.psp.ask("POST", path, account or self.account,
                            PAYMENT if params is None else params, key, headers)

    def get(self, path, account=None, headers=()):
        return self.psp.ask("GET", path, account or self.account, None, None, headers)

    def while_it_waits(self, at, check, key="key", gone=False):
        """Holds a payment at AT by a delay, calls CHECK meanwhile, and returns its answer (None when
        the client has GONE right away). Should the delay end before CHECK does, because the machine
        is busy, all begins anew with a longer one and another account."""
        for ms in (150, 600, 2400, 9600):
            self.account = new_account()
            act = {"kind": "delay", "ms": ms}
            self.psp.faults({"on": "POST *", "nth": 1, "at": at, "act": act}, account=self.account)
            with self.psp.connect() as connection:
                connection.send(raw_http.request("POST", "/v1/payment_intents", self.account, PAYMENT,
                                                 key))
                self.psp.wait_for_fault(self.account, at)
                if gone:
                    connection.close()
                failed = self._failure_of(check)
                if self._ended():
                    continue
                if failed:
                    raise failed
                return None if gone else connection.answer()
        return self.fail("no delay was long enough")

    @staticmethod
    def _failure_of(check):
        try:
            check()
        except AssertionError as failed:
            return failed
        return None

    def _ended(self):
        """Whether the first request of the account has come to its end."""
        entries = self.psp.journal(self.account)
        first = next(entry["request"] for entry in entries if entry["kind"] == "invoke")
        return any(entry["request"] == first and entry["kind"] in ("ok", "fail", "info")
                   for entry in entries)

    def json(self, answer, status=200):
        self.assertEqual(answer.status, status, answer.body)
        return json.loads(answer.body)

    def error(self, answer, status):
        return self.json(answer, status)["error"]

    def assertReplay(self, answer, first):
        """That ANSWER repeats FIRST byte for byte and says so."""
        self.assertEqual(answer.header("idempotent-replayed"), "true")
        self.assertEqual((answer.status, answer.body), (first.status, first.body))
        self.assertEqual(answer.header("original-request"), first.header("request-id"))
        self.assertNotEqual(answer.header("request-id"), first.header("request-id"))

    def assertFirst(self, answer, status=200):
        self.assertEqual(answer.status, status, answer.body)
        self.assertIsNone(answer.header("idempotent-replayed"))
        self.assertEqual(answer.header("original-request"), answer.header("request-id"))

    def assertCharges(self, count, account=None):
        self.assertEqual(len(self.psp.charges(account or self.account)), count)


def main():
    unittest.main(verbosity=2)
