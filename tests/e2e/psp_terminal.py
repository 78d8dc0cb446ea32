"""What a person who watches mockpsp sees: a line for each request and what was done to it, on a terminal
and nowhere else; and nothing that a client sends can do anything to the terminal."""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import MOCKPSP, PAYMENT, Mockpsp, main, new_folder, wait_until  # noqa: E402
from raw_http import PATIENCE, Connection, NoAnswer, request  # noqa: E402

CHARGE = [("amount", "500"), ("currency", "usd"), ("source", "tok_visa"),
          ("metadata[order_id]", "order_1")]
EVIL = "\x1b]0;owned\x07\x1b[2J\u202eevil\u009b31m\r\n"


class Watched(Mockpsp):
    """A provider whose stdout is a terminal of ours; ENV adds to an environment that can colour."""

    def __init__(self, *options, env=None, home=None):
        self.screen = ""
        self.colours = {"PATH": os.environ["PATH"], "TERM": "xterm", **(env or {})}
        super().__init__(*options, home=home)

    def start(self, must_start=True):
        self.master, slave = pty.openpty()
        self.port_file = os.path.join(self.home, "port")
        self.err_file = open(os.path.join(self.home, "err"), "a+", encoding="utf-8")
        self.process = subprocess.Popen(
            [MOCKPSP, "--port", "0", "--port-file", self.port_file, *self.options],
            cwd=self.home, stdout=slave, stderr=self.err_file, env=self.colours)
        os.close(slave)
        self.port = int(self.shows(r"listening on http://127\.0\.0\.1:(\d+)").group(1))

    def _read(self, patience):
        if not select.select([self.master], [], [], patience)[0]:
            return False
        try:
            piece = os.read(self.master, 1 << 16)
        except OSError:  # the other end is closed
            return False
        self.screen += piece.decode().replace("\r\n", "\n")
        return piece != b""

    def shows(self, pattern):
        """Waits until the terminal shows PATTERN, and returns the match."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = re.search(pattern, self.screen, re.M)
            if found:
                return found
            self._read(0.1)
        raise AssertionError(f"never shown: {pattern} in {self.screen!r}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        while self._read(0):
            pass
        return status

    def clean(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        self.err_file.close()
        if self.own_home:
            shutil.rmtree(self.home, ignore_errors=True)


class OnTerminal(unittest.TestCase):
    def watch(self, *options, **more):
        psp = Watched(*options, **more)
        self.addCleanup(psp.clean)
        return psp

    def pay(self, psp, key="key_1", params=CHARGE):
        try:
            return psp.ask("POST", "/v1/charges", "sk_test_me", params, key).status
        except NoAnswer as end:
            return end.how


class Lines(OnTerminal):
    def setUp(self):
        self.psp = self.watch("--clock", "manual", env={"NO_COLOR": "1"})

    def line(self, rest):
        """Waits for a line that ends as REST says, and returns it."""
        return self.psp.shows(rf"^00:00:00 .*{rest}$").group(0)

    def test_each_request_is_one_line(self):
        self.pay(self.psp)
        line = self.line("ms")
        self.assertRegex(line, r"^00:00:00 POST   /v1/charges +order_1 key key_1 +200 +\d+(\.\d)?ms$")
        self.pay(self.psp)
        self.line(r"200 replayed +[\d.]+ms")
        self.psp.ask("GET", "/v1/charges", "sk_test_me")
        self.line(r"GET    /v1/charges +200 +[\d.]+ms")
        self.pay(self.psp, "key_2", [("amount", "no"), ("currency", "usd")])
        self.line(r"key key_2 +400 parameter_in\.\.nteger +[\d.]+ms")
        self.psp.ask("GET", "/nowhere", "sk_test_me")
        self.line(r"/nowhere +404 \S* *[\d.]+ms")
        self.psp.ask("GET", "/v1/charges", "nonsense")
        self.line(r"401 \S* *[\d.]+ms")
        self.assertEqual(self.psp.stop(), 0)
        self.assertEqual(self.psp.screen.count("\n00:00:00 "), 6)

    def test_how_it_ended_and_which_faults_struck(self):
        for act, seen, how in [("drop", "fin", "closed"), ("reset", "rst", "reset"),
                               ({"kind": "garbage", "body": "x\x1b[2J\r\n\r\n"}, None, "garbage"),
                               ({"kind": "respond", "status": 503}, 503, "503")]:
            self.psp.arm(("before_commit", act))
            if seen is None:
                with self.psp.connect() as connection:
                    connection.send(request("POST", "/v1/charges", "sk_test_me", CHARGE))
                    connection.rest()
            else:
                self.assertEqual(self.pay(self.psp), seen)
            self.line(rf" {how} .*ms  \S+.* at before_commit")
        self.psp.arm(("received", {"kind": "delay", "ms": 20}), ("after_commit", "drop"))
        self.assertEqual(self.pay(self.psp, "other"), "fin")
        line = self.line("ms  delay 20ms at received, drop at after_commit")
        self.assertGreaterEqual(int(re.search(r"(\d+)ms  ", line).group(1)), 20)

    def test_one_that_waits_is_shown_when_it_ends(self):
        self.psp.arm(("received", "hang"))
        with self.psp.connect() as hanging:
            hanging.send(request("POST", "/v1/charges", "sk_test_me", CHARGE))
            self.psp.wait_for_fault("sk_test_me", "received")
            self.assertEqual(self.pay(self.psp, "other"), 200)
            self.line(r"key other +200 .*ms")
            self.assertNotIn("hang", self.psp.screen)
        self.line(r"hung .*s  hang at received")

    def test_the_line_is_there_before_the_provider_kills_itself(self):
        self.psp.arm(("after_commit", {"kind": "crash_psp"}))
        self.pay(self.psp)
        self.line(r"ms  crash_psp.* at after_commit")

    def test_long_and_hostile_words_are_shortened_and_do_nothing(self):
        params = CHARGE[:3] + [("metadata[order_id]", EVIL * 10)]
        self.pay(self.psp, "k" * 200, params)
        self.line(r"key kkkk?\.\.kk? +200 .*ms")
        self.psp.ask("GET", "/v1/" + "%1b%5b2J" * 200, "sk_test_me")
        self.psp.ask("GET", "/v1/\u202e\u009b31m\u00e9", "sk_test_me")
        self.pay(self.psp, b"\xff\xfe\x1b[2J")
        self.psp.ask("GET", "/v1/charges/last", "sk_test_me")
        self.line("/v1/charges/last .*ms")
        self.psp.stop()
        shown = self.psp.screen
        for char in shown:
            self.assertTrue(char == "\n" or 0x20 <= ord(char) < 0x7f or char == "\u00e9", repr(shown))
        self.assertLess(max(map(len, shown.splitlines())), 130)

    def test_an_error_of_a_script_that_repeats_them_does_nothing_either(self):
        home = new_folder()
        self.addCleanup(shutil.rmtree, home)
        with open(os.path.join(home, "faults.lua"), "w", encoding="utf-8") as file:
            file.write("return scenario { faults = function(req) error(req.order) end }")
        psp = self.watch("--faults", "faults.lua", home=home)
        self.pay(psp, "key", CHARGE[:3] + [("metadata[order_id]", EVIL)])
        wait_until(lambda: "owned" in psp.stderr(), "the error")
        self.assertIn("\\x1b]0;owned\\x07", psp.stderr())
        self.assertFalse(set(psp.stderr()) & set("\x1b\x07\r\x00\u202e\u009b"), psp.stderr())


class Colours(OnTerminal):
    def test_they_say_how_it_went(self):
        psp = self.watch()
        psp.arm(("after_commit", "drop"))
        self.pay(psp)
        psp.shows(r"\x1b\[31mclosed .*\x1b\[35mdrop at after_commit\x1b\[0m")
        self.pay(psp)
        psp.shows(r"\x1b\[32m200 replayed")
        psp.ask("GET", "/nowhere", "sk_test_me")
        psp.shows(r"\x1b\[33m404")

    def test_not_where_they_are_not_wanted(self):
        for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
            psp = self.watch(env=env)
            self.pay(psp)
            psp.shows(r"/v1/charges .*200")
            self.assertNotIn("\x1b", psp.screen)
        psp = self.watch(env={"NO_COLOR": ""})  # empty is not set
        self.pay(psp)
        psp.shows(r"\x1b\[32m200")


class Silence(OnTerminal):
    def test_quiet_is_quiet(self):
        psp = self.watch("--quiet")
        self.pay(psp)
        self.assertEqual(psp.stop(), 0)
        self.assertEqual(psp.screen.count("\n"), 1, psp.screen)

    def test_a_pipe_gets_none_of_it(self):
        psp = Mockpsp()
        self.addCleanup(psp.clean)
        self.pay(psp)
        psp.process.send_signal(signal.SIGTERM)
        self.assertEqual(psp.process.stdout.read(), "")
        self.assertEqual(psp.process.wait(), 0)
        self.assertEqual(psp.stderr(), "")

    def test_a_terminal_that_nobody_reads_holds_nobody_up(self):
        psp = self.watch(env={"NO_COLOR": "1"})
        data = request("GET", "/v1/charges", "sk_test_me")
        with Connection(psp.port) as connection:
            for _ in range(3000):  # far more than a terminal keeps
                self.assertEqual(connection.ask(data, "GET").status, 200)
            psp.shows(r"/v1/charges .*200")
            while psp._read(0):
                pass
            self.assertEqual(connection.ask(data, "GET").status, 200)
        psp.shows(r"^\(\d+ requests that this terminal was too slow for\)$")

    def test_nor_does_one_that_has_gone(self):
        psp = self.watch()
        os.close(psp.master)
        psp.master = os.open("/dev/null", os.O_RDONLY)
        self.assertEqual([self.pay(psp, None) for _ in range(3)], [200] * 3)


if __name__ == "__main__":
    main()
